//! The storage `thread_local`: every thread has a pool of its own.
//!
//! The hot path is one `const` thread-local without a destructor: no registration to check, no
//! lazy initialisation, and it stays usable until the very end of its thread (`thread_local.rs`).
//!
//! What a destructor would do is left to a second thread-local, which only growth touches: at the end
//! of the thread it *closes* every pool that has grown there (`reclaim.rs`).
//!
//! Other thread-locals may be destroyed before that or after, and their destructors may drop boxes
//! and make new ones. A closed pool serves both and keeps no chunk without a live slot.

use core::alloc::Layout;
use core::any::type_name;
use core::marker::PhantomData;
#[cfg(feature = "sites")]
use core::num::NonZeroU32;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::guard::hardened::Fault;
use crate::base::ledger::{self, Facts};
use crate::base::map::PoolMap;
use crate::base::opaque::Opaque;
use crate::base::sites::Line;
use crate::base::stats::PoolStats;
use crate::derived::in_thread::InThread;
use crate::derived::key::Keyed;
use crate::derived::local_slots::LocalSlots;
use crate::derived::pooled::Pooled;
use crate::derived::storage::{
    BoxStorage, CountedStorage, Never, SlotsOf, Storage, Upkeep, assert_size,
};
use crate::derived::thread_exit::Registration;
use crate::derived::thread_local::{AccessError, Resident};
use crate::derived::with_counts::{Holds, RefCounts, panic_of_taken};
use crate::pool::typed::TypedPool;
use crate::strategy::{Slots, Strategy};

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
        static __TYPED_POOL_COMPANION: $crate::__private::Companion =
            $crate::__private::Companion::NEW;
        // SAFETY: both were declared above, and only this refers to them.
        unsafe {
            $crate::__private::InThread::new(&__TYPED_POOL, &raw const __TYPED_POOL_COMPANION)
        }
    }};
}

/// One thread's pool of one type: a `P`, which is a [`TypedPool`].
#[derive(Debug)]
pub struct LocalPool<P> {
    /// Without its destructor, or the thread-local would have one.
    pool: Opaque<P>,
    registration: Opaque<Registration>,
}

/// The key of a pool whose slots are `E`s.
type ThreadKey<E, S> = InThread<LocalPool<TypedPool<E, S>>>;

impl<E: 'static, S: Strategy> Keyed for LocalPool<TypedPool<E, S>> {
    const CHECKED: () = assert_size(TypedPool::<E, S>::SLOT);
}

impl<E, S: Strategy> Resident for LocalPool<TypedPool<E, S>> {
    fn is_spent(&self) -> bool {
        !self.registration.is_listed() && self.pool.slots.cursor.chain.slots() == 0
    }
}

impl<E, S: Strategy> LocalPool<TypedPool<E, S>> {
    /// A pool that grows as far as memory lasts.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self = Self { pool: TypedPool::OPAQUE, registration: Registration::OPAQUE };

    /// A pool that grows as `config` says.
    pub const fn new(config: Config) -> Self {
        let pool = Opaque::new(TypedPool::with_config(config));
        Self { pool, registration: Registration::OPAQUE }
    }
}

/// The pool of `T`s of this thread.
struct Here<T>(PhantomData<fn() -> T>);

impl<T> Clone for Here<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Here<T> {}

impl<T, E, S> LocalSlots for Here<T>
where
    T: Pooled<__Storage = ThreadKey<E, S>>,
    E: Holds<T>,
    S: Strategy,
{
    type Strategy = S;

    #[inline(always)]
    fn layout(self) -> Layout {
        TypedPool::<E, S>::SLOT
    }

    #[inline(always)]
    fn with<R>(self, f: impl FnOnce(&Slots<S>) -> R) -> Result<R, AccessError> {
        T::__POOL.get().with(|local| f(&local.pool.slots))
    }

    fn facts(self) -> &'static Facts {
        const {
            &Facts {
                type_name: type_name::<T>,
                name: T::__CONFIG.name,
                strategy: S::KIND,
                storage: ledger::Storage::ThreadLocal,
                look: || {
                    let stats =
                        |slots: &Slots<S>| slots.stats(type_name::<T>(), TypedPool::<E, S>::SLOT);
                    Here::<T>(PhantomData).with(stats).ok()
                },
                #[cfg(feature = "sites")]
                show_lines: |found| T::__POOL.show_lines(found),
                record: || Some(T::__POOL.record()),
                has_accounts: true,
            }
        }
    }

    fn close_at_exit(self) {
        let close = T::__POOL.get().close(|| {
            let closed = T::__POOL.get().with(|local| {
                local.pool.slots.close(TypedPool::<E, S>::SLOT);
                local.registration.next()
            });
            closed.ok().flatten()
        });
        let _ = T::__POOL.get().with(|local| {
            if !local.registration.register(close, NonNull::from(local).cast()) {
                // The end has come already.
                local.pool.slots.close(TypedPool::<E, S>::SLOT);
            }
        });
    }
}

impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Strategy> Storage<T> for ThreadKey<E, S> {
    type Slots = SlotsOf<T>;
    type Boxes = Self;
    type Roster = Never;
}

// SAFETY: slots come from a typed pool of this thread, which frees no chunk with a live slot, and is never dropped.
unsafe impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Strategy> BoxStorage<T>
    for ThreadKey<E, S>
{
    #[inline(always)]
    fn acquire(self) -> Option<NonNull<T>> {
        let taken = match Here::<T>(PhantomData).take(Line::of_caller()) {
            Ok(taken) => taken,
            Err((taken, fault)) => panic_of_taken::<T, E>(taken.cast(), fault),
        };
        // SAFETY: the pool has just handed the slot out, whose pointer is good for all of it.
        taken.map(|slot| unsafe { Holds::element(slot.cast::<E>()) })
    }

    #[allow(private_interfaces, reason = "for this crate alone")]
    fn check(self, element: NonNull<T>) -> Result<(), Fault> {
        Here::<T>(PhantomData).check(<E as Holds<T>>::address(element))
    }

    #[inline(always)]
    unsafe fn release(self, element: NonNull<T>) {
        // SAFETY: a box's element, which came from `acquire` (caller).
        let freed: NonNull<E> = unsafe { Holds::slot(element) };
        // SAFETY: passed on from the caller; neither a box nor a pointer that counts by one thread
        // leaves its thread, so this is the pool from which the slot came.
        if let Err(fault) = unsafe { Here::<T>(PhantomData).put(freed.cast()) } {
            fault.panic(element.as_ptr());
        }
    }

    #[track_caller]
    fn exhausted(self) -> Exhausted {
        Here::<T>(PhantomData).exhausted::<T>()
    }
}

impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Strategy> Upkeep<T> for ThreadKey<E, S> {
    #[track_caller]
    fn stats(self) -> PoolStats {
        Here::<T>(PhantomData).stats::<T>()
    }

    #[track_caller]
    fn map(self) -> PoolMap {
        Here::<T>(PhantomData).map::<T>()
    }

    #[track_caller]
    fn reserve(self, additional: usize) {
        Here::<T>(PhantomData).reserve::<T>(additional);
    }

    fn prefault(self) {
        Here::<T>(PhantomData).prefault();
    }

    fn trim(self) -> usize {
        Here::<T>(PhantomData).trim()
    }

    #[cfg(feature = "sites")]
    fn show_lines(self, found: &mut dyn FnMut(NonZeroU32)) {
        Here::<T>(PhantomData).show_lines(found);
    }
}

// SAFETY: the slots are `WithCounts<T>`s (`Holds`).
#[diagnostic::do_not_recommend]
unsafe impl<T, E: Holds<T, Counts = RefCounts>, S: Strategy> CountedStorage<T> for ThreadKey<E, S> {}
