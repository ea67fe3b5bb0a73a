//! The atomics of frame stacks and counting allocators in models: loom's, which are made at run time.

pub(crate) use loom::sync::atomic::{AtomicPtr, AtomicUsize};

/// The type of an associated constant with an atomic in it: a function that makes one.
pub(crate) type Constant<T> = fn() -> T;

/// The value of a [`Constant`], and the way to it.
macro_rules! constant {
    (= $value:expr) => {
        || $value
    };
    ($constant:expr) => {
        ($constant)()
    };
}
pub(crate) use constant;

/// A `const fn`; here a plain one.
macro_rules! const_unless_loom {
    ($(#[$meta:meta])* $visibility:vis const fn $($rest:tt)*) => {
        $(#[$meta])* $visibility fn $($rest)*
    };
}
pub(crate) use const_unless_loom;
