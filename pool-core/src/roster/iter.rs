//! Iteration over the live elements, in the order of slots, from both ends.

use core::marker::PhantomData;

use crate::base::handle::Handle;
use crate::roster::Roster;
use crate::roster::walk::Walk;
use crate::roster::word::handle_to;

/// Implements the traits of an iterator that knows its length.
macro_rules! counted {
    ([$($generics:tt)*] $name:ident [$($arguments:tt)*]) => {
        impl<$($generics)*> core::iter::ExactSizeIterator for $name<$($arguments)*> {}
        impl<$($generics)*> core::iter::FusedIterator for $name<$($arguments)*> {}

        impl<$($generics)*> core::fmt::Debug for $name<$($arguments)*> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).field("len", &self.len()).finish_non_exhaustive()
            }
        }
    };
}

pub(crate) use counted;

/// `IntoIterator` of a reference, by the method that borrows.
macro_rules! borrowed {
    ([$($generics:tt)*] $Reference:ty, $method:ident, $Iter:ty, $Item:ty) => {
        impl<$($generics)*> IntoIterator for $Reference {
            type Item = $Item;
            type IntoIter = $Iter;

            #[inline]
            fn into_iter(self) -> $Iter {
                self.$method()
            }
        }
    };
}

pub(crate) use borrowed;

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

        // SAFETY: it gives out references, and reads tables that cannot change while it exists.
        unsafe impl<T: $bound> Send for $name<'_, T> {}
        // SAFETY: a shared iterator only tells its length.
        unsafe impl<T: Sync> Sync for $name<'_, T> {}

        impl<'a, T> $name<'a, T> {
            fn new(roster: &'a Roster<T>) -> Self {
                let words = roster.directory.words();
                let walk = Walk::new(&roster.directory, &roster.store);
                Self { walk, words, marker: PhantomData }
            }

            /// Two halves, of an iterator that has not begun; `None` if the second would be too small.
            #[cfg(feature = "rayon")]
            #[allow(dead_code, reason = "no core has enough to do with handles alone")]
            pub(super) fn halved(mut self) -> (Self, Option<Self>) {
                let behind = self.walk.split_off().map(|walk| Self { walk, ..self });
                (self, behind)
            }
        }

        impl<'a, T> Iterator for $name<'a, T> {
            type Item = $item;

            #[inline(always)]
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

        impl<T> DoubleEndedIterator for $name<'_, T> {
            #[inline]
            fn next_back(&mut self) -> Option<Self::Item> {
                let $words = self.words;
                let ($slot, $at) = self.walk.next_back()?;
                Some($make)
            }
        }

        counted!([T] $name['_, T]);
    };
}

iterator! {
    /// From [`Roster::iter`]: handles and references, in the order of memory.
    Iter, &'a T, (Handle<T>, &'a T), Sync,
    // SAFETY: the slot is live, and the roster is borrowed for 'a.
    |words, slot, at| (unsafe { handle_to(words, slot) }, unsafe { &*at })
}

iterator! {
    /// From [`Roster::iter_mut`]: handles and exclusive references, in the order of memory.
    IterMut, &'a mut T, (Handle<T>, &'a mut T), Send,
    // SAFETY: the slot is live, no other item refers to it, and the roster is borrowed for 'a.
    |words, slot, at| (unsafe { handle_to(words, slot) }, unsafe { &mut *at })
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
    |words, slot, _at| unsafe { handle_to(words, slot) }
}

/// Iterators that can be cloned.
macro_rules! cloneable {
    ($($name:ident),*) => {$(
        impl<T> Clone for $name<'_, T> {
            fn clone(&self) -> Self {
                Self { ..*self }
            }
        }
    )*};
}

cloneable!(Iter, Values, Handles);

impl<T> Roster<T> {
    /// Handles and references, in the order of memory. O(slots / 64 + elements) in all.
    ///
    /// The roster is borrowed during the loop, so collect what to spawn or kill, and do it afterwards
    /// ([`Roster::iter_mut`] shows how).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let a = roster.insert("a");
    /// let b = roster.insert("b");
    /// assert_eq!(roster.iter().next(), Some((a, &"a")));
    /// assert_eq!(roster.iter().next_back(), Some((b, &"b")));
    /// ```
    #[inline]
    #[must_use]
    pub fn iter(&self) -> Iter<'_, T> {
        Iter::new(self)
    }

    /// Handles and exclusive references, in the order of memory.
    ///
    /// The roster is borrowed during the loop. To spawn, collect the new values and insert them afterwards; to kill,
    /// collect handles, or use [`Roster::retain`]; to let one element work on the whole roster, collect the handles
    /// and [`detach`](Roster::detach) each in turn.
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
    #[must_use]
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
    #[must_use]
    pub fn values(&self) -> Values<'_, T> {
        Values::new(self)
    }

    /// Exclusive references to the elements, in the order of memory.
    ///
    /// `for_each` is a little faster than `for` where most slots are live. `par_values_mut`, with the feature `rayon`, uses all
    /// cores. (Without the feature, the compiler proposes this method instead, which is serial. A method that only said so would
    /// hide that of a trait with a parallel iterator of that name.)
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
    #[must_use]
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
    /// let last = roster.handles().next_back();
    /// assert_eq!(last.and_then(|last| roster.get(last)), Some(&'c'));
    /// ```
    #[doc(alias("keys", "into_keys"))]
    #[inline]
    #[must_use]
    pub fn handles(&self) -> Handles<'_, T> {
        Handles::new(self)
    }
}

borrowed!(['a, T] &'a Roster<T>, iter, Iter<'a, T>, (Handle<T>, &'a T));
borrowed!(['a, T] &'a mut Roster<T>, iter_mut, IterMut<'a, T>, (Handle<T>, &'a mut T));
