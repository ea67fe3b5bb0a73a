//! Why a pool that is a value, and its boxes, are used by one thread: messages for those who would share them.

use alloc::rc::Rc;

use crate::pointer::boxed::{PoolBox, Vacant};
use crate::pool::typed::{FreeList, PointerStack};

/// Implemented for nothing: a bound that says why a `FreeList` is not `Sync`.
///
/// # Safety
///
/// It must not be implemented.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a `FreeList<{T}>` cannot be shared between threads",
    label = "used by more than one thread",
    note = "give every thread a pool of its own, or put one into a `Mutex`",
    note = "its boxes stay on their thread as well: send the value, `PoolBox::into_inner`"
)]
#[allow(unnameable_types, reason = "it is there for its message")]
pub unsafe trait SharedFreeList<T> {}

/// Implemented for nothing: a bound that says why a `PointerStack` is not `Sync`.
///
/// # Safety
///
/// It must not be implemented.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a `PointerStack<{T}>` cannot be shared between threads",
    label = "used by more than one thread",
    note = "give every thread a pool of its own, or put one into a `Mutex`",
    note = "its boxes stay on their thread as well: send the value, `PoolBox::into_inner`"
)]
#[allow(unnameable_types, reason = "it is there for its message")]
pub unsafe trait SharedPointerStack<T> {}

/// Never: the bound holds for no type, and says so.
// SAFETY: the bound holds for no type. Without this `impl` the compiler would explain itself with
// every private field.
unsafe impl<T> Sync for FreeList<T> where (): SharedFreeList<T> {}
/// Never: the bound holds for no type, and says so.
// SAFETY: the bound holds for no type.
unsafe impl<T> Sync for PointerStack<T> where (): SharedPointerStack<T> {}
/// Never: the pool cannot be used by another thread, and says so.
// SAFETY: the bound holds for no type.
unsafe impl<T> Send for PoolBox<T, &FreeList<T>> where (): SharedFreeList<T> {}
/// Never: the pool cannot be used by another thread, and says so.
// SAFETY: the bound holds for no type.
unsafe impl<T> Send for PoolBox<T, &PointerStack<T>> where (): SharedPointerStack<T> {}
/// Never: the pool cannot be used by another thread, and says so.
// SAFETY: the bound holds for no type.
unsafe impl<T> Send for Vacant<T, &FreeList<T>> where (): SharedFreeList<T> {}
/// Never: the pool cannot be used by another thread, and says so.
// SAFETY: the bound holds for no type.
unsafe impl<T> Send for Vacant<T, &PointerStack<T>> where (): SharedPointerStack<T> {}
/// Never: the pool cannot be used by another thread, and says so.
// SAFETY: the bound holds for no type.
unsafe impl<T> Send for PoolBox<T, Rc<FreeList<T>>> where (): SharedFreeList<T> {}
/// Never: the pool cannot be used by another thread, and says so.
// SAFETY: the bound holds for no type.
unsafe impl<T> Send for PoolBox<T, Rc<PointerStack<T>>> where (): SharedPointerStack<T> {}
/// Never: the pool cannot be used by another thread, and says so.
// SAFETY: the bound holds for no type.
unsafe impl<T> Send for Vacant<T, Rc<FreeList<T>>> where (): SharedFreeList<T> {}
/// Never: the pool cannot be used by another thread, and says so.
// SAFETY: the bound holds for no type.
unsafe impl<T> Send for Vacant<T, Rc<PointerStack<T>>> where (): SharedPointerStack<T> {}
