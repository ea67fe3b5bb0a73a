//! The atomics and locks of pools.

pub(crate) use core::hint::spin_loop;
pub(crate) use core::sync::atomic;
#[cfg(feature = "std")]
pub(crate) use std::sync::{Mutex, MutexGuard};

/// Whether loom is at work.
pub(crate) const IS_MODEL: bool = false;

/// A cell that is behind a lock, in which loom watches that it is.
pub(crate) struct UnsafeCell<T>(core::cell::UnsafeCell<T>);

impl<T> UnsafeCell<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(core::cell::UnsafeCell::new(value))
    }

    #[inline]
    pub(crate) fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        f(self.0.get())
    }
}

/// An array with the value in each place.
macro_rules! array_of {
    ($value:expr; $len:expr) => {
        [const { $value }; $len]
    };
}
pub(crate) use array_of;

/// A `const fn`; in models, whose atomics are made at run time, a plain one.
macro_rules! const_unless_model {
    ($($function:tt)*) => { $($function)* };
}
pub(crate) use const_unless_model;
