//! [`Opaque`]: a value that the compiler does not look into. [`Resident`]: the contents of a thread-local without a destructor.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::ops::Deref;

/// A value that is never dropped, and that the compiler does not look into when it evaluates a constant or a static.
///
/// The compiler would go through all fields of the value, and through theirs: once to see whether there are cells (it stops
/// at an `UnsafeCell`), and once to see whether each is valid (it stops at a `MaybeUninit`). Each derived type has constants
/// of its own, so both are a large part of what a derive costs to compile (`docs/decisions/derive.md`).
#[repr(transparent)]
pub(crate) struct Opaque<T>(UnsafeCell<MaybeUninit<T>>);

// SAFETY: it lends its value as `&T` lends it, and in no other way.
unsafe impl<T: Sync> Sync for Opaque<T> {}

impl<T> Opaque<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(UnsafeCell::new(MaybeUninit::new(value)))
    }
}

impl<T> Deref for Opaque<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: it was initialised by `new`, and nothing has a mutable reference to it, since nothing else here looks into the cell.
        unsafe { &*self.0.get().cast::<T>() }
    }
}

/// The contents of a thread-local, without a destructor.
pub(crate) trait Resident {
    /// Whether nothing is lost if the thread has a new one from now on: it owns nothing, and nothing outside refers to it.
    #[cfg_attr(pool_native_tls, allow(dead_code, reason = "there it is never destroyed"))]
    fn is_reclaimable(&self) -> bool;
}

impl<T: Resident, const N: usize> Resident for [T; N] {
    fn is_reclaimable(&self) -> bool {
        self.iter().all(T::is_reclaimable)
    }
}
