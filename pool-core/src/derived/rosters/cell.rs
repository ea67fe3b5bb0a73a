//! A thread's roster, and who has it: a `RefCell` whose uses can be ended without a pointer to it.
//!
//! A guard of [`Pooled::pool_borrow`](crate::Pooled::pool_borrow) can be leaked, and then gives out a
//! `&'static Roster<T>`, which other threads may have. So a guard must not refer to a thread-local, which ends with its
//! thread: it has the roster itself, or a copy to read from. A roster is a few pointers, lengths and numbers, and all
//! else is on the heap.

use core::cell::{Cell, UnsafeCell};
use core::mem::{self, ManuallyDrop};
use core::ops::{Deref, DerefMut};
use core::ptr;

use crate::base::atomic::swap::new_number;
use crate::base::config::Config;
use crate::roster::Roster;

#[cfg(test)]
mod tests;

#[derive(Debug)]
pub(super) struct RosterCell<T> {
    /// How many uses read; or -1 if one writes, or has taken the roster out.
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

    /// Begins a use, to read or `ALONE`; `None` if another is in the way.
    #[inline]
    pub(super) fn borrow<const ALONE: bool>(&self) -> Option<Borrowed<'_, T, ALONE>> {
        let uses = self.uses.get();
        if uses < 0 || (ALONE && uses != 0) {
            return None;
        }
        self.uses.set(if ALONE { -1 } else { uses + 1 });
        Some(Borrowed(self))
    }

    /// Lends the roster without a pointer to this cell; `None` if another use is in the way.
    pub(super) fn lend<const ALONE: bool>(&self) -> Option<Lent<T, ALONE>> {
        mem::forget(self.borrow::<ALONE>()?);
        // SAFETY: if not `ALONE`, copy and original are only read while the roster is lent, and nothing changes behind a
        // shared reference to a roster. If `ALONE`, the original is not read until it is overwritten. Neither has a
        // destructor.
        let roster = unsafe { ptr::read(self.roster.get()) };
        if self.number.get() == 0 {
            self.number.set(new_number());
        }
        Some(Lent { roster, number: self.number.get() })
    }
}

/// A use of the roster, to read or `ALONE`, until it is dropped.
pub(super) struct Borrowed<'a, T, const ALONE: bool>(&'a RosterCell<T>);

impl<T, const ALONE: bool> Deref for Borrowed<'_, T, ALONE> {
    type Target = Roster<T>;

    #[inline]
    fn deref(&self) -> &Roster<T> {
        // SAFETY: nothing else writes while this use is counted.
        unsafe { &*self.0.roster.get() }
    }
}

impl<T> DerefMut for Borrowed<'_, T, true> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Roster<T> {
        // SAFETY: this is the only use.
        unsafe { &mut *self.0.roster.get() }
    }
}

impl<T, const ALONE: bool> Drop for Borrowed<'_, T, ALONE> {
    #[inline]
    fn drop(&mut self) {
        self.0.uses.set(if ALONE { 0 } else { self.0.uses.get() - 1 });
    }
}

/// A roster that is lent without a pointer to its cell, until [`Lent::end`]: a copy to read from, or `ALONE`, which has been taken
/// out.
pub(super) struct Lent<T, const ALONE: bool> {
    pub(super) roster: ManuallyDrop<Roster<T>>,
    /// The number of the cell.
    number: usize,
}

impl<T, const ALONE: bool> Lent<T, ALONE> {
    /// No cell's.
    pub(super) const NONE: Self =
        Self { roster: ManuallyDrop::new(Roster::with_config(Config::new())), number: 0 };

    /// Ends the use. Returns it if this is another cell, since the thread is another, or its thread-locals were made anew: then the
    /// roster stays lent.
    pub(super) fn end(self, cell: &RosterCell<T>) -> Option<Self> {
        if self.number == 0 || self.number != cell.number.get() {
            return Some(self);
        }
        if ALONE {
            // SAFETY: no use is under way but this one, which is over. What was there has been taken out.
            unsafe { cell.roster.get().write(self.roster) };
        }
        drop(Borrowed::<T, ALONE>(cell));
        None
    }
}
