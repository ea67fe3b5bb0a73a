//! The storage `thread_local`: every thread has a pool of its own.
//!
//! The hot path is one `const` thread-local without a destructor: no registration to check, no
//! lazy initialisation, and it stays usable until the very end of its thread. (Where the platform
//! only emulates thread-locals, even one without a destructor is destroyed, and made anew if it is
//! used again. There a free first checks that the slot is from the present pool; `build.rs` lists the
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
use crate::base::guard::hardened::{Fault, IS_HARDENED};
use crate::base::stats::PoolStats;
use crate::derived::in_thread::InThread;
use crate::derived::key::Keyed;
use crate::derived::pooled::Pooled;
use crate::derived::storage::{
    BoxStorage, CountedStorage, Never, Storage, Upkeep, assert_size, gone,
};
use crate::derived::thread_exit::Registration;
use crate::derived::with_counts::{Holds, RefCounts, panic_of_taken};
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
        static __TYPED_POOL_ADDRESSES: $crate::__private::Addresses =
            $crate::__private::Addresses::NONE;
        // SAFETY: both were declared above, and only this refers to them.
        unsafe {
            $crate::__private::InThread::new(&__TYPED_POOL, &raw const __TYPED_POOL_ADDRESSES)
        }
    }};
}

/// One thread's pool of one type: a `P`, which is a [`TypedPool`].
#[derive(Debug)]
pub struct LocalPool<P> {
    /// Without its destructor, or the thread-local would have one.
    pool: ManuallyDrop<P>,
    registration: Registration,
}

/// The key of a pool whose slots are `E`s.
type ThreadKey<E, S> = InThread<LocalPool<TypedPool<E, S>>>;

impl<E: 'static, S: Strategy> Keyed for LocalPool<TypedPool<E, S>> {
    const CHECKED: () = assert_size(TypedPool::<E, S>::SLOT);
}

impl<E, S: Strategy> LocalPool<TypedPool<E, S>> {
    /// A pool that grows as far as memory lasts.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self =
        Self { pool: ManuallyDrop::new(TypedPool::EMPTY), registration: Registration::NONE };

    /// A pool that grows as `config` says.
    pub const fn new(config: Config) -> Self {
        let pool = ManuallyDrop::new(TypedPool::with_config(config));
        Self { pool, registration: Registration::NONE }
    }

    /// Sees to it that the pool is closed when its thread ends; to be called before it grows.
    fn register<T: Pooled<__Storage = ThreadKey<E, S>>>(&self)
    where
        E: Holds<T>,
    {
        let close = T::__POOL.get().close(|| {
            let closed = T::__POOL.get().with(|local| {
                local.pool.slots.close(TypedPool::<E, S>::SLOT);
                local.registration.next()
            });
            closed.ok().flatten()
        });
        if !self.registration.register(close, NonNull::from(self).cast()) {
            // The end has come already.
            self.pool.slots.close(TypedPool::<E, S>::SLOT);
        }
    }

    /// Takes a slot where none is at hand.
    ///
    /// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/free_list.rs`.
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    extern "C" fn refill<T: Pooled<__Storage = ThreadKey<E, S>>>(&self) -> Option<NonNull<u8>>
    where
        E: Holds<T>,
    {
        self.register::<T>();
        self.pool.slots.refill(TypedPool::<E, S>::SLOT)
    }
}

impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Strategy> Storage<T> for ThreadKey<E, S> {
    type Boxes = Self;
    type Roster = Never;
}

// SAFETY: slots come from a typed pool of this thread, which frees no chunk with a live slot, and is never dropped: where the
// platform makes the thread's pool anew, the chunks of the one before are leaked, and `release` leaves them alone.
unsafe impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Strategy> BoxStorage<T>
    for ThreadKey<E, S>
{
    #[inline(always)]
    fn acquire(self) -> Option<NonNull<T>> {
        let taken = self.get().with(|local| {
            let (slots, slot) = (&local.pool.slots, TypedPool::<E, S>::SLOT);
            let taken = slots.take(slot).or_else(|| local.refill::<T>())?;
            if let Err(fault) = slots.check_fill(taken, slot) {
                panic_of_taken::<T, E>(taken.cast(), fault);
            }
            Some(taken.cast::<E>())
        });
        // SAFETY: the pool has just handed the slot out, whose pointer is good for all of it.
        taken.ok().flatten().map(|slot| unsafe { Holds::element(slot) })
    }

    #[allow(private_interfaces, reason = "for this crate alone")]
    fn check(self, element: NonNull<T>) -> Result<(), Fault> {
        // Where the platform has made the thread's pool anew, the slot may belong to the one before.
        if cfg!(not(pool_native_tls)) {
            return Ok(());
        }
        let slot = <E as Holds<T>>::address(element);
        let checked =
            self.get().with(|local| local.pool.slots.check(slot, TypedPool::<E, S>::SLOT));
        checked.unwrap_or(Ok(()))
    }

    #[inline(always)]
    unsafe fn release(self, element: NonNull<T>) {
        // SAFETY: a box's element, which came from `acquire` (caller).
        let freed: NonNull<E> = unsafe { Holds::slot(element) };
        // Where the thread-local is gone, so is the way to its chunks: the slot is leaked.
        let _ = self.get().with(|local| {
            let (slots, slot) = (&local.pool.slots, TypedPool::<E, S>::SLOT);
            if cfg!(not(pool_native_tls)) && !slots.owns(freed.addr().get(), slot) {
                return;
            }
            if IS_HARDENED {
                // Once more: the element's destructor has run since.
                if let Err(fault) = slots.check(freed.addr().get(), slot) {
                    fault.panic(element.as_ptr());
                }
            }
            // SAFETY: passed on from the caller; neither a box nor a pointer that counts by one thread
            // leaves its thread, so this is the pool from which the slot came.
            unsafe { slots.put(freed.as_ptr().cast(), slot) };
        });
    }

    #[track_caller]
    fn exhausted(self) -> Exhausted {
        let exhausted =
            self.get().with(|local| local.pool.slots.exhausted::<T>(TypedPool::<E, S>::SLOT));
        exhausted.unwrap_or_else(|_| gone::<T>())
    }
}

impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Strategy> Upkeep<T> for ThreadKey<E, S> {
    #[track_caller]
    fn stats(self) -> PoolStats {
        let stats = self
            .get()
            .with(|local| local.pool.slots.stats(type_name::<T>(), TypedPool::<E, S>::SLOT));
        stats.unwrap_or_else(|_| gone::<T>())
    }

    #[track_caller]
    fn reserve(self, additional: usize) {
        let slot = TypedPool::<E, S>::SLOT;
        let reserved = self.get().with(|local| {
            local.register::<T>();
            local.pool.slots.try_reserve(additional, slot)
        });
        match reserved {
            Ok(Ok(())) => {}
            Ok(Err(error)) => error.panic::<T, S>(additional, slot),
            Err(_) => gone::<T>(),
        }
    }

    fn prefault(self) {
        let _ = self.get().with(|local| local.pool.prefault());
    }

    fn trim(self) -> usize {
        self.get().with(|local| local.pool.trim()).unwrap_or(0)
    }
}

// SAFETY: the slots are `WithCounts<T>`s (`Holds`).
#[diagnostic::do_not_recommend]
unsafe impl<T, E: Holds<T, Counts = RefCounts>, S: Strategy> CountedStorage<T> for ThreadKey<E, S> {}
