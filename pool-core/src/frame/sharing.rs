//! The state of a frame stack: cells, or, for threads that share it, atomics ([`shared`]).

use core::cell::Cell;
use core::ptr;
use core::sync::atomic::Ordering;

use crate::base::atomic::{Constant, constant};
use crate::base::sealed::Sealed;

/// How many threads may use a frame stack at a time: implemented by [`Shared`](super::Shared) and [`Local`] only.
pub trait Sharing: Sealed + 'static {
    /// What the stack is called where pools are listed.
    #[doc(hidden)]
    const STACK: &'static str;
    /// Relaxed: what is read is only ever an argument of `exchange`, or a figure.
    #[doc(hidden)]
    type Number: StateCell<usize>;
    /// Acquires what the writer of the pointer released.
    #[doc(hidden)]
    type Pointer<T>: StateCell<*mut T>;
}

/// A value that is changed by compare and exchange.
#[doc(hidden)]
#[allow(unnameable_types, reason = "for this crate alone")]
pub trait StateCell<V>: Sized {
    /// With zero in it, or null.
    const EMPTY: Constant<Self>;
    fn get(&self) -> V;
    fn set(&self, value: V);
    /// Replaces `seen` by `new`, in this order (a pointer also publishes what it points to). If the value is another, or, of a
    /// number, for no reason at all, returns the value instead.
    fn exchange(&self, seen: V, new: V, order: Ordering) -> Result<(), V>;
}

/// One thread: what makes [`LocalFrameStack`](super::LocalFrameStack) of
/// [`Frames`](super::Frames).
#[derive(Debug)]
pub struct Local;

impl Sealed for Local {}

impl Sharing for Local {
    const STACK: &'static str = "LocalFrameStack";
    type Number = Cell<usize>;
    type Pointer<T> = Cell<*mut T>;
}

macro_rules! cell {
    ([$($T:ident)?] $Value:ty, $empty:expr, $compares:literal) => {
        impl$(<$T>)? StateCell<$Value> for Cell<$Value> {
            #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
            const EMPTY: Constant<Self> = constant!(= Self::new($empty));

            #[inline(always)]
            fn get(&self) -> $Value {
                self.get()
            }

            #[inline(always)]
            fn set(&self, value: $Value) {
                self.set(value);
            }

            #[inline(always)]
            fn exchange(&self, seen: $Value, new: $Value, _: Ordering) -> Result<(), $Value> {
                let found = self.get();
                if $compares && found != seen {
                    return Err(found);
                }
                self.set(new);
                Ok(())
            }
        }
    };
}
// Nothing could have changed it.
cell!([] usize, 0, false);
// The heap may itself use this stack, and have changed it meanwhile.
cell!([T] *mut T, ptr::null_mut(), true);

#[cfg(target_has_atomic = "ptr")]
pub(super) mod shared {
    //! State that is atomic.

    use core::ptr;
    use core::sync::atomic::Ordering;

    use crate::base::atomic::{AtomicPtr, AtomicUsize, Constant, constant};
    use crate::base::sealed::Sealed;
    use crate::frame::sharing::{Sharing, StateCell};

    /// Any number of threads: what makes [`FrameStack`](crate::FrameStack) of
    /// [`Frames`](crate::frame::Frames). Absent on targets without an atomic compare-and-swap.
    #[derive(Debug)]
    pub struct Shared;

    impl Sealed for Shared {}

    impl Sharing for Shared {
        const STACK: &'static str = "FrameStack";
        type Number = AtomicUsize;
        type Pointer<T> = AtomicPtr<T>;
    }

    impl StateCell<usize> for AtomicUsize {
        #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
        const EMPTY: Constant<Self> = constant!(= Self::new(0));

        #[inline(always)]
        fn get(&self) -> usize {
            self.load(Ordering::Relaxed)
        }

        #[inline(always)]
        fn set(&self, value: usize) {
            self.store(value, Ordering::Relaxed);
        }

        #[inline(always)]
        fn exchange(&self, seen: usize, new: usize, order: Ordering) -> Result<(), usize> {
            self.compare_exchange_weak(seen, new, order, Ordering::Relaxed).map(|_| ())
        }
    }

    impl<T> StateCell<*mut T> for AtomicPtr<T> {
        #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
        const EMPTY: Constant<Self> = constant!(= Self::new(ptr::null_mut()));

        #[inline(always)]
        fn get(&self) -> *mut T {
            self.load(Ordering::Acquire)
        }

        fn set(&self, value: *mut T) {
            self.store(value, Ordering::Release);
        }

        fn exchange(&self, seen: *mut T, new: *mut T, order: Ordering) -> Result<(), *mut T> {
            self.compare_exchange(seen, new, order, Ordering::Relaxed).map(|_| ())
        }
    }
}
