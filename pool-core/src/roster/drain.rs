//! Elements that are taken out one by one, in the order of memory.

use core::fmt;
use core::iter::FusedIterator;

use crate::base::handle::Handle;
use crate::roster::Roster;
use crate::roster::walk::LiveSlots;
use crate::roster::word::handle_to;

impl<T> Roster<T> {
    /// Takes the elements out one by one, in the order of memory. What is left is dropped with the iterator, or
    /// stays in the roster if the iterator is leaked. O(elements + slots / 64).
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
        let slots = LiveSlots::of(&self.directory);
        Drain { end: self.directory.occupied().len(), roster: self, slots }
    }

    /// Takes out the elements for which `is_to_go` returns `true`, one by one, in the order of memory: each call of
    /// `next` goes on up to the next such element. What the iterator has not come to when it is dropped or leaked
    /// stays in the roster. O(elements + slots / 64) in all.
    ///
    /// To drop them where they are, take [`Roster::retain`].
    ///
    /// # Panics
    ///
    /// `next`, if `is_to_go` panics; the element stays, and the iterator can go on behind it.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut wounded: Roster<i32> = [3, -1, 8, -5].into_iter().collect();
    /// let dead: Vec<_> = wounded.extract_if(|_, health| *health <= 0).collect();
    /// assert_eq!(dead.iter().map(|(_, health)| *health).collect::<Vec<_>>(), [-1, -5]);
    /// assert!(wounded.values().eq(&[3, 8]));
    /// assert!(!wounded.contains(dead[0].0), "stale");
    /// ```
    pub fn extract_if<F: FnMut(Handle<T>, &mut T) -> bool>(
        &mut self,
        is_to_go: F,
    ) -> ExtractIf<'_, T, F> {
        let slots = LiveSlots::of(&self.directory);
        ExtractIf { roster: self, slots, is_to_go }
    }

    /// The elements without their handles, in the order of memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster: Roster<String> = ["a", "b"].map(String::from).into_iter().collect();
    /// assert_eq!(roster.into_values().collect::<Vec<String>>(), ["a", "b"]);
    /// ```
    pub fn into_values(self) -> IntoValues<T> {
        IntoValues(self.into_iter())
    }

    /// Takes out the first element at or after the slot `first`, and moves `first` past it. So a loop ends even if
    /// elements are inserted meanwhile.
    pub(crate) fn pop_first_from(&mut self, first: &mut usize) -> Option<(Handle<T>, T)> {
        let slot = LiveSlots::from(*first, &self.directory).next(&self.directory)?;
        *first = slot as usize + 1;
        // SAFETY: the slot is live.
        unsafe { self.pop(slot) }
    }

    /// Takes the element out of a slot.
    ///
    /// # Safety
    ///
    /// The slot is live.
    unsafe fn pop(&mut self, slot: u32) -> Option<(Handle<T>, T)> {
        // SAFETY: passed on from the caller.
        let handle = unsafe { handle_to(self.directory.words(), slot) };
        self.remove(handle).map(|element| (handle, element))
    }
}

/// The iterator that takes the elements in `slots`, up to those of the word `end`, out of its `roster`.
macro_rules! taking_out {
    ($name:ident<$($lifetime:lifetime,)? T>) => {
        impl<T> Iterator for $name<$($lifetime,)? T> {
            type Item = (Handle<T>, T);

            fn next(&mut self) -> Option<Self::Item> {
                let slot = self.slots.next(&self.roster.directory)?;
                // SAFETY: the slot is live, since nobody else had the roster meanwhile.
                unsafe { self.roster.pop(slot) }
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.roster.len(), Some(self.roster.len()))
            }
        }

        impl<T> DoubleEndedIterator for $name<$($lifetime,)? T> {
            fn next_back(&mut self) -> Option<Self::Item> {
                let slot = self.slots.next_back(&mut self.end, &self.roster.directory)?;
                // SAFETY: as above.
                unsafe { self.roster.pop(slot) }
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
    end: usize,
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
    end: usize,
}

impl<T> IntoIterator for Roster<T> {
    type Item = (Handle<T>, T);
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        let slots = LiveSlots::of(&self.directory);
        IntoIter { end: self.directory.occupied().len(), roster: self, slots }
    }
}

/// From [`Roster::into_values`]: the elements, in the order of memory.
pub struct IntoValues<T>(IntoIter<T>);

impl<T> Iterator for IntoValues<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.next().map(|(_, element)| element)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T> DoubleEndedIterator for IntoValues<T> {
    fn next_back(&mut self) -> Option<T> {
        self.0.next_back().map(|(_, element)| element)
    }
}

impl<T> ExactSizeIterator for IntoValues<T> {}
impl<T> FusedIterator for IntoValues<T> {}

impl<T> fmt::Debug for IntoValues<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntoValues").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// From [`Roster::extract_if`]: takes out the elements for which a closure says so, in the order of memory.
#[must_use = "an iterator takes out nothing unless it is consumed; `retain` drops elements where they are"]
pub struct ExtractIf<'a, T, F> {
    roster: &'a mut Roster<T>,
    slots: LiveSlots,
    is_to_go: F,
}

impl<T, F: FnMut(Handle<T>, &mut T) -> bool> Iterator for ExtractIf<'_, T, F> {
    type Item = (Handle<T>, T);

    fn next(&mut self) -> Option<Self::Item> {
        // The slot is passed before the closure, which may panic.
        while let Some(slot) = self.slots.next(&self.roster.directory) {
            // SAFETY: the slot is live, since nobody else had the roster meanwhile.
            let handle = unsafe { handle_to(self.roster.directory.words(), slot) };
            if (self.is_to_go)(handle, &mut self.roster[handle]) {
                return self.roster.remove(handle).map(|element| (handle, element));
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.roster.len()))
    }
}

impl<T, F: FnMut(Handle<T>, &mut T) -> bool> FusedIterator for ExtractIf<'_, T, F> {}

impl<T, F> fmt::Debug for ExtractIf<'_, T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExtractIf").finish_non_exhaustive()
    }
}
