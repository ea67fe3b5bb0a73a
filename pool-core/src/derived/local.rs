//! The storage `thread_local`: every thread has a pool of its own.
//!
//! The hot path is one `const` thread-local without a destructor: no registration to check, no
//! lazy initialisation, and it stays usable until the very end of its thread. (Where the platform
//! only emulates thread-locals, even one without a destructor is destroyed, and made anew if it is
//! used again. There a free first asks whether the slot is from the pool of now; `build.rs` lists the
//! platforms where that is known not to happen.)
//!
//! What a destructor would do is left to a second thread-local, which only growth touches: at the end
//! of the thread it *closes* every pool that has grown there (`reclaim.rs`).
//!
//! Other thread-locals may be destroyed before that or after, and their destructors may drop boxes
//! and make new ones. A closed pool serves both and keeps no chunk without a live slot.

use core::any::type_name;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::guard::hardened::IS_HARDENED;
use crate::base::stats::PoolStats;
use crate::derived::key::{InThread, Place};
use crate::derived::pooled::Pooled;
use crate::derived::storage::{CountedStorage, Never, Storage, Upkeep, gone, reserve_failed};
use crate::derived::thread_exit::{Close, Registration};
use crate::derived::with_counts::{Holds, WithCounts, panic_of_taken};
use crate::pointer::pool::Pool;
use crate::pool::owned::OwnedPool;
use crate::pool::typed::TypedPool;
use crate::strategy::Strategy;

/// The key of a thread-local that is declared for it.
///
/// Both in one macro: where the derive does not find the library, that is one error and not two.
#[doc(hidden)]
#[macro_export]
macro_rules! __thread_local {
    ($ty:ty, $initial:expr) => {{
        $crate::__private::thread_local! {
            static __TYPED_POOL: $ty = const { $initial };
        }
        // SAFETY: the thread-local was declared above, and only this refers to it.
        unsafe { $crate::__private::InThread::new(&__TYPED_POOL) }
    }};
}

/// One thread's pool of one type: a `P`, which is an owned pool.
#[allow(private_bounds, reason = "for this crate")]
#[derive(Debug)]
pub struct Local<P: OwnedPool> {
    /// Without its destructor, or the thread-local would have one.
    pool: ManuallyDrop<P>,
    registration: Registration,
}

impl<P: OwnedPool + 'static> Place for Local<P> {
    const CHECKED: () = P::HAS_SIZE;
}

impl<T, S: Strategy> Local<TypedPool<T, S>> {
    /// A pool that grows as far as memory lasts.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self =
        Self { pool: ManuallyDrop::new(TypedPool::EMPTY), registration: Registration::NONE };

    /// A pool that grows as `config` says.
    pub const fn new(config: Config) -> Self {
        let pool = ManuallyDrop::new(TypedPool::with_config(config));
        Self { pool, registration: Registration::NONE }
    }
}

/// Sees to it that the pool is closed when its thread ends; to be called before it grows.
fn register<T, P>(local: &Local<P>)
where
    T: Pooled<__Storage = InThread<Local<P>>>,
    P: OwnedPool<Element: Holds<T>> + 'static,
{
    let close = Close(|| {
        let closed = T::__POOL.place().try_with(|local| {
            local.pool.close();
            local.registration.next()
        });
        closed.ok().flatten()
    });
    if !local.registration.register(close) {
        // The end has come already.
        local.pool.close();
    }
}

/// Takes a slot where none is at hand.
///
/// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/free_list.rs`.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
extern "C" fn refill<T, P>(local: &Local<P>) -> Option<NonNull<P::Element>>
where
    T: Pooled<__Storage = InThread<Local<P>>>,
    P: OwnedPool<Element: Holds<T>> + 'static,
{
    register::<T, P>(local);
    local.pool.refill()
}

#[allow(private_bounds, reason = "for this crate")]
impl<T, P> Storage<T> for InThread<Local<P>>
where
    T: Pooled<__Storage = Self>,
    P: OwnedPool<Element: Holds<T>> + 'static,
{
    type Boxes = Self;
    type Roster = Never;
}

// SAFETY: slots come from an owned pool, one and the same while its thread lives, which frees no chunk with a live slot.
#[allow(private_bounds, reason = "for this crate")]
unsafe impl<T, P> Pool<T> for InThread<Local<P>>
where
    T: Pooled<__Storage = Self>,
    P: OwnedPool<Element: Holds<T>> + 'static,
{
    #[inline(always)]
    fn acquire(&self) -> Option<NonNull<T>> {
        let taken = self.place().try_with(|local| {
            let taken = local.pool.take().or_else(|| refill::<T, P>(local))?;
            if let Err(fault) = local.pool.check_fill(taken) {
                panic_of_taken::<T, _>(taken, fault);
            }
            Some(taken)
        });
        // SAFETY: the pool has just handed the slot out, whose pointer is good for all of it.
        taken.ok().flatten().map(|slot| unsafe { Holds::element(slot) })
    }

    #[track_caller]
    fn verify(&self, element: NonNull<T>) {
        // Where the platform has made the thread's pool anew, the slot may be of the one before.
        if cfg!(pool_native_tls) {
            let slot = <P::Element as Holds<T>>::address(element);
            let checked = self.place().try_with(|local| local.pool.slots().check(slot, P::SLOT));
            if let Ok(Err(fault)) = checked {
                fault.panic(element.as_ptr());
            }
        }
    }

    #[inline(always)]
    unsafe fn release(&self, element: NonNull<T>) {
        // SAFETY: a box's element, which came from `acquire` (caller).
        let slot: NonNull<P::Element> = unsafe { Holds::slot(element) };
        // Where the thread-local is gone, so is the way to its chunks: the slot is leaked.
        let _ = self.place().try_with(|local| {
            if cfg!(not(pool_native_tls)) && !local.pool.owns(slot.as_ptr()) {
                return;
            }
            if IS_HARDENED {
                // Once more: the element's destructor has run since.
                if let Err(fault) = local.pool.check(slot) {
                    fault.panic(element.as_ptr());
                }
            }
            // SAFETY: passed on from the caller; neither a box nor a pointer that counts by one thread
            // leaves its thread, so this is the pool from which the slot came.
            unsafe { local.pool.slots().put(slot.as_ptr().cast(), P::SLOT) };
        });
    }

    #[track_caller]
    fn exhausted(&self) -> Exhausted {
        let exhausted = self.place().try_with(|local| local.pool.exhausted_as::<T>());
        exhausted.unwrap_or_else(|_| gone::<T>())
    }
}

#[allow(private_bounds, reason = "for this crate")]
impl<T, P> Upkeep<T> for InThread<Local<P>>
where
    T: Pooled<__Storage = Self>,
    P: OwnedPool<Element: Holds<T>> + 'static,
{
    #[track_caller]
    fn stats(self) -> PoolStats {
        let stats =
            self.place().try_with(|local| local.pool.slots().stats(type_name::<T>(), P::SLOT));
        stats.unwrap_or_else(|_| gone::<T>())
    }

    #[track_caller]
    fn reserve(self, additional: usize) {
        let reserved = self.place().try_with(|local| {
            register::<T, P>(local);
            local.pool.try_reserve(additional)
        });
        match reserved {
            Ok(Ok(())) => {}
            Ok(Err(error)) => reserve_failed::<T, P>(error, additional),
            Err(_) => gone::<T>(),
        }
    }

    fn prefault(self) {
        let _ = self.place().try_with(|local| local.pool.prefault());
    }

    fn trim(self) -> usize {
        self.place().try_with(|local| local.pool.trim()).unwrap_or(0)
    }
}

// SAFETY: those of `P` are.
#[allow(private_bounds, reason = "for this crate")]
#[diagnostic::do_not_recommend]
unsafe impl<T, P: OwnedPool<Element = WithCounts<T>>> CountedStorage<T> for InThread<Local<P>> {}
