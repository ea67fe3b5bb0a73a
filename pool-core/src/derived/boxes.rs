//! `PoolBox` and `Vacant` of a type's own pool: [`Global`] as a pool, and when they may be sent.

use core::ptr::NonNull;

use crate::base::exhausted::Exhausted;
use crate::derived::pooled::Pooled;
use crate::derived::storage::{BoxStorage, SharedStorage};
use crate::pointer::boxed::PoolBox;
use crate::pointer::boxed::Vacant;
use crate::pointer::pool::{Global, Pool};

// SAFETY: what `T::__POOL` promises; it is a constant, so it is one and the same pool.
unsafe impl<T: Pooled> Pool<T> for Global {
    type WayBack = ();

    fn way(&self) {}

    unsafe fn way_back(&self, _: NonNull<T>) {}

    #[inline(always)]
    fn acquire(&self) -> Option<NonNull<T>> {
        T::__POOL.acquire()
    }

    fn verify(&self, slot: NonNull<T>, (): ()) {
        T::__POOL.verify(slot);
    }

    #[inline(always)]
    unsafe fn release(&self, slot: NonNull<T>, (): ()) {
        // SAFETY: passed on from the caller.
        unsafe { T::__POOL.release(slot) };
    }

    fn exhausted(&self) -> Exhausted {
        T::__POOL.exhausted()
    }
}

/// The pool of `Self` is [`SharedStorage`].
///
/// A trait of the element, so that where it is missing the compiler names that, and not the storage.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a `PoolBox<{Self}>` cannot leave its thread",
    label = "`{Self}` has a thread-local pool",
    note = "its slot belongs to the pool of the thread that allocated it, which no other thread may \
            touch",
    note = "move the value out with `PoolBox::into_inner` and send that, or keep it in a `Box`",
    note = "or write `#[pool(static)]` on `{Self}`, for one pool that all threads share",
    note = "in generic code, where `{Self}` is a parameter, ask for `PoolBox<{Self}>: Send`"
)]
#[allow(unnameable_types, reason = "it is there for its message")]
pub trait HasStaticPool: Pooled<__Storage: SharedStorage<Self>> {}

#[diagnostic::do_not_recommend]
impl<T: Pooled<__Storage: SharedStorage<T>>> HasStaticPool for T {}

/// Where the pool is `static`. The box of another pool says why it cannot leave its thread.
// SAFETY: the box owns its element, as a `Box` does, and the pool's storage allows that a thread
// other than the one that took the slot gives it back (`HasStaticPool`).
unsafe impl<T: HasStaticPool + Send> Send for PoolBox<T, Global> {}
/// As `Send`.
// SAFETY: a shared box gives out nothing but `&T`.
unsafe impl<T: HasStaticPool + Sync> Sync for PoolBox<T, Global> {}

// SAFETY: there is no `T` yet, and the pool's storage allows that a thread other than the one that
// took the slot fills it or gives it back (`HasStaticPool`).
unsafe impl<T: HasStaticPool> Send for Vacant<T, Global> {}
// SAFETY: a shared `Vacant` can only be printed.
unsafe impl<T: HasStaticPool> Sync for Vacant<T, Global> {}
