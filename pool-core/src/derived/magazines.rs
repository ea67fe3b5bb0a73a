//! The storage `static` of a pool that grows: one for the whole process, with a magazine of free slots
//! in every thread that uses it.
//!
//! The *magazine* is a `const` thread-local without a destructor, as in `local.rs`, and most operations
//! touch nothing else. The *depot* is a stack of batches of free slots, and an ordinary pool (a pointer stack
//! or a free list, with all that these can do), behind a lock. A magazine has room for two batches, and for
//! spare ones if they are not large. An empty magazine fetches a batch from the depot, a full one gives
//! one back, as a whole; so a lock is taken once for a hundred objects, for a moment whose length does not depend on
//! their number (`depot.rs`). Slots of a type are alike: a freed slot joins the magazine of the thread that
//! frees it, whichever thread took it.
//! (The technique is J. Bonwick's and J. Adams's: *Magazines and Vmem*, 2001.)
//!
//! # Memory ordering
//!
//! Slots go from thread to thread in two ways. As an element in a box: that is an ordinary value, and
//! the code that sends it synchronises. Or free, through the depot: then the thread that put it there released
//! the lock before the one that takes it acquired it, so whatever the first did with the slot has
//! happened before. Everything behind the lock is plain. A magazine is its thread's alone, except for its
//! links in the list of all, which are behind the lock, too; its length, which other threads read for
//! `pool_stats`: a relaxed atomic, since it serves statistics only.
//!
//! # Address order
//!
//! A pool that has emptied starts anew, in the order of addresses. But it sees only what comes back to it, and the last
//! slot to come home ends in a magazine. So a magazine has a threshold, its *trip*. It is the magazine's room, or less if
//! one more free would bring home the last slot. The `push` that reaches it takes the lock. If all slots are in batches or in
//! this magazine, it forgets them all, which is O(1); if not, it sets the trip again.
//!
//! The trip is set with the lock held, whenever this thread has taken slots from the depot or given some back. What
//! other threads do there may make it wrong, in both directions: a free then takes the lock in vain, once, or
//! the moment goes unnoticed. One thread alone always notices. Slots in the magazines of others keep a pool from starting
//! anew, since they cannot be told from live ones.
//!
//! A thread that had no more slots out than are at hand does without: pairs would start anew all the time.
//!
//! # With a limit
//!
//! A pool with `max` has no magazines: each operation goes to the depot, with the lock. So any thread can take all slots, whatever others
//! have done. A pool with `capacity` is another storage altogether (`fixed.rs`).
//!
//! # The end of a thread
//!
//! The thread's slots go back to the depot (`thread_exit.rs`). Destructors of other thread-locals may free and
//! allocate after that: the magazine has no room from then on, and each such operation goes to the depot
//! by itself. Nothing is stranded in a thread that has ended.

use core::alloc::Layout;
use core::any::type_name;
use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::ledger::{Facts, Record, Refusal, Share, Upkeep, Visit};
#[cfg(feature = "view")]
use crate::base::map::PoolMap;
use crate::base::stats::{self, PoolStats};
use crate::base::watch::IS_WATCHED;
use crate::base::watch::hardened::{Fault, IS_HARDENED};
use crate::base::watch::sites::Line;
use crate::derived::magazines::cache::{Cache as _, Shareable, Sizes};
use crate::derived::magazines::depot::Depot;
use crate::derived::magazines::magazine::Magazine;
use crate::derived::magazines::state::State;
use crate::derived::pooled::Pooled;
use crate::derived::storage::{Acquired, BoxStorage, Found, Never, Storage, assert_size};
use crate::derived::thread_local::{Companion, InThread, LocalKey};
use crate::derived::with_counts::Holds;
use crate::pointer::sealed::Sealed;
use crate::pool::typed::TypedPool;
use crate::strategy::Slots;

mod batches;
pub(crate) mod cache;
pub(crate) mod depot;
pub(crate) mod magazine;
mod state;
#[cfg(test)]
mod tests;

/// The key of a pool, with the statics that are declared for it.
#[doc(hidden)]
#[macro_export]
macro_rules! __static_pool {
    ($pool:ty, $config:expr) => {{
        $crate::__private::thread_local! {
            static __TYPED_POOL_MAGAZINE: $crate::__private::MagazineOf<$pool> =
                const { $crate::__private::MagazineOf::<$pool>::new() };
        }
        static __TYPED_POOL_DEPOT: $crate::__private::DepotOf<$pool> =
            $crate::__private::StaticPool::<$pool>::new_depot($config);
        let (magazine, depot) = (&__TYPED_POOL_MAGAZINE, &raw const __TYPED_POOL_DEPOT);
        // SAFETY: both were declared above, and only this refers to them.
        let key: $crate::__private::StaticPool<$pool> =
            unsafe { $crate::__private::StaticPool::new(magazine, depot) };
        key
    }};
}

/// A pool that threads share by way of magazines, as the derive names it.
#[doc(hidden)]
pub trait HasStrategy: 'static {
    /// How it remembers vacant slots.
    type Strategy: Shareable;
}

impl<E: 'static, S: Shareable> HasStrategy for TypedPool<E, S> {
    type Strategy = S;
}

/// What a thread keeps of such a pool.
pub type MagazineOf<P> = Magazine<<P as HasStrategy>::Strategy>;

/// What all threads share of it.
pub type DepotOf<P> = SharedDepot<<P as HasStrategy>::Strategy>;

/// A depot, and what else there is once for all threads.
pub struct SharedDepot<S: Shareable> {
    pub(crate) companion: Companion,
    depot: Depot<S>,
}

impl<S: Shareable> SharedDepot<S> {
    /// The depot of a pool of such slots that grows as `config` says.
    pub(crate) const fn new(config: Config, slot: Layout) -> Self {
        let sizes = match IS_WATCHED || has_limit(&config) {
            true => Sizes::NONE,
            false => Sizes::new(slot, S::Cache::AT_HAND),
        };
        let depot = Depot::with_slots(Slots::new(config), slot, sizes);
        Self { companion: Companion::NEW, depot }
    }
}

/// Leads to a pool for all threads: a `P`, and a magazine of each thread before it.
pub struct StaticPool<P: HasStrategy> {
    magazine: InThread<MagazineOf<P>>,
    /// A pointer for the reason given in `storage.rs`.
    depot: *const DepotOf<P>,
    marker: PhantomData<fn(P) -> P>,
}

impl<P: HasStrategy> Clone for StaticPool<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: HasStrategy> Copy for StaticPool<P> {}

// SAFETY: it leads each thread to its own magazine, and all to one depot, which take any slot of the pool.
unsafe impl<P: HasStrategy> Send for StaticPool<P> {}

impl<P: HasStrategy> Sealed for StaticPool<P> {}

impl<P: HasStrategy> StaticPool<P> {
    /// Both as one pool.
    ///
    /// # Safety
    ///
    /// They were declared for it, the magazine with a constant initialiser, the depot as a static.
    pub const unsafe fn new(
        magazine: &'static LocalKey<MagazineOf<P>>,
        depot: *const DepotOf<P>,
    ) -> Self {
        // SAFETY: it points to a static (caller).
        let companion = unsafe { &raw const (*depot).companion };
        // SAFETY: passed on from the caller; a magazine has no destructor.
        let magazine = unsafe { InThread::new(magazine, companion) };
        Self { magazine, depot, marker: PhantomData }
    }
}

/// Whether the pool has a limit, and therefore no magazines.
const fn has_limit(config: &Config) -> bool {
    config.max < usize::MAX
}

/// What is done with a thread's magazine.
pub(crate) type MagazineUse<'a, S> = dyn FnMut(&Magazine<S>) + 'a;

/// Leads to a pool of all threads, of one type or of one class of layouts, and to this thread's magazine before it, where neither
/// is known: for all but the hot path, which is compiled once for each strategy.
pub(crate) struct SharedPools<S: Shareable> {
    /// Which of those that the functions lead to.
    pub(crate) index: usize,
    /// [`InThread::with`] for this thread's magazine.
    pub(crate) with: fn(usize, &mut MagazineUse<'_, S>) -> Result<(), Refusal>,
    /// A static. A pointer for the reason given in `storage.rs`.
    pub(crate) depot: *const SharedDepot<S>,
    pub(crate) facts: fn(usize) -> &'static Facts,
}

// SAFETY: the depot is `Sync`.
unsafe impl<S: Shareable> Sync for SharedPools<S> {}

impl<S: Shareable> SharedPools<S> {
    fn facts(&self) -> &'static Facts {
        (self.facts)(self.index)
    }

    fn shared(&self) -> &'static SharedDepot<S> {
        // SAFETY: it points to a static.
        unsafe { &*self.depot }
    }

    fn record(&self) -> &'static Record {
        &self.shared().companion.record
    }

    fn depot(&self) -> &'static Depot<S> {
        &self.shared().depot
    }

    /// Calls `f` with this thread's magazine, if it has one. It calls no user's code but the heap.
    fn with<R>(&self, f: impl FnOnce(Option<&Magazine<S>>) -> R) -> R {
        let (mut f, mut result) = (Some(f), None);
        let mut call = |magazine: Option<&_>| result = f.take().map(|f| f(magazine));
        if (self.with)(self.index, &mut |magazine| call(Some(magazine))).is_err() {
            call(None);
        }
        result.expect("called once")
    }

    /// Calls `f` with the lock held.
    fn enter<R>(&'static self, f: impl FnOnce(&State<S>) -> R) -> R {
        self.depot().enter(f)
    }

    /// [`SharedPools::enter`]; unless it `may_wait`, `None` where that might be for ever ([`Depot::look`]).
    fn look<R>(
        &'static self,
        may_wait: bool,
        f: impl FnOnce(&State<S>) -> R,
    ) -> Result<R, Refusal> {
        if may_wait {
            return Ok(self.enter(f));
        }
        self.depot().look(f).ok_or(Refusal::InUse)
    }

    /// Gives the magazine room at its first use, and sees to it that its thread's end empties it.
    fn open(&'static self, magazine: &Magazine<S>) {
        if magazine.registration.is_registered() {
            return;
        }
        if magazine.registration.register(self, self.record()) {
            self.depot().enlist(magazine);
        }
        self.list();
    }

    /// Has the pool listed, before it grows.
    fn list(&'static self) {
        if !self.record().is_listed() {
            self.enter(|state| self.list_in(state));
        }
    }

    fn list_in(&self, state: &State<S>) {
        if !self.record().is_listed() {
            state.slots.cursor.chain.share.set(Share::of(self.record()));
            self.record().join(self.facts());
        }
    }
}

/// A pool, and this thread's magazine before it, if there is one.
pub struct FoundShared<S: Shareable> {
    pub(crate) magazine: Option<&'static Magazine<S>>,
    pub(crate) pools: &'static SharedPools<S>,
}

// SAFETY: slots come from a pool that is never dropped, perhaps by way of magazines, and each is in one place at a time.
unsafe impl<S: Shareable> Found for FoundShared<S> {
    #[inline(always)]
    fn acquire(self, slot: Layout, line: Line) -> Acquired {
        let Self { magazine, pools } = self;
        if IS_WATCHED {
            // The panic comes after the lock is released: it calls the user's code (a panic hook).
            return pools.enter(|state| {
                state.slots.acquire(slot, line, || {
                    pools.list_in(state);
                    state.refill(slot)
                })
            });
        }
        if let Some(magazine) = magazine {
            if let Some(taken) = magazine.slots.pop(slot.size()) {
                return Ok(Some(taken));
            }
        }
        Ok(fetch(pools, magazine))
    }

    fn check(self, address: usize, slot: Layout) -> Result<(), Fault> {
        // In a debug build this would take a lock where there is none otherwise.
        if !IS_HARDENED {
            return Ok(());
        }
        self.pools.enter(|state| state.slots.check(address, slot))
    }

    #[inline(always)]
    unsafe fn release(self, freed: NonNull<u8>, slot: Layout) -> Result<(), Fault> {
        let Self { magazine, pools } = self;
        if IS_WATCHED {
            // Check and release under one lock, or another thread could free the slot in between.
            // SAFETY: passed on from the caller.
            return pools.enter(|state| unsafe { state.slots.release(freed, slot) });
        }
        if let Some(magazine) = magazine {
            // SAFETY: passed on from the caller.
            if unsafe { magazine.push(freed, slot) } {
                return Ok(());
            }
        }
        // SAFETY: passed on from the caller.
        unsafe { overflow(pools, magazine, freed) };
        Ok(())
    }
}

/// Takes a slot where the magazine has none at hand, and a batch with it.
///
/// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/reclaim.rs`.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
extern "C" fn fetch<S: Shareable>(
    pools: &'static SharedPools<S>,
    magazine: Option<&Magazine<S>>,
) -> Option<NonNull<u8>> {
    let Some(own) = magazine else {
        pools.list();
        return pools.depot().enter(State::acquire);
    };
    pools.open(own);
    pools.depot().fetch(own)
}

/// Takes a slot back where the magazine has no room, and a batch out of it.
///
/// # Safety
///
/// As for [`Found::release`].
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
unsafe extern "C" fn overflow<S: Shareable>(
    pools: &'static SharedPools<S>,
    magazine: Option<&Magazine<S>>,
    freed: NonNull<u8>,
) {
    let Some(own) = magazine else {
        // SAFETY: passed on from the caller.
        return pools.depot().enter(|state| unsafe { state.release(freed) });
    };
    pools.open(own);
    // SAFETY: passed on from the caller.
    unsafe { pools.depot().overflow(own, freed) };
}

impl<S: Shareable> Upkeep for SharedPools<S> {
    fn stats(&'static self, may_wait: bool) -> Result<PoolStats, Refusal> {
        self.look(may_wait, |state| state.stats(self.facts().pool_name()))
    }

    fn show_lines(
        &'static self,
        may_wait: bool,
        found: &mut dyn FnMut(Line),
    ) -> Result<(), Refusal> {
        self.look(may_wait, |state| state.slots.show_lines(found))
    }

    fn reserve(&'static self, additional: usize) -> Result<(), Refusal> {
        self.list();
        // What this thread keeps at hand is room, too, for any thread.
        self.with(|magazine| magazine.into_iter().for_each(|own| self.depot().flush(own)));
        let reserved = self.enter(|state| {
            // What is in batches is at hand, too, though the pool does not know it.
            let (slots, name) = (&state.slots, self.facts().pool_name());
            let reserved = slots.try_reserve(additional, state.in_batches(), name, state.slot);
            state.ensure_nodes();
            reserved
        });
        reserved.map_err(Refusal::NoRoom)
    }

    fn prefault(&'static self) -> Result<(), Refusal> {
        self.enter(|state| state.slots.cursor.prefault(state.slot));
        Ok(())
    }

    fn trim(&'static self) -> Result<usize, Refusal> {
        if IS_WATCHED {
            return Ok(self.enter(|state| state.slots.trim(state.slot)));
        }
        Ok(self.with(|magazine| self.depot().trim(magazine)))
    }

    fn exhausted(&'static self) -> Result<Exhausted, Refusal> {
        let name = self.facts().pool_name();
        Ok(self.enter(|state| state.exhausted(name)))
    }

    fn visit(&'static self, visit: Visit) -> Option<&'static dyn Upkeep> {
        self.with(|magazine| {
            let magazine = magazine?;
            match visit {
                Visit::End => self.depot().retire(magazine),
                Visit::Flush => self.depot().flush(magazine),
            }
            magazine.registration.next(visit, self.record())
        })
    }

    #[cfg(feature = "view")]
    fn map(&'static self) -> Result<PoolMap, Refusal> {
        // The heap is asked without the lock.
        let name = self.facts().pool_name();
        let (slot, room) = self.enter(|state| (state.slot, state.slots.map_room()));
        let mut map = PoolMap::with_room(name, slot.size(), room);
        self.with(|own| self.depot().enter(|state| state.draw(&mut map, own)));
        Ok(map)
    }
}

/// The key of a pool whose slots are `E`s.
type StaticKey<E, S> = StaticPool<TypedPool<E, S>>;

impl<E: 'static, S: Shareable> StaticKey<E, S> {
    /// The depot of a pool that grows as `config` says.
    pub const fn new_depot(config: Config) -> SharedDepot<S> {
        SharedDepot::new(config, TypedPool::<E, S>::SLOT)
    }

    const fn pools<T: Pooled<__Storage = Self>>() -> &'static SharedPools<S>
    where
        E: Holds<T>,
    {
        const {
            assert_size(TypedPool::<E, S>::SLOT);
            &SharedPools {
                index: 0,
                with: |_, f| T::__POOL.magazine.with(f),
                depot: T::__POOL.depot,
                facts: |_| <Self as Storage<T>>::facts(),
            }
        }
    }
}

impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Shareable> Storage<T> for StaticKey<E, S> {
    type Boxes = Self;
    type Roster = Never;

    fn facts() -> &'static Facts {
        const {
            &Facts {
                type_name: type_name::<T>,
                name: T::__CONFIG.name,
                strategy: S::KIND,
                storage: stats::Storage::Static,
                upkeep: Self::pools::<T>(),
            }
        }
    }
}

// SAFETY: it is the one pool of the type, which is never dropped.
unsafe impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Shareable> BoxStorage<T>
    for StaticKey<E, S>
{
    type Slot = E;
    const LAYOUT: Layout = TypedPool::<E, S>::SLOT;
    type Found = FoundShared<S>;

    #[inline(always)]
    unsafe fn find(self) -> FoundShared<S> {
        let magazine = match const { has_limit(&T::__CONFIG) } {
            true => None,
            // SAFETY: passed on from the caller.
            false => unsafe { self.magazine.find() },
        };
        FoundShared { magazine, pools: Self::pools::<T>() }
    }
}
