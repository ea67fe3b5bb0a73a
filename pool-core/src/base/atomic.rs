//! The one door to atomics and locks: `core`'s and `std`'s; in models loom's, which tries every order in which
//! threads may see each other's writes; and substitutes for a target without compare-and-swap.
//!
//! loom's are made at run time and so cannot lie in statics. Therefore `tests/models.rs` and `tests/loom_frame.rs`
//! compile the files that they check for themselves; a program that is built with `--cfg loom` for models of its own
//! has `core`'s here.

#![allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "for parts of the crate that a build may lack"
)]

pub(crate) mod swap;

#[cfg(not(all(loom, test)))]
mod found {
    pub(crate) use core::hint::spin_loop;
    pub(crate) use core::sync::atomic;
    #[cfg(feature = "std")]
    pub(crate) use std::sync;

    /// Whether loom is at work.
    pub(crate) const IS_MODEL: bool = false;

    /// A cell behind a lock: in a model, loom watches that the lock is held.
    pub(crate) struct UnsafeCell<T>(core::cell::UnsafeCell<T>);

    impl<T> UnsafeCell<T> {
        pub(crate) const fn new(value: T) -> Self {
            Self(core::cell::UnsafeCell::new(value))
        }

        #[inline]
        pub(crate) fn get_mut(&self) -> MutPtr<T> {
            MutPtr(self.0.get())
        }
    }

    /// Leads to what is in an [`UnsafeCell`]: in a model, it panics where another does so at the same time.
    pub(crate) struct MutPtr<T>(*mut T);

    impl<T> MutPtr<T> {
        /// # Safety
        ///
        /// The cell is there, and nothing has a mutable reference to its content.
        #[inline]
        pub(crate) unsafe fn deref(&self) -> &T {
            // SAFETY: as the caller has it.
            unsafe { &*self.0 }
        }
    }

    /// An array with the value in each place.
    macro_rules! array_of {
        ($value:expr; $len:expr) => {
            [const { $value }; $len]
        };
    }

    /// A `const fn`; in models, whose atomics are made at run time, a plain one.
    macro_rules! const_unless_model {
        ($($function:tt)*) => { $($function)* };
    }

    pub(crate) use {array_of, const_unless_model};
}

#[cfg(all(loom, test))]
mod found {
    pub(crate) use loom::cell::{MutPtr, UnsafeCell};
    pub(crate) use loom::hint::spin_loop;
    pub(crate) use loom::sync::{self, atomic};

    pub(crate) const IS_MODEL: bool = true;

    macro_rules! array_of {
        ($value:expr; $len:expr) => {
            core::array::from_fn(|_| $value)
        };
    }

    macro_rules! const_unless_model {
        ($(#[$meta:meta])* $visibility:vis const fn $($rest:tt)*) => {
            $(#[$meta])* $visibility fn $($rest)*
        };
    }

    pub(crate) use {array_of, const_unless_model};
}

pub(crate) use found::atomic::{AtomicPtr, AtomicUsize};
pub(crate) use found::{IS_MODEL, MutPtr, UnsafeCell, atomic, spin_loop};
pub(crate) use found::{array_of, const_unless_model};
#[cfg(feature = "std")]
pub(crate) use locks::{Condvar, Mutex, MutexGuard, lock, nap};

#[cfg(feature = "std")]
mod locks {
    use core::time::Duration;
    use std::sync::PoisonError;

    pub(crate) use crate::base::atomic::found::sync::{Condvar, Mutex, MutexGuard};

    /// Takes a lock, whether or not a thread has panicked while it held it: the state behind these locks is in order whenever anything can
    /// panic.
    pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps until woken, a millisecond at most. (In a model, until woken.)
    #[inline]
    pub(crate) fn nap<'a>(woken: &Condvar, lock: MutexGuard<'a, ()>) -> MutexGuard<'a, ()> {
        let woken = woken.wait_timeout(lock, Duration::from_millis(1));
        woken.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// In a model, a fence between a store and a load, in two threads that each load what the other stores, so that one of them sees the
/// other's store. The machine needs none: `SeqCst` exchanges do the same, which loom does not know, or a thread that was missed looks
/// again.
#[inline(always)]
pub(crate) fn fence_in_models() {
    if IS_MODEL {
        atomic::fence(atomic::Ordering::SeqCst);
    }
}
