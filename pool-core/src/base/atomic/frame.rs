//! The atomics of frame stacks and counting allocators.

#[cfg(target_has_atomic = "ptr")]
pub(crate) use core::sync::atomic::{AtomicPtr, AtomicUsize};

/// The type of an associated constant with an atomic in it: the value.
pub(crate) type Constant<T> = T;

/// The value of a [`Constant`], and the way to it.
macro_rules! constant {
    (= $value:expr) => {
        $value
    };
    ($constant:expr) => {
        $constant
    };
}
pub(crate) use constant;

/// A `const fn`; under loom, whose atomics are made at run time, a plain one.
macro_rules! const_unless_loom {
    ($($function:tt)*) => { $($function)* };
}
pub(crate) use const_unless_loom;
