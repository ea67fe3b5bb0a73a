//! Removing elements: one, some, all.

use core::mem;
use core::ptr;

use crate::base::handle::Handle;
use crate::base::watch::tracy;
use crate::roster::walk::Cursor;
use crate::roster::word::handle_to;
use crate::roster::{Roster, Store};

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
    #[doc(alias("try_remove", "invalidate"))]
    #[inline(always)]
    pub fn remove(&mut self, handle: Handle<T>) -> Option<T> {
        // SAFETY: the slot was live until now.
        self.directory.remove(handle.raw()).then(|| unsafe { self.take_out(handle) })
    }

    /// Moves the element out of its slot.
    ///
    /// # Safety
    ///
    /// The slot was live until now, and nobody takes the element out a second time.
    #[inline(always)]
    pub(super) unsafe fn take_out(&mut self, handle: Handle<T>) -> T {
        // SAFETY: a slot that was live exists.
        let slot = unsafe { self.store.slot(handle.slot()) };
        // SAFETY: the slot holds an element, which nobody reads a second time (caller).
        let element = unsafe { slot.read() };
        // SAFETY: the element has been taken out.
        unsafe { self.store.leave(handle.slot()) };
        element
    }

    /// Removes every element for which `keep` returns `false`, in the order of memory. O(slots / 64 +
    /// elements).
    ///
    /// # Panics
    ///
    /// If `keep` or a destructor panics. What was removed before stays removed, and the rest stays in place.
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
        let mut cursor = Cursor::new(&self.directory, &self.store);
        while cursor.advance(&self.directory, &self.store) {
            if !cursor.has_bits() {
                for (slot, element) in cursor.pass_run() {
                    // SAFETY: the slot was live when the cursor came to its part, and only it can be discarded here.
                    unsafe { self.retain_one(slot, element, &mut keep) };
                }
            }
            while cursor.has_bits() {
                let (slot, element) = cursor.pass_bit();
                // SAFETY: as above.
                unsafe { self.retain_one(slot, element, &mut keep) };
            }
        }
    }

    /// Shows an element to `keep`, and discards it if that returns `false`.
    ///
    /// # Safety
    ///
    /// The slot is live, and `element` is where it is.
    #[inline(always)]
    unsafe fn retain_one(
        &mut self,
        slot: u32,
        element: *mut T,
        keep: &mut impl FnMut(Handle<T>, &mut T) -> bool,
    ) {
        // It is read for each use, so that where `keep` has none, an element that stays costs no look at the table.
        // SAFETY: passed on from the caller.
        let handle = |roster: &Self| unsafe { handle_to::<T>(roster.directory.words(), slot) };
        // SAFETY: the slot holds an element, which nobody else can reach.
        let shown = unsafe { &mut *element };
        if !keep(handle(self), shown) {
            self.directory.remove(handle(self).raw());
            let _leave = Leave { store: &mut self.store, slot };
            // SAFETY: nothing refers to the element, now that its slot is vacant and `shown` is gone.
            unsafe { ptr::drop_in_place(element) };
        }
    }

    /// Removes every element, in the order of memory. Their handles are stale then.
    ///
    /// Detached elements are with whoever has them, so they are not dropped: their handles and slots are kept until they
    /// return ([`Roster::reattach`]) or are given up ([`Roster::release`], for all that [`Roster::detached`] names).
    ///
    /// O(elements + slots / 64). The memory is kept.
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
}

/// Leaves the slot of an element that is being dropped, once the destructor has returned or panicked.
struct Leave<'a, T> {
    store: &'a mut Store<T>,
    slot: u32,
}

impl<T> Drop for Leave<'_, T> {
    fn drop(&mut self) {
        // SAFETY: the slot was occupied, and its element has been dropped.
        unsafe { self.store.leave(self.slot) };
    }
}

impl<T> Drop for Roster<T> {
    fn drop(&mut self) {
        /// Drops what is left, even if a destructor has panicked.
        struct Rest<'a, T>(&'a mut Roster<T>);

        impl<T> Drop for Rest<'_, T> {
            fn drop(&mut self) {
                self.0.clear();
            }
        }

        // Without a destructor the elements go with their memory, unless somebody wants to know.
        if mem::needs_drop::<T>() || tracy::IS_ON {
            let rest = Rest(self);
            rest.0.clear();
        }
    }
}
