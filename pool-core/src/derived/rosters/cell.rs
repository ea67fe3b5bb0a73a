//! A thread's roster, and who has it: a `RefCell` whose uses can be ended without a pointer to it.
//!
//! A guard of [`Pooled::pool_borrow`](crate::Pooled::pool_borrow) can be leaked, and `&'static Roster<T>` be taken from
//! it, which other threads may have. So a guard must not refer to a thread-local, which ends with its thread: it has the
//! roster itself, or a copy to read from. A roster is a few pointers, lengths and numbers, and all else is on the heap.

use core::cell::{Cell, UnsafeCell};
use core::mem::{self, ManuallyDrop};
use core::ops::{Deref, DerefMut};
use core::ptr;

use crate::base::config::Config;
use crate::derived::rosters::unique;
use crate::roster::Roster;

/// In the place of uses: one has taken the roster out.
const TAKEN_OUT: isize = -2;

#[derive(Debug)]
pub(super) struct RosterCell<T> {
    /// How many uses read; or -1 if one writes, or [`TAKEN_OUT`].
    uses: Cell<isize>,
    /// Tells this cell from those of other threads; 0 until it is needed.
    number: Cell<usize>,
    /// Without a destructor, or the thread-local would have one.
    roster: UnsafeCell<ManuallyDrop<Roster<T>>>,
}

impl<T> RosterCell<T> {
    pub(super) const fn new(config: Config) -> Self {
        let roster = ManuallyDrop::new(Roster::with_config(config));
        Self { uses: Cell::new(0), number: Cell::new(0), roster: UnsafeCell::new(roster) }
    }

    /// `None` if a use writes.
    #[inline]
    pub(super) fn try_borrow(&self) -> Option<Reading<'_, T>> {
        let uses = self.uses.get();
        if uses < 0 {
            return None;
        }
        self.uses.set(uses + 1);
        Some(Reading(self))
    }

    /// `None` if there is another use.
    #[inline]
    pub(super) fn try_borrow_mut(&self) -> Option<Writing<'_, T>> {
        if self.uses.get() != 0 {
            return None;
        }
        self.uses.set(-1);
        Some(Writing(self))
    }

    /// The roster's thread ends. If a guard has the roster, perhaps for ever, its account says so, whose number has stayed here.
    pub(super) fn leave_behind(&self) {
        if self.uses.get() == TAKEN_OUT {
            // SAFETY: nothing refers to what stays behind, or writes to it, before the use ends. A number is good to read twice.
            unsafe { &*self.roster.get() }.leave_account_behind();
        }
    }

    fn number(&self) -> usize {
        if self.number.get() == 0 {
            self.number.set(unique());
        }
        self.number.get()
    }
}

/// Reads the roster until it is dropped.
pub(super) struct Reading<'a, T>(&'a RosterCell<T>);

impl<T> Reading<'_, T> {
    /// Reads until [`CopyToRead::end`].
    pub(super) fn into_copy(self) -> CopyToRead<T> {
        let number = self.0.number();
        // SAFETY: it is read only, as is the original while this use lasts, and it has no destructor. What changes behind
        // a shared reference to a roster is on the heap.
        let roster = unsafe { ptr::read(self.0.roster.get()) };
        mem::forget(self);
        CopyToRead { roster, number }
    }
}

impl<T> Deref for Reading<'_, T> {
    type Target = Roster<T>;

    #[inline]
    fn deref(&self) -> &Roster<T> {
        // SAFETY: nothing writes while this use is counted.
        unsafe { &*self.0.roster.get() }
    }
}

impl<T> Drop for Reading<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.0.uses.set(self.0.uses.get() - 1);
    }
}

/// Has the roster alone until it is dropped.
pub(super) struct Writing<'a, T>(&'a RosterCell<T>);

impl<T> Writing<'_, T> {
    /// Takes the roster out, until [`TakenOut::end`].
    pub(super) fn take_out(self) -> TakenOut<T> {
        let number = self.0.number();
        // SAFETY: while this use lasts, a number is all that is read of what stays behind (`leave_behind`); then it is overwritten.
        let roster = unsafe { ptr::read(self.0.roster.get()) };
        self.0.uses.set(TAKEN_OUT);
        mem::forget(self);
        TakenOut { roster, number }
    }
}

impl<T> Deref for Writing<'_, T> {
    type Target = Roster<T>;

    #[inline]
    fn deref(&self) -> &Roster<T> {
        // SAFETY: this is the only use.
        unsafe { &*self.0.roster.get() }
    }
}

impl<T> DerefMut for Writing<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Roster<T> {
        // SAFETY: this is the only use.
        unsafe { &mut *self.0.roster.get() }
    }
}

impl<T> Drop for Writing<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.0.uses.set(0);
    }
}

/// A copy of a roster that is lent to be read. It is lent until [`CopyToRead::end`].
pub(super) struct CopyToRead<T> {
    pub(super) roster: ManuallyDrop<Roster<T>>,
    /// The number of the cell.
    number: usize,
}

impl<T> CopyToRead<T> {
    /// The use, which ends when what is returned is dropped. `None` if this is another cell: the thread is another, or its
    /// thread-locals have been destroyed. Then the roster stays lent.
    ///
    /// # Safety
    ///
    /// The copy is not used afterwards.
    pub(super) unsafe fn end<'a>(&mut self, cell: &'a RosterCell<T>) -> Option<Reading<'a, T>> {
        (cell.number.get() == self.number).then(|| Reading(cell))
    }
}

/// A roster that has been taken out of its cell, which has none until [`TakenOut::end`].
pub(super) struct TakenOut<T> {
    pub(super) roster: ManuallyDrop<Roster<T>>,
    /// The number of the cell.
    number: usize,
}

impl<T> TakenOut<T> {
    /// Puts the roster back; then as [`CopyToRead::end`].
    ///
    /// # Safety
    ///
    /// It is not used here afterwards.
    pub(super) unsafe fn end<'a>(&mut self, cell: &'a RosterCell<T>) -> Option<Writing<'a, T>> {
        if cell.number.get() != self.number {
            return None;
        }
        // SAFETY: from here on only the cell uses it (caller). What was there has been taken out.
        unsafe { ptr::copy_nonoverlapping(&self.roster, cell.roster.get(), 1) };
        Some(Writing(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A guard on a coroutine's stack may come to another thread, or to one whose thread-locals were made anew.
    #[test]
    fn what_is_lent_goes_back_to_its_own_cell_only() {
        let [cell, other] = [(); 2].map(|()| RosterCell::new(Config::new()));
        let handle = cell.try_borrow_mut().expect("nobody has it").insert(1);
        let mut read = cell.try_borrow().expect("nobody writes").into_copy();
        assert_eq!(read.roster.get(handle), Some(&1));
        // SAFETY: nothing ends.
        assert!(unsafe { read.end(&other) }.is_none());
        assert!(cell.try_borrow_mut().is_none() && cell.try_borrow().is_some());
        // SAFETY: it is not used afterwards.
        drop(unsafe { read.end(&cell) });

        let mut taken = cell.try_borrow_mut().expect("nobody has it").take_out();
        taken.roster.insert(2);
        other.number();
        // SAFETY: nothing ends.
        assert!(unsafe { taken.end(&other) }.is_none());
        assert!(cell.try_borrow().is_none());
        assert!(other.try_borrow_mut().expect("nobody has it").is_empty());
        // SAFETY: it is not used afterwards.
        drop(unsafe { taken.end(&cell) });
        let mut roster = cell.try_borrow_mut().expect("nobody has it");
        assert_eq!((roster.len(), roster.get(handle)), (2, Some(&1)));
        drop(mem::take(&mut *roster));
    }
}
