//! The state of a frame stack: cells, or, for threads that share it, atomics (`shared.rs`).

use core::cell::Cell;
use core::ptr;
use core::sync::atomic::Ordering;

use crate::base::atomic::{Constant, constant};

/// How many threads may use a frame stack at a time: implemented by [`Shared`](super::Shared) and [`Local`] only.
pub trait Sharing: cells::Cells {}

/// One thread: what makes [`LocalFrameStack`](super::LocalFrameStack) of
/// [`Frames`](super::Frames).
#[derive(Debug)]
pub struct Local;

impl Sharing for Local {}

impl cells::Cells for Local {
    const STACK: &'static str = "LocalFrameStack";
    type Number = Cell<usize>;
    type Pointer<T> = Cell<*mut T>;
}

/// Out of reach, so that no other type implements [`Sharing`].
#[allow(unnameable_types, reason = "sealed")]
pub(super) mod cells {
    use core::sync::atomic::Ordering;

    use crate::base::atomic::Constant;

    pub trait Cells: 'static {
        /// What the stack is called where pools are listed.
        const STACK: &'static str;
        type Number: NumberCell;
        type Pointer<T>: PointerCell<T>;
    }

    /// A `usize` that is changed by compare and exchange.
    pub trait NumberCell: Sized {
        const ZERO: Constant<Self>;
        /// Relaxed: what is read is only ever an argument of `exchange`, or a figure.
        fn get(&self) -> usize;
        /// Relaxed.
        fn set(&self, value: usize);
        /// Replaces `seen` by `new`. If the value is another, or for no reason at all, returns the value instead.
        fn exchange(&self, seen: usize, new: usize, order: Ordering) -> Result<(), usize>;
    }

    /// A pointer to a `T` that others may publish.
    pub trait PointerCell<T>: Sized {
        const NULL: Constant<Self>;
        /// Acquires what the writer of the pointer released.
        fn get(&self) -> *mut T;
        fn set(&self, value: *mut T);
        /// Replaces `seen` by `new` and publishes what that points to; `false` if the value is another.
        fn exchange(&self, seen: *mut T, new: *mut T) -> bool;
    }
}

impl cells::NumberCell for Cell<usize> {
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    const ZERO: Constant<Self> = constant!(= Self::new(0));

    #[inline(always)]
    fn get(&self) -> usize {
        self.get()
    }

    #[inline(always)]
    fn set(&self, value: usize) {
        self.set(value);
    }

    /// No other thread could have changed it.
    #[inline(always)]
    fn exchange(&self, _: usize, new: usize, _: Ordering) -> Result<(), usize> {
        self.set(new);
        Ok(())
    }
}

impl<T> cells::PointerCell<T> for Cell<*mut T> {
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    const NULL: Constant<Self> = constant!(= Self::new(ptr::null_mut()));

    #[inline(always)]
    fn get(&self) -> *mut T {
        self.get()
    }

    fn set(&self, value: *mut T) {
        self.set(value);
    }

    /// Compares: the heap may itself use this stack, and have changed it meanwhile.
    fn exchange(&self, seen: *mut T, new: *mut T) -> bool {
        let is_same = self.get() == seen;
        if is_same {
            self.set(new);
        }
        is_same
    }
}
