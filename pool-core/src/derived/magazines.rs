//! The storage `static` of a pool that grows: one for the whole process, with a magazine of free slots
//! in every thread that uses it.
//!
//! The *magazine* lies on the heap, and a `const` thread-local without a destructor leads there. Most operations
//! touch nothing else. The *depot* is an ordinary pool behind a lock. It is a pointer stack, by layout and whatever the pool's strategy
//! is called: a link in a slot would be read where another thread has written it. An empty magazine fetches a *batch* of slots from the
//! depot, and a full one gives slots back: their addresses are copied. So a lock is taken once for a hundred objects (`depot.rs`).
//! Slots of a type are alike: a freed slot joins the magazine of the thread that frees it, whichever thread took it. (The technique is
//! J. Bonwick's and J. Adams's: *Magazines and Vmem*, 2001.)
//!
//! # Memory ordering
//!
//! Slots go from thread to thread in two ways. Occupied, as an element in a box: that is an ordinary value, and the code that sends it
//! synchronises. Or free, through the depot: the thread that put the slot there released the lock before the thread that takes it
//! acquired the lock, so whatever the first did with the slot happened before. Everything behind the lock is plain. A magazine is its
//! thread's alone, with two exceptions. Its links in the list of all magazines, and the beginning of its array, are behind the lock,
//! too. Its top is a relaxed atomic: other threads read it, for `pool_stats` only.
//!
//! # Address order
//!
//! A pool that has emptied starts anew, in the order of addresses. But it sees only slots that come back to it, and the last
//! live slot is freed into a magazine. So a magazine has a *threshold*. It is the magazine's room, or less if the next free
//! may free the pool's last live slot. The `push` that reaches it takes the lock. If all slots are in the pool or in
//! this magazine, the pool starts anew, which is O(1); if not, the threshold is set again.
//!
//! The threshold is set with the lock held, whenever this thread has taken slots from the depot or given some back. Other
//! threads at the depot may make it wrong, in both directions: a free then takes the lock in vain, once, or the moment
//! goes unnoticed. One thread alone always notices. Slots in the magazines of others keep a pool from starting
//! anew, since they cannot be told from live ones.
//!
//! While no more than two batches circulate, the threshold is the room: otherwise pairs would start the pool anew all the time.
//!
//! # With a limit
//!
//! A pool with `max` has no magazines: each operation goes to the depot, with the lock. So any thread can take all slots, whatever others
//! have done. A pool with `capacity` is another storage altogether (`fixed.rs`).
//!
//! # The end of a thread
//!
//! The thread's slots go back to the depot, and the magazine to the heap (`thread/end.rs`). Destructors of other thread-locals may free and
//! allocate after that: the thread opens a magazine again, as long as something will end it, or goes to the depot for each operation.
//! No slot is stranded in a thread that has ended, unless the thread uses the pool after its last thread-local is destroyed
//! (`magazine.rs`).

use core::alloc::Layout;
use core::any::type_name;
use core::cell::Cell;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::ledger::{OpError, PoolOps, Record, TypeFacts, Visit};
use crate::base::map::PoolMap;
use crate::base::opaque::Resident;
use crate::base::stats::{self, PoolStats};
use crate::base::watch::IS_WATCHED;
use crate::base::watch::hardened::{Fault, IS_HARDENED};
use crate::derived::magazines::depot::{Depot, Entered, State};
use crate::derived::magazines::magazine::{Magazine, Sizes};
use crate::derived::pooled::Pooled;
use crate::derived::storage::{Acquired, BoxStorage, Found, Never, Storage, assert_size};
use crate::derived::with_counts::Holds;
use crate::pool::typed::TypedPool;
use crate::strategy::{InPointerStack, Slots, Strategy};
use crate::thread::local::{Finder, InThread, SharedRecord};
use crate::thread::{end, request};

pub(crate) mod depot;
pub(crate) mod magazine;
#[cfg(test)]
mod tests;

/// The key of a pool, with the statics that are declared for it.
#[doc(hidden)]
#[macro_export]
macro_rules! __static_pool {
    ($pool:ty, $config:expr) => {{
        $crate::__private::thread_local! {
            static __TYPED_POOL_MAGAZINE: $crate::__private::ThreadMagazine =
                const { $crate::__private::ThreadMagazine::new() };
        }
        static __TYPED_POOL_DEPOT: $crate::__private::SharedDepot =
            $crate::__private::StaticPool::<$pool>::new_depot($config);
        let (__magazine, __depot) = (&__TYPED_POOL_MAGAZINE, &raw const __TYPED_POOL_DEPOT);
        // SAFETY: both were declared above, the depot for a `$pool`, and only this refers to them.
        let __key: $crate::__private::StaticPool<$pool> =
            unsafe { $crate::__private::InThread::new(__magazine, __depot) };
        __key
    }};
}

/// An empty magazine, for all threads that have none of their own.
struct NoMagazine(Magazine);

// SAFETY: it never changes. Its bottom, top and threshold are one, so `pop` and `push` only look; anything else is done with a thread's own magazine
// (`ThreadMagazine::own`).
unsafe impl Sync for NoMagazine {}

static NO_MAGAZINE: NoMagazine = NoMagazine(Magazine::none());

/// The magazine of a thread that has none.
const NONE: NonNull<Magazine> =
    NonNull::new((&raw const NO_MAGAZINE.0).cast_mut()).expect("a static has an address");

/// Leads to the magazine of a thread: a thread-local.
///
/// A thread without a magazine refers to one without slots and room. So the hot path need not look whether there is one.
pub struct ThreadMagazine(Cell<NonNull<Magazine>>);

impl ThreadMagazine {
    /// For a thread that has not used the pool yet.
    #[allow(clippy::new_without_default, reason = "for the derive")]
    #[must_use]
    pub const fn new() -> Self {
        Self(Cell::new(NONE))
    }

    /// The thread's magazine, to look for a slot or for room.
    #[inline(always)]
    pub(crate) fn get(&self) -> &Magazine {
        // SAFETY: it leads to a static, or to a block that is freed only once this leads elsewhere (`close`).
        unsafe { self.0.get().as_ref() }
    }

    /// The thread's magazine, if it has one of its own.
    #[inline]
    fn own(&self) -> Option<&Magazine> {
        (self.0.get() != NONE).then(|| self.get())
    }

    /// Takes the magazine from the thread, calls `retire` with it, and frees it.
    fn close<R>(&self, retire: impl FnOnce(&Magazine) -> R) -> Option<R> {
        let magazine = self.own().map(|_| self.0.replace(NONE))?;
        // SAFETY: it is the thread's own, and not freed yet.
        let result = retire(unsafe { magazine.as_ref() });
        // SAFETY: it came from `SharedPools::open`, nothing leads to it from the thread, and it is on the depot's list no more.
        unsafe { Magazine::free(magazine) };
        Some(result)
    }
}

impl Resident for ThreadMagazine {
    #[inline]
    fn is_reclaimable(&self) -> bool {
        self.own().is_none()
    }
}

/// A depot and the pool's record: once for all threads.
pub struct SharedDepot {
    record: SharedRecord,
    depot: Depot,
}

impl SharedDepot {
    /// The depot of a pool with these slots, of this layout.
    #[inline]
    pub(crate) const fn new(slots: Slots<InPointerStack>, slot: Layout) -> Self {
        Self { record: SharedRecord::NEW, depot: Depot::with_slots(slots, slot) }
    }
}

/// Leads to a pool for all threads: a `P`, and a magazine of each thread before it.
pub type StaticPool<P> = InThread<ThreadMagazine, SharedDepot, P>;

// SAFETY: it leads each thread to its own magazine, and all to one depot, which take any slot of the pool.
unsafe impl<P> Send for StaticPool<P> {}

/// Leads to a pool of all threads, and to this thread's magazine before it.
pub(crate) type SharedPools = Finder<ThreadMagazine, SharedDepot>;

impl SharedPools {
    #[inline]
    fn record(&self) -> &'static Record {
        self.shared().record.get()
    }

    #[inline]
    fn depot(&self) -> &'static Depot {
        &self.shared().depot
    }

    /// Takes everything out of this thread's magazine, if it has one.
    #[inline]
    fn flush(&'static self) {
        let _ = self.with(|place| place.own().map(|own| self.depot().flush(own)));
    }

    /// Takes the lock.
    #[inline]
    fn enter(&'static self) -> Entered<'static> {
        self.depot().enter()
    }

    /// [`SharedPools::enter`]; unless it `may_wait`, an error where it might wait for ever ([`Depot::look`]).
    #[inline]
    fn look(&'static self, may_wait: bool) -> Result<Entered<'static>, OpError> {
        if may_wait {
            return Ok(self.enter());
        }
        self.depot().look().ok_or(OpError::InUse)
    }

    /// This thread's magazine, at its first use a new one. `None` if the pool has no magazines, if there is no memory, or if no end
    /// of the thread is still to come.
    #[inline]
    fn own(&'static self, place: Option<&'static ThreadMagazine>) -> Option<&'static Magazine> {
        place?.own().or_else(|| self.open(place?))
    }

    #[cold]
    #[inline]
    fn open(&'static self, place: &'static ThreadMagazine) -> Option<&'static Magazine> {
        // A heap that is a user of the pool would ask for a magazine to meet the request for a magazine.
        if request::asking_thread().is_some() || !end::will_end() {
            return None;
        }
        let depot = self.list();
        let magazine = Magazine::allocate(Sizes::new(self.slot))?;
        // SAFETY: it was just allocated.
        let own = unsafe { magazine.as_ref() };
        depot.enlist(own);
        own.registration.register(self, self.record());
        place.0.set(magazine);
        Some(own)
    }

    /// Lists the pool, before it grows. Returns its depot.
    #[inline(always)]
    fn list(&'static self) -> &'static Depot {
        let SharedDepot { record, depot } = self.shared();
        if !record.get().is_listed() {
            self.list_in(&depot.enter());
        }
        depot
    }

    #[cold]
    #[inline]
    fn list_in(&self, state: &State) {
        state.slots.cursor.chain.record.set(Some(self.record()));
        self.record().join(self.facts());
    }
}

/// A pool, and what leads to this thread's magazine before it, if the pool has magazines.
pub struct SharedPoolRef {
    pub(crate) place: Option<&'static ThreadMagazine>,
    pub(crate) pools: &'static SharedPools,
}

impl Found for SharedPoolRef {
    #[inline(always)]
    fn acquire(self, slot: Layout) -> Acquired {
        let Self { place, pools } = self;
        if IS_WATCHED {
            // The panic comes after the lock is released: it calls the user's code (a panic hook).
            let state = pools.enter();
            return state.slots.acquire(slot, || {
                pools.list_in(&state);
                state.refill()
            });
        }
        if let Some(place) = place {
            if let Some(taken) = place.get().pop(slot.size()) {
                return Ok(Some(taken));
            }
        }
        Ok(fetch(pools, place))
    }

    #[inline]
    fn check(self, address: usize, slot: Layout) -> Result<(), Fault> {
        // In a debug build this would take a lock where there is none otherwise.
        if !IS_HARDENED {
            return Ok(());
        }
        self.pools.enter().slots.check(address, slot)
    }

    #[inline(always)]
    unsafe fn release(self, freed: NonNull<u8>, slot: Layout) -> Result<(), Fault> {
        let Self { place, pools } = self;
        if IS_WATCHED {
            // Check and release under one lock, or another thread could free the slot in between.
            let state = pools.enter();
            // SAFETY: the caller gives up a slot of this pool.
            return unsafe { state.slots.release(freed, slot) };
        }
        if let Some(place) = place {
            // SAFETY: the caller gives up a slot of this pool.
            if unsafe { place.get().push(freed, slot.size()) } {
                return Ok(());
            }
        }
        // SAFETY: the caller gives up a slot of this pool, which `push` has not taken.
        unsafe { overflow(pools, place, freed) };
        Ok(())
    }
}

/// Takes a slot where the magazine has none, and a batch with it.
///
/// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/reclaim.rs`.
#[cold]
#[inline]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
extern "C" fn fetch(
    pools: &'static SharedPools,
    place: Option<&'static ThreadMagazine>,
) -> Option<NonNull<u8>> {
    match pools.own(place) {
        // It was listed before the magazine was opened.
        Some(own) => pools.depot().fetch(own),
        None => pools.list().enter().acquire(),
    }
}

/// Takes a slot back where the magazine has no room, or where the slot may be the last live one.
///
/// # Safety
///
/// As for [`Found::release`].
#[cold]
#[inline]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
unsafe extern "C" fn overflow(
    pools: &'static SharedPools,
    place: Option<&'static ThreadMagazine>,
    freed: NonNull<u8>,
) {
    match pools.own(place) {
        // SAFETY: the caller gives up a slot of this pool.
        Some(own) => unsafe { pools.depot().overflow(own, freed) },
        None => {
            let state = pools.enter();
            // SAFETY: as above.
            unsafe { state.slots.put(freed.as_ptr(), pools.slot) };
        }
    }
}

impl PoolOps for SharedPools {
    #[inline]
    fn stats(&'static self, may_wait: bool) -> Result<PoolStats, OpError> {
        let TypeFacts { strategy, .. } = *self.facts();
        let stats = self.look(may_wait)?.stats(self.facts().pool_name());
        Ok(PoolStats { strategy, ..stats })
    }

    #[inline]
    fn reserve(&'static self, additional: usize) -> Result<(), OpError> {
        self.list();
        // Slots in this thread's magazine count as room, too, and any thread may take them after this.
        self.flush();
        let name = self.facts().pool_name();
        let reserved = self.enter().slots.try_reserve(additional, name, self.slot);
        reserved.map_err(OpError::NoRoom)
    }

    #[inline]
    fn prefault(&'static self) -> Result<(), OpError> {
        self.enter().slots.cursor.prefault(self.slot);
        Ok(())
    }

    #[inline]
    fn trim(&'static self) -> Result<usize, OpError> {
        self.flush();
        Ok(self.enter().slots.trim(self.slot))
    }

    #[inline]
    fn exhausted(&'static self) -> Result<Exhausted, OpError> {
        let name = self.facts().pool_name();
        Ok(self.enter().exhausted(name))
    }

    #[inline]
    fn visit(&'static self, visit: Visit) -> Option<&'static dyn PoolOps> {
        let visited = self.with(|place| match visit {
            Visit::End => place.close(|own| {
                self.depot().retire(own);
                own.registration.next(visit, self.record())
            })?,
            Visit::Flush => {
                let own = place.own()?;
                self.depot().flush(own);
                own.registration.next(visit, self.record())
            }
        });
        visited.ok().flatten()
    }

    #[cfg(feature = "view")]
    #[inline]
    fn map(&'static self, may_wait: bool) -> Result<PoolMap, OpError> {
        // The heap is asked without the lock.
        let name = self.facts().pool_name();
        let capacity = self.look(may_wait)?.slots.map_capacity();
        let mut map = PoolMap::with_capacity(name, self.slot.size(), capacity);
        let mut draw =
            |own: Option<&Magazine>| self.look(may_wait).map(|state| state.draw(&mut map, own));
        // A thread without memory for its thread-local has no magazine.
        self.with(|place| draw(place.own())).unwrap_or_else(|_| draw(None))?;
        Ok(map)
    }
}

/// The key of a pool whose slots are `E`s.
type StaticKey<E, S> = StaticPool<TypedPool<E, S>>;

impl<E: 'static, S: Strategy> StaticKey<E, S> {
    /// The depot of a pool that grows as `config` says.
    #[must_use]
    pub const fn new_depot(config: Config) -> SharedDepot {
        SharedDepot::new(Slots::new(config), TypedPool::<E, S>::SLOT)
    }

    const fn pools<T: Pooled<__Storage = Self>>() -> &'static SharedPools
    where
        E: Holds<T>,
    {
        const {
            assert_size(TypedPool::<E, S>::SLOT);
            &Finder {
                index: 0,
                with: |_, f| _ = T::__POOL.with(f),
                shared: |_| T::__POOL.shared(),
                slot: TypedPool::<E, S>::SLOT,
                facts: |_| <Self as Storage<T>>::facts(),
            }
        }
    }
}

impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Strategy> Storage<T> for StaticKey<E, S> {
    type Boxes = Self;
    type Roster = Never;

    fn facts() -> &'static TypeFacts {
        const {
            &TypeFacts {
                type_name: type_name::<T>,
                name: T::__CONFIG.name,
                strategy: S::KIND,
                storage: stats::Storage::Static,
                ops: Self::pools::<T>(),
            }
        }
    }
}

// SAFETY: it is the one pool of the type, which is never dropped. Slots go by way of magazines, and each is in one place at a time.
unsafe impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Strategy> BoxStorage<T>
    for StaticKey<E, S>
{
    type Slot = E;
    const LAYOUT: Layout = TypedPool::<E, S>::SLOT;
    type Found = SharedPoolRef;

    #[inline(always)]
    unsafe fn find(self) -> SharedPoolRef {
        // A pool with a limit has no magazines.
        let place = match const { T::__CONFIG.max < usize::MAX } {
            true => None,
            // SAFETY: the caller uses it during one operation only, which destroys no thread-local.
            false => unsafe { self.find::<true>() },
        };
        SharedPoolRef { place, pools: Self::pools::<T>() }
    }
}
