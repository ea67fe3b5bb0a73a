//! The atomics and locks that the shared parts are made of: those of `core` and `std`, and in models those of
//! loom, which tries every order in which threads may see each other's writes.
//!
//! `tests/models.rs` compiles the files of static pools for itself; `tests/loom_frame.rs` uses the crate.

#[cfg(all(any(pool_swap = "core", pool_swap = "section"), not(all(loom, test))))]
pub(crate) use core::sync::atomic;
#[cfg(all(loom, test))]
pub(crate) use loom::sync::atomic;
#[cfg(pool_swap = "portable")]
pub(crate) use portable_atomic as atomic;

#[cfg(all(feature = "std", not(all(loom, test))))]
pub(crate) use locked::{Mutex, UnsafeCell};
#[cfg(all(feature = "std", loom, test))]
pub(crate) use loom::{cell::UnsafeCell, sync::Mutex};

#[cfg(all(feature = "std", not(all(loom, test))))]
mod locked {
    pub(crate) use std::sync::Mutex;

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
}

#[cfg(all(not(loom), target_has_atomic = "ptr"))]
#[allow(unused_imports, reason = "for one of two")]
pub(crate) use core::sync::atomic::{AtomicPtr, AtomicUsize};
#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicPtr, AtomicUsize};

/// Lets others come first: whoever is waited for.
#[inline]
pub(crate) fn spin_loop() {
    #[cfg(all(loom, test))]
    loom::hint::spin_loop();
    #[cfg(not(all(loom, test)))]
    core::hint::spin_loop();
}

/// A `const fn`; under loom, whose atomics are made at run time, a plain one.
macro_rules! const_unless_loom {
    ($(#[$meta:meta])* $visibility:vis const fn $($rest:tt)*) => {
        #[cfg(not(loom))]
        $(#[$meta])*
        $visibility const fn $($rest)*
        #[cfg(loom)]
        $(#[$meta])*
        $visibility fn $($rest)*
    };
}
pub(crate) use const_unless_loom;

/// A `const fn`; in `tests/models.rs`, where loom's atomics are made at run time, a plain one.
macro_rules! const_unless_model {
    ($(#[$meta:meta])* $visibility:vis const fn $($rest:tt)*) => {
        #[cfg(not(all(loom, test)))]
        $(#[$meta])*
        $visibility const fn $($rest)*
        #[cfg(all(loom, test))]
        $(#[$meta])*
        $visibility fn $($rest)*
    };
}
pub(crate) use const_unless_model;

/// An array of as many atomics, each made by the expression.
#[cfg(not(all(loom, test)))]
macro_rules! array_of {
    ($atomic:expr; $len:expr) => {
        [const { $atomic }; $len]
    };
}
/// An array of as many atomics, each made by the expression.
#[cfg(all(loom, test))]
macro_rules! array_of {
    ($atomic:expr; $len:expr) => {
        core::array::from_fn::<_, { $len }, _>(|_| $atomic)
    };
}
pub(crate) use array_of;
