//! The end of elements: one, some, all.

use core::mem;
use core::num::NonZeroU32;
use core::ptr;

use super::Roster;
use super::iter::Drain;
use crate::handle::Handle;

impl<T> Roster<T> {
    /// Takes the element out; `None` if the handle is stale. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let handle = roster.insert("once");
    /// assert_eq!(roster.remove(handle), Some("once"));
    /// assert_eq!(roster.remove(handle), None);
    /// ```
    #[inline]
    pub fn remove(&mut self, handle: Handle<T>) -> Option<T> {
        if !self.directory.remove((handle.slot(), handle.word())) {
            return None;
        }
        let slot = self.store.slot(handle.slot());
        // SAFETY: the slot was live until now, and nobody reads the element a second time.
        let element = unsafe { slot.read() };
        self.store.leave(slot);
        Some(element)
    }

    /// Removes the element, and drops it where it is.
    #[inline]
    pub(super) fn discard(&mut self, slot: u32, word: NonZeroU32) {
        if self.directory.remove((slot, word)) {
            let slot = self.store.slot(slot);
            let leave = Leave { roster: self, slot };
            // SAFETY: the slot was live until now, and nobody looks at the element any more.
            unsafe { ptr::drop_in_place(leave.slot) };
        }
    }

    /// Removes every element for which `keep` returns `false`, in the order of memory. O(slots / 64 +
    /// elements).
    ///
    /// # Panics
    ///
    /// If `keep` or a destructor panics; what has been removed is removed, the rest stays.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let handles: Vec<_> = (0..10).map(|n| roster.insert(n)).collect();
    /// roster.retain(|_, n| { *n += 1; *n % 2 == 0 });
    /// assert_eq!(roster.len(), 5);
    /// assert_eq!(roster.get(handles[1]), Some(&2));
    /// assert_eq!(roster.get(handles[2]), None);
    /// ```
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(Handle<T>, &mut T) -> bool) {
        for at in 0..self.directory.live().len() {
            let mut bits = self.directory.live()[at];
            while bits != 0 {
                let slot = (at * 64) as u32 + bits.trailing_zeros();
                bits &= bits - 1;
                let Some((_, word)) = self.directory.entry(slot) else { continue };
                // SAFETY: the slot is live, so it holds an element, which nobody else can reach.
                let element = unsafe { &mut *self.store.slot(slot) };
                if !keep(Handle::new(slot, word), element) {
                    self.discard(slot, word);
                }
            }
        }
    }

    /// Removes every element, in the order of memory. Every handle is stale then.
    ///
    /// O(elements + slots / 64). The memory is kept. What is detached stays so.
    ///
    /// # Panics
    ///
    /// If a destructor panics; the elements after that one stay.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::new();
    /// let before = roster.insert(1);
    /// roster.clear();
    /// let after = roster.insert(2);
    /// assert_eq!((roster.get(before), roster.get(after)), (None, Some(&2)));
    /// ```
    pub fn clear(&mut self) {
        self.retain(|_, _| false);
    }

    /// Takes the elements out one by one, in the order of memory. What is not asked for is dropped with
    /// the iterator; if that is leaked instead, it stays in the roster.
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
        Drain::new(self)
    }

    /// Takes out the first element in memory.
    #[cfg(feature = "std")]
    pub(crate) fn pop_first(&mut self) -> Option<T> {
        self.pop_first_from(&mut 0).map(|(_, element)| element)
    }

    /// Takes out the first element at or after the word `at` of the bitmap, which is brought up to it.
    pub(super) fn pop_first_from(&mut self, at: &mut usize) -> Option<(Handle<T>, T)> {
        let live = self.directory.live();
        *at += live.get(*at..)?.iter().position(|&word| word != 0)?;
        let slot = (*at * 64) as u32 + live[*at].trailing_zeros();
        let (slot, word) = self.directory.entry(slot)?;
        let handle = Handle::new(slot, word);
        self.remove(handle).map(|element| (handle, element))
    }
}

/// Tells the sanitizer that the slot is not in use, as soon as the destructor has returned or
/// panicked.
struct Leave<'a, T> {
    roster: &'a Roster<T>,
    slot: *mut T,
}

impl<T> Drop for Leave<'_, T> {
    fn drop(&mut self) {
        self.roster.store.leave(self.slot);
    }
}

impl<T> Drop for Roster<T> {
    fn drop(&mut self) {
        /// Drops what is left, though a destructor has panicked.
        struct Rest<'a, T>(&'a mut Roster<T>);

        impl<T> Drop for Rest<'_, T> {
            fn drop(&mut self) {
                self.0.clear();
            }
        }

        if mem::needs_drop::<T>() {
            let rest = Rest(self);
            rest.0.clear();
        }
    }
}
