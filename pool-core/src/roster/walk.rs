//! From one live slot to the next, in the order of memory.

use crate::roster::Store;
use crate::roster::directory::Directory;

/// Bytes that most processors have in a core's own cache.
const NEAR_CACHE: usize = 1 << 20;

/// Walks over the live slots, by *parts*: a word of the bitmap, or a granule if that is less.
///
/// So all slots of a part lie in one piece, and an element costs a few instructions on registers. Each step also
/// prefetches an element of the next part: the processor's own prefetching ends with the page, and vacant slots
/// mislead it. (Where there are vacant slots, only if the roster is large: it costs a third of a nanosecond.)
pub(super) struct Walk<'a, T> {
    /// What is left of the present part.
    part: Part<T>,
    /// The part after it; without slots if there is none.
    ahead: Part<T>,
    /// Its slots that have not been prefetched.
    unasked: u64,
    /// Whether the elements exceed the nearest large cache.
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

    /// Takes out the lowest of the live slots; there must be one.
    #[inline(always)]
    pub(super) fn take_lowest(&mut self) -> (u32, *mut T) {
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        (self.first + bit, self.base.wrapping_add(bit as usize))
    }
}

/// The live slots among the occupied ones of a part.
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

    /// Whether no part follows.
    #[inline(always)]
    fn is_last(&self) -> bool {
        self.left == 0 && self.ahead.bits == 0
    }

    /// Prefetches a slot of the part ahead. If none is left, what lies behind it, which does no harm.
    #[inline(always)]
    fn ask(&mut self) {
        prefetch(self.ahead.base.wrapping_add(self.unasked.trailing_zeros() as usize));
        self.unasked &= self.unasked.wrapping_sub(1);
    }

    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<(u32, *mut T)> {
        while self.part.bits == 0 {
            if self.is_last() {
                return None;
            }
            self.advance();
        }
        if self.is_large {
            self.ask();
        }
        Some(self.part.take_lowest())
    }

    /// If all slots of a part are live, this is a loop over an array.
    #[inline(always)]
    pub(super) fn fold<B>(mut self, init: B, mut f: impl FnMut(B, (u32, *mut T)) -> B) -> B {
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
                    folded = f(folded, self.part.take_lowest());
                }
            }
            while self.part.bits != 0 {
                folded = f(folded, self.part.take_lowest());
            }
            if self.is_last() {
                return folded;
            }
            self.advance();
        }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.left + (self.part.bits.count_ones() + self.ahead.bits.count_ones()) as usize
    }

    /// Splits off the parts in the second half of what comes before `end`, as another walk that is returned with
    /// where it begins; `None` if there is only one part.
    #[cfg(feature = "rayon")]
    pub(super) fn split_off(&mut self, end: usize) -> Option<(usize, Self)> {
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

/// Prefetches the memory of an element that will be used soon, unless many share a cache line. The address may be
/// anything.
#[inline(always)]
pub(super) fn prefetch<T>(element: *const T) {
    #[cfg(target_arch = "x86_64")]
    if size_of::<T>() >= 32 {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch changes nothing, and does not fault.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(element.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = element;
}
