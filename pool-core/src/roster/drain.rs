//! Elements that are taken out one by one, in the order of memory.

use core::fmt;
use core::iter::FusedIterator;

use crate::base::handle::Handle;
use crate::roster::Roster;
use crate::roster::walk::LiveSlots;
use crate::roster::word::handle_to;

impl<T> Roster<T> {
    /// Takes the elements out one by one, in the order of memory. What is left is dropped with the iterator, or
    /// stays in the roster if the iterator is leaked.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let a = roster.insert("a");
    /// roster.insert("b");
    /// let first = roster.drain().next();
    /// assert_eq!(first, Some((a, "a")));
    /// assert!(roster.is_empty());
    /// ```
    pub fn drain(&mut self) -> Drain<'_, T> {
        Drain { roster: self, slots: LiveSlots::new() }
    }

    /// Takes out the first element at or after the slot `first`, and moves `first` past it. So a loop ends even if
    /// elements are inserted meanwhile.
    pub(crate) fn pop_first_from(&mut self, first: &mut usize) -> Option<(Handle<T>, T)> {
        let slot = LiveSlots::from(*first, &self.directory).next(&self.directory)?;
        *first = slot as usize + 1;
        // SAFETY: the slot is live.
        let handle = unsafe { handle_to(self.directory.words(), slot) };
        self.remove(handle).map(|element| (handle, element))
    }
}

/// The iterator that takes the elements in `slots` out of its `roster`.
macro_rules! taking_out {
    ($name:ident<$($lifetime:lifetime,)? T>) => {
        impl<T> Iterator for $name<$($lifetime,)? T> {
            type Item = (Handle<T>, T);

            fn next(&mut self) -> Option<Self::Item> {
                let slot = self.slots.next(&self.roster.directory)?;
                // SAFETY: the slot is live, since nobody else had the roster meanwhile.
                let handle = unsafe { handle_to(self.roster.directory.words(), slot) };
                self.roster.remove(handle).map(|element| (handle, element))
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.roster.len(), Some(self.roster.len()))
            }
        }

        impl<T> ExactSizeIterator for $name<$($lifetime,)? T> {}
        impl<T> FusedIterator for $name<$($lifetime,)? T> {}

        impl<T> fmt::Debug for $name<$($lifetime,)? T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("len", &self.len()).finish_non_exhaustive()
            }
        }
    };
}

taking_out!(Drain<'_, T>);
taking_out!(IntoIter<T>);

/// From [`Roster::drain`]: takes the elements out, in the order of memory.
pub struct Drain<'a, T> {
    roster: &'a mut Roster<T>,
    slots: LiveSlots,
}

impl<T> Drop for Drain<'_, T> {
    fn drop(&mut self) {
        self.roster.clear();
    }
}

/// From `IntoIterator` for a [`Roster`]: handles and elements, in the order of memory.
pub struct IntoIter<T> {
    roster: Roster<T>,
    slots: LiveSlots,
}

impl<T> IntoIterator for Roster<T> {
    type Item = (Handle<T>, T);
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter { roster: self, slots: LiveSlots::new() }
    }
}
