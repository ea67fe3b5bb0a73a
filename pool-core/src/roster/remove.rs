//! The end of elements: one, some, all.

use core::mem;
use core::ptr;

use super::iter::{Drain, Part, handle};
use super::store::prefetch;
use super::{Roster, Store};
use crate::base::handle::Handle;

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
    #[inline(always)]
    pub fn remove(&mut self, handle: Handle<T>) -> Option<T> {
        if !self.directory.remove((handle.slot(), handle.word())) {
            return None;
        }
        // SAFETY: a slot that was live exists.
        let slot = unsafe { self.store.slot(handle.slot()) };
        // SAFETY: the slot was live until now, and nobody reads the element a second time.
        let element = unsafe { slot.read() };
        // SAFETY: the element has been taken out.
        unsafe { self.store.leave(handle.slot()) };
        Some(element)
    }

    /// Removes the element, and drops it where it is.
    ///
    /// # Safety
    ///
    /// The slot is live, `element` is where it is, and nobody refers to the element.
    #[inline]
    unsafe fn discard(&mut self, handle: Handle<T>, element: *mut T) {
        self.directory.remove((handle.slot(), handle.word()));
        let _leave = Leave { store: &mut self.store, slot: handle.slot() };
        // SAFETY: nobody looks at the element any more, now that its slot is vacant.
        unsafe { ptr::drop_in_place(element) };
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
        let mut first = 0;
        while first < self.capacity() {
            let mut part = Part::at(first, &self.directory, &self.store);
            first += Part::<T>::SLOTS;
            if part.bits == Part::<T>::FULL {
                for bit in 0..Part::<T>::SLOTS as u32 {
                    let element = part.base.wrapping_add(bit as usize);
                    prefetch(element.wrapping_add(Part::<T>::SLOTS));
                    // SAFETY: the slot was live when the part was looked at, and only it can be
                    // discarded here.
                    unsafe { self.retain_one(part.first + bit, element, &mut keep) };
                }
                continue;
            }
            while part.bits != 0 {
                let bit = part.bits.trailing_zeros();
                part.bits &= part.bits - 1;
                let element = part.base.wrapping_add(bit as usize);
                // SAFETY: as above.
                unsafe { self.retain_one(part.first + bit, element, &mut keep) };
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
        // SAFETY: passed on from the caller.
        let handle = unsafe { handle(self.directory.words(), slot) };
        // SAFETY: the slot holds an element, which nobody else can reach.
        let shown = unsafe { &mut *element };
        if !keep(handle, shown) {
            // SAFETY: the reference is gone.
            unsafe { self.discard(handle, element) };
        }
    }

    /// Removes every element, in the order of memory. Their handles are stale then; detached elements keep theirs.
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

    /// Takes out the first element at or after the slot `first`, which is brought behind it: who goes on from
    /// there, while others insert, comes to an end.
    pub(crate) fn pop_first_from(&mut self, first: &mut usize) -> Option<(Handle<T>, T)> {
        while *first < self.capacity() {
            let part = Part::<T>::at(*first, &self.directory, &self.store);
            if part.bits != 0 {
                let slot = part.first + part.bits.trailing_zeros();
                *first = slot as usize + 1;
                // SAFETY: the bit says that the slot holds an element.
                let handle = unsafe { handle(self.directory.words(), slot) };
                return self.remove(handle).map(|element| (handle, element));
            }
            *first = (*first / Part::<T>::SLOTS + 1) * Part::<T>::SLOTS;
        }
        None
    }
}

/// Leaves the slot, of an element that is being dropped, as soon as the destructor has returned or
/// panicked.
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
