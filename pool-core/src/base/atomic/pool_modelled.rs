//! The atomics and locks of pools in models: loom's, which are made at run time.

pub(crate) use loom::cell::UnsafeCell;
pub(crate) use loom::hint::spin_loop;
pub(crate) use loom::sync::{Mutex, MutexGuard, atomic};

/// Whether loom is at work.
pub(crate) const IS_MODEL: bool = true;

/// An array with the value in each place.
macro_rules! array_of {
    ($value:expr; $len:expr) => {
        core::array::from_fn(|_| $value)
    };
}
pub(crate) use array_of;

/// A `const fn`; here a plain one.
macro_rules! const_unless_model {
    ($(#[$meta:meta])* $visibility:vis const fn $($rest:tt)*) => {
        $(#[$meta])* $visibility fn $($rest)*
    };
}
pub(crate) use const_unless_model;
