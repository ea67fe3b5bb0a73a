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

use core::mem::ManuallyDrop;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::stats::PoolStats;
use crate::derived::key::{InThread, Place};
use crate::derived::kind::Boxes;
use crate::derived::pooled::Pooled;
use crate::derived::rc::{CountedList, Room, WithCounts};
use crate::derived::storage::Storage;
use crate::derived::thread_exit::{Close, Registration};
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

/// One thread's pool of one type: a `P`, which is an owned pool, and another for elements with counts.
#[allow(private_bounds, reason = "for this crate")]
#[derive(Debug)]
pub struct Local<P: OwnedPool> {
    /// Without its destructor, or the thread-local would have one.
    pool: ManuallyDrop<P>,
    /// The same.
    counted: ManuallyDrop<CountedList<P::Element>>,
    registration: Registration,
}

impl<P: OwnedPool + 'static> Place for Local<P> {
    const CHECKED: () = P::HAS_SIZE;
}

impl<T, S: Strategy> Local<TypedPool<T, S>> {
    /// A pool that grows as far as memory lasts.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self = Self {
        pool: ManuallyDrop::new(TypedPool::EMPTY),
        counted: ManuallyDrop::new(TypedPool::EMPTY),
        registration: Registration::NONE,
    };

    /// A pool that grows as `config` says.
    pub const fn new(config: Config) -> Self {
        let pool = ManuallyDrop::new(TypedPool::with_config(config));
        let counted = ManuallyDrop::new(TypedPool::with_config(config));
        Self { pool, counted, registration: Registration::NONE }
    }
}

/// Sees to it that both pools are closed when their thread ends; to be called before one grows.
fn register<T, P>(local: &Local<P>)
where
    T: Pooled<__Storage = InThread<Local<P>>>,
    P: OwnedPool<Element = T> + 'static,
{
    let close = Close(|| {
        let closed = T::__POOL.try_with(|local| {
            local.close();
            local.registration.next()
        });
        closed.ok().flatten()
    });
    if !local.registration.register(close) {
        // The end has come already.
        local.close();
    }
}

#[allow(private_bounds, reason = "for this crate")]
impl<P: OwnedPool> Local<P> {
    fn close(&self) {
        self.pool.close();
        self.counted.close();
    }
}

/// Takes a slot where none is at hand.
///
/// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/free_list.rs`.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
extern "C" fn refill<T, P>(local: &Local<P>) -> Option<NonNull<T>>
where
    T: Pooled<__Storage = InThread<Local<P>>>,
    P: OwnedPool<Element = T> + 'static,
{
    register(local);
    local.pool.refill()
}

// SAFETY: slots come from an owned pool of `T`s, or of `T`s with counts, one and the same while its
// thread lives.
unsafe impl<T, P> Storage<T, Boxes> for InThread<Local<P>>
where
    T: Pooled<__Storage = Self>,
    P: OwnedPool<Element = T> + 'static,
{
    #[inline(always)]
    fn acquire(self) -> Option<NonNull<T>> {
        let taken = self
            .try_with(|local| local.pool.verify_fill(local.pool.take().or_else(|| refill(local))));
        taken.ok().flatten()
    }

    #[track_caller]
    fn verify(self, slot: NonNull<T>) {
        // Where the platform has made the thread's pool anew, the slot may be of the one before.
        if cfg!(pool_native_tls) {
            let checked = self.try_with(|local| local.pool.check(slot));
            if let Ok(Err(fault)) = checked {
                fault.panic(slot.as_ptr());
            }
        }
    }

    #[inline(always)]
    unsafe fn release(self, slot: NonNull<T>) {
        // Where the thread-local is gone, so is the way to its chunks: the slot is leaked.
        let _ = self.try_with(|local| {
            if cfg!(not(pool_native_tls)) && !local.pool.owns(slot.as_ptr()) {
                return;
            }
            // SAFETY: passed on from the caller; a box never leaves its thread, so this is the
            // pool from which the slot came.
            unsafe { local.pool.put(slot) };
        });
    }

    #[track_caller]
    fn refusal(self) -> Exhausted {
        self.try_with(|local| local.pool.exhausted()).unwrap_or_else(|_| gone::<T>())
    }

    #[inline]
    fn acquire_counted(self) -> Option<NonNull<T>> {
        let taken = self.try_with(|local| {
            let taken = local.counted.take().or_else(|| {
                register(local);
                local.counted.refill()
            });
            local.counted.verify_fill(taken)
        });
        taken.ok().flatten().map(WithCounts::element)
    }

    #[inline]
    unsafe fn release_counted(self, slot: NonNull<T>) {
        // SAFETY: passed on from the caller.
        let slot = unsafe { WithCounts::slot(slot) };
        // As in `release`.
        let _ = self.try_with(|local| {
            if cfg!(not(pool_native_tls)) && !local.counted.owns(slot.as_ptr()) {
                return;
            }
            // SAFETY: as in `release`; nor does a pointer that counts by one thread leave it.
            unsafe { local.counted.put(slot) };
        });
    }

    #[track_caller]
    fn refusal_counted(self) -> Exhausted {
        self.try_with(|local| local.counted.exhausted_as::<T>()).unwrap_or_else(|_| gone::<T>())
    }

    #[inline(always)]
    unsafe fn counts(slot: NonNull<T>) -> NonNull<Room> {
        // SAFETY: passed on from the caller.
        unsafe { WithCounts::room(slot) }
    }

    #[track_caller]
    fn stats(self) -> PoolStats {
        match self.try_with(|local| local.pool.stats().and(local.counted.stats())) {
            Ok(stats) => stats,
            Err(_) => gone::<T>(),
        }
    }

    #[track_caller]
    fn reserve(self, additional: usize) {
        let reserved = self.try_with(|local| {
            register(local);
            local.pool.try_reserve(additional)
        });
        match reserved {
            Ok(Ok(())) => {}
            Ok(Err(error)) => error.panic::<P>(additional),
            Err(_) => gone::<T>(),
        }
    }

    fn touch(self) {
        let _ = self.try_with(|local| {
            local.pool.prefault();
            local.counted.prefault();
        });
    }

    fn trim(self) -> usize {
        self.try_with(|local| local.pool.trim() + local.counted.trim()).unwrap_or(0)
    }
}

/// Only where the platform destroys thread-locals without a destructor, too.
#[cold]
#[track_caller]
fn gone<T>() -> ! {
    panic!("the thread's pool of `{}` is gone: the thread is ending", core::any::type_name::<T>())
}
