//! What the derive declares, and what boxes need of it.

use core::ptr::NonNull;

use crate::base::exhausted::Exhausted;
use crate::base::stats::PoolStats;
use crate::derived::key::{InStatic, Place};
use crate::derived::magazines::Static;
use crate::derived::magazines::shareable::Shareable;

use crate::derived::pooled::Pooled;
use crate::derived::storage::{
    CountedStorage, Never, SharedStorage, Storage, Upkeep, reserve_failed,
};
use crate::derived::thread_exit::Close;
use crate::derived::with_counts::{Holds, WithCounts};
use crate::pointer::pool::Pool;
use crate::pool::owned::OwnedPool;

/// The key of a pool, with the statics that are declared for it.
#[doc(hidden)]
#[macro_export]
macro_rules! __static_pool {
    ($pool:ty, $config:expr) => {{
        $crate::__private::thread_local! {
            static __TYPED_POOL_MAGAZINE: $crate::__private::Magazine<$pool> =
                const { $crate::__private::Magazine::<$pool>::EMPTY };
        }
        static __TYPED_POOL_DEPOT: $crate::__private::Depot<$pool> =
            $crate::__private::Depot::<$pool>::new($config);
        static __TYPED_POOL: $crate::__private::Static<$pool> =
            // SAFETY: both were declared above, and only this refers to them.
            unsafe {
                $crate::__private::Static::new(&__TYPED_POOL_MAGAZINE, &__TYPED_POOL_DEPOT)
            };
        // SAFETY: the static was declared above, and only this refers to it.
        unsafe { $crate::__private::InStatic::new(&raw const __TYPED_POOL) }
    }};
}

impl<P: OwnedPool + Shareable + 'static> Place for Static<P> {
    const CHECKED: () = P::HAS_SIZE;
}

/// Empties a thread's magazine when the thread ends.
fn close<T, P>() -> Option<Close>
where
    T: Pooled<__Storage = InStatic<Static<P>>>,
    P: OwnedPool<Element: Holds<T>> + Shareable + 'static,
{
    T::__POOL.get().close()
}

#[allow(private_bounds, reason = "for this crate")]
impl<T, P> Storage<T> for InStatic<Static<P>>
where
    T: Pooled<__Storage = Self>,
    P: OwnedPool<Element: Holds<T>> + Shareable + 'static,
{
    type Boxes = Self;
    type Roster = Never;
}

// SAFETY: slots come from an owned pool that is never dropped, by way of magazines perhaps, in which each is once.
#[allow(private_bounds, reason = "for this crate")]
unsafe impl<T, P> Pool<T> for InStatic<Static<P>>
where
    T: Pooled<__Storage = Self>,
    P: OwnedPool<Element: Holds<T>> + Shareable + 'static,
{
    #[inline(always)]
    fn acquire(&self) -> Option<NonNull<T>> {
        // SAFETY: the pool has just handed the slot out, whose pointer is good for all of it.
        self.get().take::<T>(Close(close::<T, P>)).map(|slot| unsafe { Holds::element(slot) })
    }

    #[track_caller]
    fn verify(&self, element: NonNull<T>) {
        let slot = <P::Element as Holds<T>>::address(element);
        if let Err(fault) = self.get().check(slot) {
            fault.panic(element.as_ptr());
        }
    }

    #[inline(always)]
    unsafe fn release(&self, element: NonNull<T>) {
        // SAFETY: it came from `acquire` (caller).
        let slot: NonNull<P::Element> = unsafe { Holds::slot(element) };
        // SAFETY: passed on from the caller.
        if let Err(fault) = unsafe { self.get().put(slot, Close(close::<T, P>)) } {
            fault.panic(element.as_ptr());
        }
    }

    #[track_caller]
    fn exhausted(&self) -> Exhausted {
        self.get().exhausted::<T>()
    }
}

#[allow(private_bounds, reason = "for this crate")]
impl<T, P> Upkeep<T> for InStatic<Static<P>>
where
    T: Pooled<__Storage = Self>,
    P: OwnedPool<Element: Holds<T>> + Shareable + 'static,
{
    fn stats(self) -> PoolStats {
        self.get().stats::<T>()
    }

    #[track_caller]
    fn reserve(self, additional: usize) {
        if let Err(error) = self.get().try_reserve(additional) {
            reserve_failed::<T, P>(error, additional);
        }
    }

    fn prefault(self) {
        self.get().prefault();
    }

    fn trim(self) -> usize {
        self.get().trim()
    }
}

// SAFETY: a slot is put into the magazine of the thread that frees it, or into the depot.
unsafe impl<T, P> SharedStorage<T> for InStatic<Static<P>>
where
    T: Pooled<__Storage = Self>,
    P: OwnedPool<Element: Holds<T>> + Shareable + 'static,
{
}

// SAFETY: those of `P` are.
#[allow(private_bounds, reason = "for this crate")]
#[diagnostic::do_not_recommend]
unsafe impl<T, P> CountedStorage<T> for InStatic<Static<P>> where
    P: OwnedPool<Element = WithCounts<T>> + Shareable
{
}
