//! Why a pool that is a value, and its boxes, are used by one thread: a message for those who would share them.

use alloc::rc::Rc;

use crate::pointer::boxed::{PoolBox, Vacant};
use crate::pool::typed::TypedPool;
use crate::strategy::Strategy;

/// Implemented for nothing: a bound that says why an owned pool is not `Sync`.
///
/// # Safety
///
/// It must not be implemented.
#[diagnostic::on_unimplemented(
    message = "a `FreeList` or `PointerStack` of `{T}` cannot be shared between threads",
    label = "used by more than one thread",
    note = "give every thread a pool of its own, or put one into a `Mutex`",
    note = "its boxes stay on their thread as well: send the value, `PoolBox::into_inner`"
)]
pub unsafe trait SharedPool<T> {}

/// Never: the bound holds for no type, and says so.
// SAFETY: the bound holds for no type. Without this `impl` the compiler would explain itself with
// every private field.
unsafe impl<T, S> Sync for TypedPool<T, S> where (): SharedPool<T> {}

macro_rules! stays {
    ($($Pointer:ident<$Pool:ty>: $Leaves:ident)*) => {$(
        /// Never: the pool cannot be used by another thread, and says so.
        // SAFETY: the bound holds for no type.
        unsafe impl<T, S: Strategy> $Leaves for $Pointer<T, $Pool> where (): SharedPool<T> {}
    )*};
}

stays! {
    PoolBox<&TypedPool<T, S>>: Send PoolBox<&TypedPool<T, S>>: Sync
    Vacant<&TypedPool<T, S>>: Send Vacant<&TypedPool<T, S>>: Sync
    PoolBox<Rc<TypedPool<T, S>>>: Send PoolBox<Rc<TypedPool<T, S>>>: Sync
    Vacant<Rc<TypedPool<T, S>>>: Send Vacant<Rc<TypedPool<T, S>>>: Sync
}
