//! The storage `thread_local`: every thread has a pool of its own.
//!
//! The hot path is one `const` thread-local without a destructor: no registration to check, no
//! lazy initialisation, and it stays usable until the very end of its thread (`thread.rs`).
//!
//! The work of a destructor is left to a second thread-local, which only growth touches: at the end
//! of the thread it *closes* every pool that has grown there (`reclaim.rs`).
//!
//! Other thread-locals may be destroyed before that or after, and their destructors may drop boxes
//! and make new ones. A closed pool serves both, by the same hot path, and gives each chunk back soon after its last slot is free.

use core::alloc::Layout;
use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::ledger::{OpError, PoolOps, TypeFacts, Visit};
use crate::base::map::PoolMap;
use crate::base::opaque::{Opaque, Resident};
use crate::base::stats::{self, PoolStats};
use crate::base::watch::hardened::Fault;
use crate::derived::pooled::{Pooled, facts_of};
use crate::derived::storage::{Acquired, BoxStorage, Found, Never, Storage, assert_size};
use crate::derived::with_counts::Holds;
use crate::pool::typed::TypedPool;
use crate::strategy::{Slots, Strategy};
use crate::thread::end::Registration;
use crate::thread::local::{Finder, InThread, SharedRecord};

/// The key of a thread-local that is declared for it.
///
/// One macro declares both: if the derive does not find the library, that is one error and not two.
#[doc(hidden)]
#[macro_export]
macro_rules! __thread_local {
    ($ty:ty, $initial:expr) => {{
        $crate::__private::thread_local! {
            static __TYPED_POOL: $ty = const { $initial };
        }
        static __TYPED_POOL_RECORD: $crate::__private::SharedRecord =
            $crate::__private::SharedRecord::NEW;
        // SAFETY: both were declared above, and only this refers to them.
        unsafe {
            $crate::__private::InThread::with_record(&__TYPED_POOL, &raw const __TYPED_POOL_RECORD)
        }
    }};
}

/// A thread's part of a pool: slots, and a place in the list of pools that the thread's end closes.
pub(crate) struct LocalSlots<S> {
    /// Without its destructor, or the thread-local would have one.
    pub(crate) slots: Opaque<Slots<S>>,
    registration: Opaque<Registration>,
}

impl<S: Strategy> LocalSlots<S> {
    /// One constant for all types: the derive pays for every function that a constant calls.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const EMPTY: Self =
        Self { slots: Opaque::new(Slots::EMPTY), registration: Registration::OPAQUE };
}

impl<S: Strategy> Resident for LocalSlots<S> {
    fn is_reclaimable(&self) -> bool {
        // A chunk with a live slot stays, so there is no such slot without a chunk.
        let has_chunks = self.slots.cursor.chain.first.get().is_some();
        !self.registration.is_listed() && !has_chunks
    }
}

/// One thread's pool, whose slots are `E`s.
pub struct LocalPool<E, S> {
    local: LocalSlots<S>,
    marker: PhantomData<fn(E) -> E>,
}

/// The key of a pool whose slots are `E`s.
type ThreadKey<E, S> = InThread<LocalPool<E, S>>;

impl<E, S: Strategy> Resident for LocalPool<E, S> {
    fn is_reclaimable(&self) -> bool {
        self.local.is_reclaimable()
    }
}

impl<E, S: Strategy> LocalPool<E, S> {
    /// A pool that grows as far as memory lasts.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self = Self { local: LocalSlots::EMPTY, marker: PhantomData };

    /// A pool that grows as `config` says.
    #[must_use]
    pub const fn new(config: Config) -> Self {
        let slots = Opaque::new(Slots::new(config));
        Self { local: LocalSlots { slots, ..LocalSlots::EMPTY }, marker: PhantomData }
    }
}

/// Leads to this thread's pool.
pub(crate) type LocalPools<S> = Finder<LocalSlots<S>, SharedRecord>;

impl<S: Strategy> LocalPools<S> {
    /// Registers the pool to be closed when its thread ends, and lists its record. Called before the pool grows.
    #[cold]
    fn register(&'static self) {
        let record = self.shared().get();
        let _ = self.with(|LocalSlots { slots, registration }| {
            if registration.is_registered() {
                return;
            }
            slots.cursor.chain.record.set(Some(record));
            if !registration.register(self, record) {
                // The end has come already.
                slots.close(self.slot);
            }
        });
        // After the first write to the record: see `Records::enlist`.
        record.join(self.facts());
    }
}

/// Takes a slot of this thread's pool, where none is at hand.
///
/// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/reclaim.rs`.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
extern "C" fn refill<S: Strategy>(
    slots: &Slots<S>,
    slot: Layout,
    pools: &'static LocalPools<S>,
) -> Option<NonNull<u8>> {
    // A pool with chunks has been registered before the first.
    if slots.cursor.chain.first.get().is_none() {
        pools.register();
    }
    slots.refill(slot)
}

/// This thread's pool; none where the thread has no memory for it.
pub struct LocalPoolRef<S: Strategy> {
    pub(crate) local: Option<&'static LocalSlots<S>>,
    pub(crate) pools: &'static LocalPools<S>,
}

impl<S: Strategy> Found for LocalPoolRef<S> {
    #[inline(always)]
    fn acquire(self, slot: Layout) -> Acquired {
        let Some(local) = self.local else { return Ok(None) };
        let slots = &local.slots;
        slots.acquire(slot, || refill(slots, slot, self.pools))
    }

    fn check(self, address: usize, slot: Layout) -> Result<(), Fault> {
        match self.local {
            Some(local) => local.slots.check(address, slot),
            None => Ok(()),
        }
    }

    #[inline(always)]
    unsafe fn release(self, freed: NonNull<u8>, slot: Layout) -> Result<(), Fault> {
        let Some(local) = self.local else { return Ok(()) };
        // SAFETY: the caller gives up a slot of this thread's pool.
        unsafe { local.slots.release(freed, slot) }
    }
}

impl<S: Strategy> PoolOps for LocalPools<S> {
    fn stats(&'static self, _: bool) -> Result<PoolStats, OpError> {
        self.with(|local| local.slots.stats(self.facts().pool_name(), self.slot))
    }

    fn reserve(&'static self, additional: usize) -> Result<(), OpError> {
        self.register();
        let name = self.facts().pool_name();
        let reserved = self.with(|LocalSlots { slots, registration }| {
            if slots.cursor.is_closed.get() {
                registration.register_again(self, self.shared().get(), self.facts().type_name);
            }
            slots.try_reserve(additional, name, self.slot)
        })?;
        reserved.map_err(OpError::NoRoom)
    }

    fn prefault(&'static self) -> Result<(), OpError> {
        self.with(|local| local.slots.cursor.prefault(self.slot))
    }

    fn trim(&'static self) -> Result<usize, OpError> {
        Ok(self.with(|local| local.slots.trim(self.slot)).unwrap_or(0))
    }

    fn exhausted(&'static self) -> Result<Exhausted, OpError> {
        let name = self.facts().pool_name();
        let why = |slots: &Slots<S>| slots.exhausted(name, slots.is_at_limit(), self.slot);
        // A thread that has no memory for its pool has none for a chunk.
        let none = Slots::EMPTY;
        Ok(self.with(|local| why(&local.slots)).unwrap_or_else(|_| why(&none)))
    }

    fn visit(&'static self, visit: Visit) -> Option<&'static dyn PoolOps> {
        let visited = self.with(|LocalSlots { slots, registration }| {
            if visit == Visit::End {
                slots.close(self.slot);
            }
            registration.next(visit, self.shared().get())
        });
        visited.ok().flatten()
    }

    fn is_used_here(&'static self) -> bool {
        self.with(|local| local.registration.is_registered()).unwrap_or(false)
    }

    #[cfg(feature = "view")]
    fn map(&'static self, _: bool) -> Result<PoolMap, OpError> {
        let name = self.facts().pool_name();
        self.with(|local| local.slots.map(name, self.slot))
    }
}

impl<E: 'static, S: Strategy> ThreadKey<E, S> {
    const fn pools<T: Pooled<__Storage = Self>>() -> &'static LocalPools<S>
    where
        E: Holds<T>,
    {
        const {
            assert_size(TypedPool::<E, S>::SLOT);
            &Finder {
                index: 0,
                with: |_, f| _ = T::__POOL.with(|pool| f(&pool.local)),
                shared: |_| T::__POOL.shared(),
                slot: TypedPool::<E, S>::SLOT,
                facts: |_| <Self as Storage<T>>::facts(),
            }
        }
    }
}

impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Strategy> Storage<T> for ThreadKey<E, S> {
    type Boxes = Self;
    type Roster = Never;

    fn facts() -> &'static TypeFacts {
        const { &facts_of::<T, _>(S::KIND, stats::Storage::ThreadLocal, Self::pools::<T>()) }
    }
}

// SAFETY: it is this thread's typed pool, which frees no chunk with a live slot, and is never dropped. A slot that `Slots::acquire` gave is
// in no list until it is released.
unsafe impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Strategy> BoxStorage<T>
    for ThreadKey<E, S>
{
    type Slot = E;
    const LAYOUT: Layout = TypedPool::<E, S>::SLOT;
    type Found = LocalPoolRef<S>;

    #[allow(clippy::manual_map, reason = "a call less in an unoptimised build")]
    #[inline(always)]
    unsafe fn find(self) -> LocalPoolRef<S> {
        // SAFETY: the caller uses it during one operation only, which destroys no thread-local.
        let local = match unsafe { self.find::<false>() } {
            Some(pool) => Some(&pool.local),
            None => None,
        };
        LocalPoolRef { local, pools: Self::pools::<T>() }
    }
}
