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
use core::any::type_name;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::ledger::{OpError, PoolOps, Record, TypeFacts, Visit};
use crate::base::map::PoolMap;
use crate::base::opaque::{Opaque, Resident};
use crate::base::stats::{self, PoolStats};
use crate::base::watch::hardened::Fault;
use crate::derived::pooled::Pooled;
use crate::derived::storage::{Acquired, BoxStorage, Found, Never, Storage, assert_size};
use crate::derived::with_counts::Holds;
use crate::pool::typed::TypedPool;
use crate::strategy::{Slots, Strategy};
use crate::thread::end::Registration;
use crate::thread::local::InThread;

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
        let __key: $crate::__private::InThread<$ty> = unsafe {
            $crate::__private::InThread::new(&__TYPED_POOL, &raw const __TYPED_POOL_RECORD)
        };
        __key
    }};
}

/// One thread's pool of one type: a `P`, which is a [`TypedPool`].
pub struct LocalPool<P> {
    /// Without its destructor, or the thread-local would have one.
    pool: Opaque<P>,
    registration: Opaque<Registration>,
}

/// The key of a pool whose slots are `E`s.
type ThreadKey<E, S> = InThread<LocalPool<TypedPool<E, S>>>;

impl<E, S: Strategy> Resident for LocalPool<TypedPool<E, S>> {
    fn is_reclaimable(&self) -> bool {
        // A chunk with a live slot stays, so there is no such slot without a chunk.
        let has_chunks = self.pool.slots.cursor.chain.first.get().is_some();
        !self.registration.is_listed() && !has_chunks
    }
}

impl<E, S: Strategy> LocalPool<TypedPool<E, S>> {
    /// A pool that grows as far as memory lasts.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self = Self { pool: TypedPool::OPAQUE, registration: Registration::OPAQUE };

    /// A pool that grows as `config` says.
    #[must_use]
    pub const fn new(config: Config) -> Self {
        let pool = Opaque::new(TypedPool::with_config(config));
        Self { pool, registration: Registration::OPAQUE }
    }

    /// Calls `f` with the slots and the registration.
    pub(crate) fn show(&self, f: &mut LocalUse<'_, S>) {
        f(&self.pool.slots, &self.registration);
    }

    #[inline(always)]
    pub(crate) fn slots(&self) -> &Slots<S> {
        &self.pool.slots
    }
}

/// A use of a thread's part of a pool: its slots, and the pool's place among those that the thread's end closes.
pub(crate) type LocalUse<'a, S> = dyn FnMut(&Slots<S>, &Registration) + 'a;

/// Leads to this thread's pool of one type, or of one class of layouts, without naming either. All but the hot path uses this,
/// and so is compiled once for each strategy.
pub(crate) struct LocalPools<S: Strategy> {
    /// The index among the pools to which the functions lead.
    pub(crate) index: usize,
    /// Calls a closure with what this thread has of the pool, by [`InThread::with`].
    pub(crate) with: fn(usize, &mut LocalUse<'_, S>) -> Result<(), OpError>,
    /// The layout of a slot.
    pub(crate) slot: Layout,
    pub(crate) record: fn(usize) -> &'static Record,
    pub(crate) facts: fn(usize) -> &'static TypeFacts,
}

impl<S: Strategy> LocalPools<S> {
    fn facts(&self) -> &'static TypeFacts {
        (self.facts)(self.index)
    }

    /// Calls `f` with the pool. It calls no user's code but the heap.
    fn with<R>(&self, f: impl FnOnce(&Slots<S>, &Registration) -> R) -> Result<R, OpError> {
        let (mut f, mut result) = (Some(f), None);
        (self.with)(self.index, &mut |slots, registration| {
            result = f.take().map(|f| f(slots, registration));
        })?;
        result.ok_or(OpError::NoMemory)
    }

    /// Registers the pool to be closed when its thread ends, and lists its record. Called before the pool grows.
    #[cold]
    fn register(&'static self) {
        let record = (self.record)(self.index);
        let _ = self.with(|slots, registration| {
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
pub struct LocalPoolRef<E: 'static, S: Strategy> {
    pub(crate) local: Option<&'static LocalPool<TypedPool<E, S>>>,
    pub(crate) pools: &'static LocalPools<S>,
}

impl<E, S: Strategy> Found for LocalPoolRef<E, S> {
    #[inline(always)]
    fn acquire(self, slot: Layout) -> Acquired {
        let Some(local) = self.local else { return Ok(None) };
        let slots = local.slots();
        slots.acquire(slot, || refill(slots, slot, self.pools))
    }

    fn check(self, address: usize, slot: Layout) -> Result<(), Fault> {
        match self.local {
            Some(local) => local.slots().check(address, slot),
            None => Ok(()),
        }
    }

    #[inline(always)]
    unsafe fn release(self, freed: NonNull<u8>, slot: Layout) -> Result<(), Fault> {
        let Some(local) = self.local else { return Ok(()) };
        // SAFETY: the caller gives up a slot of this thread's pool.
        unsafe { local.slots().release(freed, slot) }
    }
}

impl<S: Strategy> PoolOps for LocalPools<S> {
    fn stats(&'static self, _: bool) -> Result<PoolStats, OpError> {
        self.with(|slots, _| slots.stats(self.facts().pool_name(), self.slot))
    }

    fn reserve(&'static self, additional: usize) -> Result<(), OpError> {
        self.register();
        let name = self.facts().pool_name();
        let reserved = self.with(|slots, registration| {
            if slots.cursor.is_closed.get() {
                let record = (self.record)(self.index);
                registration.register_again(self, record, self.facts().type_name);
            }
            slots.try_reserve(additional, name, self.slot)
        })?;
        reserved.map_err(OpError::NoRoom)
    }

    fn prefault(&'static self) -> Result<(), OpError> {
        self.with(|slots, _| slots.cursor.prefault(self.slot))
    }

    fn trim(&'static self) -> Result<usize, OpError> {
        Ok(self.with(|slots, _| slots.trim(self.slot)).unwrap_or(0))
    }

    fn exhausted(&'static self) -> Result<Exhausted, OpError> {
        let name = self.facts().pool_name();
        let why = |slots: &Slots<S>| slots.exhausted(name, slots.is_at_limit(), self.slot);
        // A thread that has no memory for its pool has none for a chunk.
        let none = Slots::<S>::EMPTY;
        Ok(self
            .with(|slots, _| why(slots))
            .unwrap_or_else(|_| none.exhausted(name, false, self.slot)))
    }

    fn visit(&'static self, visit: Visit) -> Option<&'static dyn PoolOps> {
        let visited = self.with(|slots, registration| {
            if visit == Visit::End {
                slots.close(self.slot);
            }
            registration.next(visit, (self.record)(self.index))
        });
        visited.ok().flatten()
    }

    fn is_used_here(&'static self) -> bool {
        self.with(|_, registration| registration.is_registered()).unwrap_or(false)
    }

    #[cfg(feature = "view")]
    fn map(&'static self, _: bool) -> Result<PoolMap, OpError> {
        let name = self.facts().pool_name();
        self.with(|slots, _| slots.map(name, self.slot))
    }
}

impl<E: 'static, S: Strategy> ThreadKey<E, S> {
    const fn pools<T: Pooled<__Storage = Self>>() -> &'static LocalPools<S>
    where
        E: Holds<T>,
    {
        const {
            assert_size(TypedPool::<E, S>::SLOT);
            &LocalPools {
                index: 0,
                with: |_, f| T::__POOL.with(|local| local.show(f)),
                slot: TypedPool::<E, S>::SLOT,
                record: |_| T::__POOL.shared().get(),
                facts: |_| <Self as Storage<T>>::facts(),
            }
        }
    }
}

impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Strategy> Storage<T> for ThreadKey<E, S> {
    type Boxes = Self;
    type Roster = Never;

    fn facts() -> &'static TypeFacts {
        const {
            &TypeFacts {
                type_name: type_name::<T>,
                name: T::__CONFIG.name,
                strategy: S::KIND,
                storage: stats::Storage::ThreadLocal,
                ops: Self::pools::<T>(),
            }
        }
    }
}

// SAFETY: it is this thread's typed pool, which frees no chunk with a live slot, and is never dropped. A slot that `Slots::acquire` gave is
// in no list until it is released.
unsafe impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Strategy> BoxStorage<T>
    for ThreadKey<E, S>
{
    type Slot = E;
    const LAYOUT: Layout = TypedPool::<E, S>::SLOT;
    type Found = LocalPoolRef<E, S>;

    #[inline(always)]
    unsafe fn find(self) -> LocalPoolRef<E, S> {
        // SAFETY: the caller uses it during one operation only, which destroys no thread-local.
        LocalPoolRef { local: unsafe { self.find::<false>() }, pools: Self::pools::<T>() }
    }
}
