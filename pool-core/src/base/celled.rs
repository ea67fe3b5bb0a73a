//! A value with cells in it, as the compiler sees at once.

use core::cell::UnsafeCell;
use core::fmt;
use core::ops::Deref;

/// A value with cells in it.
///
/// The compiler asks of every constant and static whether it has cells: it goes through the fields of its type, and through
/// theirs, until it meets an `UnsafeCell`. Each derived type has such constants of its own, so to meet one early saves a
/// twentieth of what a derive costs to compile (`docs/decisions/derive-cost.md`).
#[repr(transparent)]
pub(crate) struct Celled<T>(UnsafeCell<T>);

// SAFETY: it lends its value as `&T` lends it, and in no other way.
unsafe impl<T: Sync> Sync for Celled<T> {}

impl<T> Celled<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }
}

impl<T> Deref for Celled<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: nothing has a mutable reference to the value, since nothing else here looks into the cell.
        unsafe { &*self.0.get() }
    }
}

impl<T: fmt::Debug> fmt::Debug for Celled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
