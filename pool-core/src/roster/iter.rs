//! Iteration over what is live, in the order of memory.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::num::NonZeroU32;

use super::directory::Directory;
use super::store::prefetch;
use super::{Roster, Store};
use crate::base::handle::Handle;

/// The live slots, by their words. O(slots).
pub(super) fn live(words: &[u32]) -> impl Iterator<Item = u32> {
    let is_live = |&(&word, _): &(&u32, u32)| word & 1 != 0;
    words.iter().zip(0..).filter(is_live).map(|(_, slot)| slot)
}

/// Bytes that most processors have in a core's own cache.
const NEAR_CACHE: usize = 1 << 20;

/// Walks over the live slots, by *parts*: a word of the bitmap, or a granule if that is less.
///
/// So all slots of a part lie in one piece, and an element costs a few instructions on registers. With
/// each element, one of the next part is asked for: the processor's own prefetching ends with
/// the page, and is misled by vacant slots. (Where there are vacant slots, only if the roster is
/// large: it costs a third of a nanosecond.)
pub(super) struct Walk<'a, T> {
    /// The slots of the present part that are still to come.
    part: Part<T>,
    /// The part after that; without slots if there is none.
    ahead: Part<T>,
    /// Those of its slots that have not been asked for.
    unasked: u64,
    /// Whether the elements exceed the cache that is next to the processor.
    is_large: bool,
    /// Where the part after that begins.
    next: usize,
    /// How many elements are in the parts from there on.
    left: usize,
    directory: &'a Directory,
    store: &'a Store<T>,
}

/// One part of a roster's slots.
pub(super) struct Part<T> {
    /// A bit for each slot, which is 1 if it is live.
    pub(super) bits: u64,
    /// The first slot,
    pub(super) base: *mut T,
    /// and its index.
    pub(super) first: u32,
}

impl<T> Clone for Part<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Part<T> {}

impl<T> Part<T> {
    /// Slots in a part.
    pub(super) const SLOTS: usize = if Store::<T>::GRANULE < 64 { Store::<T>::GRANULE } else { 64 };
    /// All of them.
    pub(super) const FULL: u64 = u64::MAX >> (64 - Self::SLOTS);

    /// The part that begins with the slot `first`, which exists.
    #[inline(always)]
    pub(super) fn at(first: usize, directory: &Directory, store: &Store<T>) -> Self {
        assert!(first < store.capacity());
        let mut bits = (directory.occupied()[first / 64] >> (first % 64)) & Self::FULL;
        if directory.has_exceptions() {
            bits = only_live(bits, &directory.words()[first..]);
        }
        let first = first as u32;
        // SAFETY: the slot exists.
        Self { bits, base: unsafe { store.slot(first) }, first }
    }
}

/// Of the slots of a part, which are occupied, those that are live.
#[cold]
fn only_live(occupied: u64, words: &[u32]) -> u64 {
    let live = words
        .iter()
        .take(64)
        .zip(0..)
        .fold(0, |bits, (&word, at)| bits | (u64::from(word & 1) << at));
    occupied & live
}

impl<'a, T> Walk<'a, T> {
    #[inline]
    pub(super) fn new(directory: &'a Directory, store: &'a Store<T>) -> Self {
        let part = Part { bits: 0, base: core::ptr::null_mut(), first: 0 };
        let left = directory.len();
        let is_large = store.capacity() * size_of::<T>() > NEAR_CACHE;
        Self { part, ahead: part, unasked: 0, is_large, next: 0, left, directory, store }
    }

    /// Goes on to the next part.
    #[inline]
    fn advance(&mut self) {
        self.part = self.ahead;
        self.ahead.bits = 0;
        if self.left > 0 {
            self.ahead = Part::at(self.next, self.directory, self.store);
            self.next += Part::<T>::SLOTS;
            self.left -= self.ahead.bits.count_ones() as usize;
        }
        self.unasked = self.ahead.bits;
    }

    /// Whether no part is to come.
    #[inline(always)]
    fn is_last(&self) -> bool {
        self.left == 0 && self.ahead.bits == 0
    }

    /// The lowest slot of the present part, which has some.
    #[inline(always)]
    fn step(&mut self) -> (u32, *mut T) {
        let bit = self.part.bits.trailing_zeros();
        self.part.bits &= self.part.bits - 1;
        (self.part.first + bit, self.part.base.wrapping_add(bit as usize))
    }

    /// Asks for a slot of the part ahead. If none is left, that is what lies behind it, which does no
    /// harm.
    #[inline(always)]
    fn ask(&mut self) {
        prefetch(self.ahead.base.wrapping_add(self.unasked.trailing_zeros() as usize));
        self.unasked &= self.unasked.wrapping_sub(1);
    }

    #[inline(always)]
    fn next(&mut self) -> Option<(u32, *mut T)> {
        while self.part.bits == 0 {
            if self.is_last() {
                return None;
            }
            self.advance();
        }
        if self.is_large {
            self.ask();
        }
        Some(self.step())
    }

    /// Where all slots of a part are live, this is a loop over an array.
    #[inline(always)]
    fn fold<B>(mut self, init: B, mut f: impl FnMut(B, (u32, *mut T)) -> B) -> B {
        let mut folded = init;
        loop {
            if self.part.bits == Part::<T>::FULL {
                let Part { base, first, .. } = self.part;
                for bit in 0..Part::<T>::SLOTS {
                    prefetch(self.ahead.base.wrapping_add(bit));
                    folded = f(folded, (first + bit as u32, base.wrapping_add(bit)));
                }
                self.part.bits = 0;
            }
            if self.is_large {
                while self.part.bits != 0 {
                    self.ask();
                    folded = f(folded, self.step());
                }
            }
            while self.part.bits != 0 {
                folded = f(folded, self.step());
            }
            if self.is_last() {
                return folded;
            }
            self.advance();
        }
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.left + (self.part.bits.count_ones() + self.ahead.bits.count_ones()) as usize
    }

    /// Leaves the parts in the second half of what comes before `end` to another walk, which is
    /// returned with where it begins; `None` if there is but one part.
    #[cfg(feature = "rayon")]
    fn split_off(&mut self, end: usize) -> Option<(usize, Self)> {
        debug_assert!(self.part.bits | self.ahead.bits == 0, "nobody has begun to walk");
        let parts = end.saturating_sub(self.next).div_ceil(Part::<T>::SLOTS);
        let middle = self.next + parts.div_ceil(2) * Part::<T>::SLOTS;
        if middle >= end {
            return None;
        }
        let part = |first| Part::at(first, self.directory, self.store);
        let firsts = (self.next..middle).step_by(Part::<T>::SLOTS);
        let ours = firsts.map(|first| part(first).bits.count_ones() as usize).sum();
        let behind = Self { next: middle, left: self.left - ours, ..*self };
        self.left = ours;
        Some((middle, behind))
    }
}

impl<T> Clone for Walk<'_, T> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

/// The handle to a live slot.
///
/// # Safety
///
/// The slot is live.
#[inline(always)]
pub(super) unsafe fn handle<T>(words: &[u32], slot: u32) -> Handle<T> {
    // SAFETY: a live slot has a word (`Directory`) ...
    let word = unsafe { *words.get_unchecked(slot as usize) };
    // SAFETY: ... which is not 0.
    Handle::new(slot, unsafe { NonZeroU32::new_unchecked(word) })
}

/// An iterator, not begun, of which another can have about half.
#[cfg(feature = "rayon")]
pub(super) trait Halve: Sized {
    /// Of what comes before the slot `end`, the other half and where it begins; `None` if it is not to
    /// be halved. No element is in both.
    fn halve(&mut self, end: usize) -> Option<(usize, Self)>;
}

/// An iterator type over a roster: its documentation and name, what it borrows, and how it makes an
/// item of a slot's index and address.
macro_rules! iterator {
    (
        $(#[$doc:meta])* $name:ident, $borrow:ty, $item:ty, $bound:ident,
        |$words:ident, $slot:ident, $at:ident| $make:expr
    ) => {
        $(#[$doc])*
        pub struct $name<'a, T> {
            walk: Walk<'a, T>,
            words: &'a [u32],
            marker: PhantomData<$borrow>,
        }

        // SAFETY: it is worth the references that it gives out, and a look at tables which cannot
        // change meanwhile.
        unsafe impl<T: $bound> Send for $name<'_, T> {}
        // SAFETY: shared, it can only be asked for its length.
        unsafe impl<T: Sync> Sync for $name<'_, T> {}

        impl<'a, T> $name<'a, T> {
            fn new(roster: &'a Roster<T>) -> Self {
                let words = roster.directory.words();
                let walk = Walk::new(&roster.directory, &roster.store);
                Self { walk, words, marker: PhantomData }
            }
        }

        #[cfg(feature = "rayon")]
        impl<T> Halve for $name<'_, T> {
            fn halve(&mut self, end: usize) -> Option<(usize, Self)> {
                let (middle, walk) = self.walk.split_off(end)?;
                Some((middle, Self { walk, ..*self }))
            }
        }

        impl<'a, T> Iterator for $name<'a, T> {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                let $words = self.words;
                let ($slot, $at) = self.walk.next()?;
                Some($make)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.walk.len(), Some(self.walk.len()))
            }

            #[inline]
            fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
                let $words = self.words;
                self.walk.fold(init, |folded, ($slot, $at)| f(folded, $make))
            }
        }

        impl<T> ExactSizeIterator for $name<'_, T> {}
        impl<T> FusedIterator for $name<'_, T> {}

        impl<T> fmt::Debug for $name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("len", &self.len()).finish_non_exhaustive()
            }
        }
    };
}

iterator! {
    /// From [`Roster::iter`]: handles and references, in the order of memory.
    Iter, &'a T, (Handle<T>, &'a T), Sync,
    // SAFETY: the slot is live, and the roster is borrowed for 'a.
    |words, slot, at| (unsafe { handle(words, slot) }, unsafe { &*at })
}

iterator! {
    /// From [`Roster::iter_mut`]: handles and exclusive references, in the order of memory.
    IterMut, &'a mut T, (Handle<T>, &'a mut T), Send,
    // SAFETY: the slot is live, no other item refers to it, and the roster is borrowed for 'a.
    |words, slot, at| (unsafe { handle(words, slot) }, unsafe { &mut *at })
}

iterator! {
    /// From [`Roster::values`]: references, in the order of memory.
    Values, &'a T, &'a T, Sync,
    // SAFETY: as in `Iter`.
    |_words, _slot, at| unsafe { &*at }
}

iterator! {
    /// From [`Roster::values_mut`]: exclusive references, in the order of memory.
    ValuesMut, &'a mut T, &'a mut T, Send,
    // SAFETY: as in `IterMut`.
    |_words, _slot, at| unsafe { &mut *at }
}

iterator! {
    /// From [`Roster::handles`]: the handles, in the order of memory.
    Handles, &'a T, Handle<T>, Sync,
    // SAFETY: the slot is live.
    |words, slot, _at| unsafe { handle(words, slot) }
}

/// An iterator that can be repeated.
macro_rules! cloneable {
    ($($name:ident),*) => {$(
        impl<T> Clone for $name<'_, T> {
            fn clone(&self) -> Self {
                Self { walk: self.walk.clone(), words: self.words, marker: PhantomData }
            }
        }
    )*};
}

cloneable!(Iter, Values, Handles);

impl<T> Roster<T> {
    /// Handles and references, in the order of memory. O(slots / 64 + elements) in all.
    ///
    /// The roster is borrowed meanwhile, so what is to be spawned or killed is collected, and done
    /// afterwards ([`Roster::iter_mut`] shows how).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let a = roster.insert("a");
    /// assert_eq!(roster.iter().next(), Some((a, &"a")));
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, T> {
        Iter::new(self)
    }

    /// Handles and exclusive references, in the order of memory.
    ///
    /// The roster is borrowed meanwhile. To spawn, collect the new values and insert them afterwards; to
    /// kill, collect handles, or use [`Roster::retain`]; to let one element work on the whole roster, go
    /// through collected handles and [`detach`](Roster::detach) each in turn.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster: Roster<usize> = (0..3).collect();
    /// for (handle, n) in roster.iter_mut() {
    ///     *n += 10 * handle.index();
    /// }
    /// assert!(roster.values().eq(&[0, 11, 22]));
    /// ```
    ///
    /// Every cell divides, and the old ones die:
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// struct Cell { age: u32 }
    ///
    /// let mut cells = Roster::new();
    /// cells.insert(Cell { age: 0 });
    /// for _ in 0..4 {
    ///     let mut born = Vec::new();
    ///     for (_, cell) in cells.iter_mut() {
    ///         cell.age += 1;
    ///         born.push(Cell { age: 0 });
    ///     }
    ///     cells.extend(born);
    ///     cells.retain(|_, cell| cell.age < 3);
    /// }
    /// assert_eq!(cells.len(), 13);
    /// ```
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, T> {
        IterMut::new(self)
    }

    /// The elements, in the order of memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let roster: Roster<u32> = (1..=4).collect();
    /// assert_eq!(roster.values().sum::<u32>(), 10);
    /// ```
    #[inline]
    pub fn values(&self) -> Values<'_, T> {
        Values::new(self)
    }

    /// The elements, to be changed, in the order of memory.
    ///
    /// `for_each` is a little faster than `for` where most slots are live.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster: Roster<u32> = (1..=4).collect();
    /// roster.values_mut().for_each(|n| *n *= 2);
    /// assert!(roster.values().eq(&[2, 4, 6, 8]));
    /// ```
    #[inline]
    pub fn values_mut(&mut self) -> ValuesMut<'_, T> {
        ValuesMut::new(self)
    }

    /// The handles, in the order of memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let roster: Roster<char> = "abc".chars().collect();
    /// let last = roster.handles().last();
    /// assert_eq!(last.and_then(|last| roster.get(last)), Some(&'c'));
    /// ```
    #[inline]
    pub fn handles(&self) -> Handles<'_, T> {
        Handles::new(self)
    }
}

/// From [`Roster::drain`]: takes the elements out, in the order of memory.
pub struct Drain<'a, T> {
    roster: &'a mut Roster<T>,
    /// The slot before which nothing is live.
    at: usize,
}

impl<'a, T> Drain<'a, T> {
    pub(super) fn new(roster: &'a mut Roster<T>) -> Self {
        Self { roster, at: 0 }
    }
}

impl<T> Iterator for Drain<'_, T> {
    type Item = (Handle<T>, T);

    fn next(&mut self) -> Option<Self::Item> {
        self.roster.pop_first_from(&mut self.at)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.roster.len(), Some(self.roster.len()))
    }
}

impl<T> ExactSizeIterator for Drain<'_, T> {}
impl<T> FusedIterator for Drain<'_, T> {}

impl<T> Drop for Drain<'_, T> {
    fn drop(&mut self) {
        self.roster.clear();
    }
}

impl<T> fmt::Debug for Drain<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drain").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// From `IntoIterator` for a [`Roster`]: handles and elements, in the order of memory.
pub struct IntoIter<T> {
    roster: Roster<T>,
    /// As in [`Drain`].
    at: usize,
}

impl<T> Iterator for IntoIter<T> {
    type Item = (Handle<T>, T);

    fn next(&mut self) -> Option<Self::Item> {
        self.roster.pop_first_from(&mut self.at)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.roster.len(), Some(self.roster.len()))
    }
}

impl<T> ExactSizeIterator for IntoIter<T> {}
impl<T> FusedIterator for IntoIter<T> {}

impl<T> fmt::Debug for IntoIter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntoIter").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl<T> IntoIterator for Roster<T> {
    type Item = (Handle<T>, T);
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter { roster: self, at: 0 }
    }
}

impl<'a, T> IntoIterator for &'a Roster<T> {
    type Item = (Handle<T>, &'a T);
    type IntoIter = Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Roster<T> {
    type Item = (Handle<T>, &'a mut T);
    type IntoIter = IterMut<'a, T>;

    #[inline]
    fn into_iter(self) -> IterMut<'a, T> {
        self.iter_mut()
    }
}

impl<T> Extend<T> for Roster<T> {
    /// Inserts every element.
    ///
    /// # Panics
    ///
    /// As [`Roster::insert`].
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        elements.into_iter().for_each(|element| {
            self.insert(element);
        });
    }
}

impl<T> FromIterator<T> for Roster<T> {
    /// The first element is in slot 0, the next in slot 1, and so on.
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut roster = Self::new();
        roster.extend(elements);
        roster
    }
}

impl<T: fmt::Debug> fmt::Debug for Roster<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}
