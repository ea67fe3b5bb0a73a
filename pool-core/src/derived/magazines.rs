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
//! `pool_stats`: a relaxed atomic, since it serves statistics only; and the slots that are held (`held.rs`).
//!
//! # Address order
//!
//! A pool that has emptied starts anew, in the order of addresses. But it sees only what comes back to it, and the last
//! slot to come home ends in a magazine. So a magazine has a *trip*: `push` compares the number of slots at hand with that
//! instead of with the room, and where the next slot would be the last, the trip is lower than the room. The free that
//! trips takes the lock. If all slots are in batches or in this magazine, it forgets them all, which is O(1); if not, it
//! sets the trip again.
//!
//! The trip is set with the lock held, whenever this thread has taken slots from the depot or given some back. What
//! other threads do there may make it wrong, in both directions: a free then takes the lock in vain, once, or
//! the moment goes unnoticed. One thread alone always notices. Slots in the magazines of others keep a pool from starting
//! anew, since they cannot be told from live ones.
//!
//! A thread that had no more slots out than are at hand does without: pairs would start anew all the time.
//!
//! # Near a limit
//!
//! Other threads cannot take slots from the magazine of an idle thread. A pool that can grow does not need them. In a
//! pool with a limit (`max`) a thread holds its slots where others can take them too, so they are brought back before
//! an allocation is refused (`held.rs`). They have a trip, too. A pool with `capacity` is another storage altogether
//! (`fixed.rs`).
//!
//! # The end of a thread
//!
//! The thread's slots go back to the depot (`thread_exit.rs`). Destructors of other thread-locals may free and
//! allocate after that: the magazine has no room from then on, and each such operation goes to the depot
//! by itself. Nothing is stranded in a thread that has ended.

use core::alloc::Layout;
use core::any::type_name;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::ledger::{self, Facts, Owner, Record, Refusal, Upkeep};
use crate::base::stats::PoolStats;
use crate::base::watch::IS_WATCHED;
use crate::base::watch::hardened::{Fault, IS_HARDENED};
use crate::base::watch::sites::Line;
use crate::derived::in_thread::{Companion, InThread};
use crate::derived::key::InStatic;
use crate::derived::magazines::cache::{ArrayCache, Cache, ListCache, Shareable, Sizes};
use crate::derived::magazines::depot::Depot;
use crate::derived::magazines::held::MAX_HELD;
use crate::derived::magazines::magazine::Magazine;
use crate::derived::magazines::state::State;
use crate::derived::pooled::Pooled;
use crate::derived::storage::{
    BoxStorage, CountedStorage, Never, SharedStorage, Storage, assert_size,
};
use crate::derived::thread_exit::{Close, Visit};
use crate::derived::thread_local::LocalKey;
use crate::derived::with_counts::{Holds, RefCounts, panic_of_taken};
use crate::pool::typed::TypedPool;
#[cfg(feature = "passthrough")]
use crate::strategy::{InBlocks, Strategy};
use crate::strategy::{InFreeList, InPointerStack, Slots};

mod batches;
pub(crate) mod cache;
pub(crate) mod depot;
pub(crate) mod held;
pub(crate) mod magazine;
#[cfg(feature = "view")]
mod map;
mod state;
#[cfg(test)]
mod tests;

/// The key of a pool, with the statics that are declared for it.
#[doc(hidden)]
#[macro_export]
macro_rules! __static_pool {
    (@ $pool:ty, $config:expr) => {{
        $crate::__private::thread_local! {
            static __TYPED_POOL_MAGAZINE: $crate::__private::MagazineOf<$pool> =
                const { $crate::__private::MagazineOf::<$pool>::EMPTY };
        }
        static __TYPED_POOL_DEPOT: $crate::__private::DepotOf<$pool> = <$pool>::depot($config);
        static __TYPED_POOL_COMPANION: $crate::__private::Companion =
            $crate::__private::Companion::NEW;
        static __TYPED_POOL: $pool =
            // SAFETY: all were declared above, and only this refers to them.
            unsafe {
                $crate::__private::StaticPool::new(
                    &__TYPED_POOL_MAGAZINE,
                    &raw const __TYPED_POOL_COMPANION,
                    &__TYPED_POOL_DEPOT,
                )
            };
        // SAFETY: the static was declared above, and only this refers to it.
        unsafe { $crate::__private::InStatic::new(&raw const __TYPED_POOL) }
    }};
    ($pool:ty, $config:expr) => {
        $crate::__static_pool!(@ $crate::__private::StaticPool<$pool>, $config)
    };
}

/// The key of a pool with a capacity, which would lie in a static without the feature.
#[cfg(feature = "passthrough")]
#[doc(hidden)]
#[macro_export]
macro_rules! __static_slots {
    ($pool:ty) => {
        $crate::__static_pool!(@ $pool, <$pool>::CONFIG)
    };
}

#[cfg(feature = "passthrough")]
#[allow(private_bounds, reason = "for the derive")]
impl<E: 'static, S: Strategy, const CAPACITY: usize>
    StaticPool<TypedPool<E, InBlocks<S, CAPACITY>>>
{
    /// How a pool with a capacity grows.
    pub const CONFIG: Config = Config::new().capacity(CAPACITY);
}

/// A pool that threads share by way of magazines, as the derive names it.
#[doc(hidden)]
#[allow(private_bounds, unnameable_types, reason = "for the derive")]
pub trait SharedPool: 'static {
    /// How it remembers vacant slots.
    type Strategy: Shareable;
}

impl<E: 'static, S: Shareable> SharedPool for TypedPool<E, S> {
    type Strategy = S;
}

impl<P: SharedPool> SharedPool for StaticPool<P> {
    type Strategy = P::Strategy;
}

/// What a thread keeps of such a pool.
pub type MagazineOf<P> = Magazine<<P as SharedPool>::Strategy>;

/// What all threads share of it.
pub type DepotOf<P> = Depot<<P as SharedPool>::Strategy>;

/// A pool for all threads: a `P`, and a magazine of each thread before it.
///
/// Constant, so the compiler sees through it: it has only the address of the depot, which changes.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct StaticPool<P: SharedPool> {
    magazine: InThread<MagazineOf<P>>,
    depot: &'static DepotOf<P>,
}

impl<P: SharedPool> StaticPool<P> {
    /// The three as one pool.
    ///
    /// # Safety
    ///
    /// They were declared for it, the magazine with a constant initialiser.
    pub const unsafe fn new(
        magazine: &'static LocalKey<MagazineOf<P>>,
        companion: *const Companion,
        depot: &'static DepotOf<P>,
    ) -> Self {
        // SAFETY: passed on from the caller; a magazine has no destructor.
        Self { magazine: unsafe { InThread::new(magazine, companion) }, depot }
    }
}

#[allow(private_bounds, reason = "for the derive")]
impl<E: 'static, S: Shareable> StaticPool<TypedPool<E, S>> {
    /// The depot of a pool that grows as `config` says.
    pub const fn depot(config: Config) -> DepotOf<TypedPool<E, S>> {
        Depot::new(config, TypedPool::<E, S>::SLOT)
    }
}

macro_rules! empty {
    ($($Strategy:ident $Cache:ident)*) => {$(
        impl<const HELD: usize> Magazine<$Strategy, HELD> {
            /// The magazine of a thread that has not used the pool yet.
            #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
            pub const EMPTY: Self = Self::new($Cache::new());
        }
    )*};
}

#[cfg(feature = "passthrough")]
impl<S: Strategy, const CAPACITY: usize, const HELD: usize> Magazine<InBlocks<S, CAPACITY>, HELD> {
    /// A magazine that is never used.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self = Self::new(ListCache::new());
}

empty! { InFreeList ListCache InPointerStack ArrayCache }

/// Whether each operation goes to the pool itself, with the lock, because each slot is watched.
const IS_DIRECT: bool = IS_WATCHED || cfg!(feature = "passthrough");

#[allow(private_bounds, reason = "for this crate")]
impl<S: Shareable, const HELD: usize> Depot<S, HELD> {
    /// The depot of a pool of such slots that grows as `config` says.
    pub(crate) const fn new(config: Config, slot: Layout) -> Self {
        let sizes = match IS_DIRECT {
            true => Sizes::NONE,
            false => Sizes::new(slot, config.max, S::Cache::AT_HAND),
        };
        Self::with_slots(Slots::new(config), slot, sizes)
    }
}

/// Leads to a pool of all threads, of one type or of one class of layouts, and to this thread's magazine before it, where neither
/// is known: for all but the hot path, which is compiled once for each strategy.
pub(crate) struct SharedPools<S: Shareable, const HELD: usize = MAX_HELD> {
    /// This thread's magazine. As unsafe as [`InThread::find`].
    pub(crate) magazine: unsafe fn() -> Option<&'static Magazine<S, HELD>>,
    pub(crate) depot: fn() -> &'static Depot<S, HELD>,
    /// Sees to it that this thread's end empties the magazine, which is registered for the first time; `false` if the end has
    /// come already.
    pub(crate) register: fn(&Magazine<S, HELD>) -> bool,
    /// Calls [`SharedPools::forget_others`].
    pub(crate) forget_others: fn(),
    pub(crate) record: fn() -> &'static Record,
    pub(crate) facts: fn() -> &'static Facts,
}

impl<S: Shareable, const HELD: usize> SharedPools<S, HELD> {
    /// Calls `f` with this thread's magazine, if it has one. It calls no user's code but the heap.
    fn with<R>(&self, f: impl FnOnce(Option<&Magazine<S, HELD>>) -> R) -> R {
        // SAFETY: it is used until `f` returns.
        f(unsafe { (self.magazine)() })
    }

    /// Calls `f` with the lock held.
    fn enter<R>(&'static self, f: impl FnOnce(&State<S, HELD>) -> R) -> R {
        self.follow();
        self.with(|magazine| (self.depot)().enter(magazine, f))
    }

    /// [`SharedPools::enter`]; unless it `may_wait`, `None` where that might be for ever ([`Depot::look`]).
    fn look<R>(
        &'static self,
        may_wait: bool,
        f: impl FnOnce(&State<S, HELD>) -> R,
    ) -> Result<R, Refusal> {
        if may_wait {
            return Ok(self.enter(f));
        }
        self.with(|magazine| (self.depot)().look(magazine, f)).ok_or(Refusal::InUse)
    }

    /// Sees to it that the pool may be used in the child of a `fork`. Before its lock is taken.
    fn follow(&'static self) {
        (self.depot)().lock.follow(&self.forget_others);
    }

    /// In the child of a `fork`: forgets the magazines of threads that stayed behind.
    pub(crate) fn forget_others(&self) {
        self.with(|magazine| (self.depot)().forget_others(magazine));
    }

    /// Gives the magazine room, and sees to it that its thread's end empties it.
    fn open(&'static self, magazine: &Magazine<S, HELD>) {
        if magazine.registration.is_registered() {
            return;
        }
        self.follow();
        if (self.register)(magazine) {
            (self.depot)().enlist(magazine);
        }
        self.list();
    }

    /// Has the pool listed, before it grows.
    fn list(&'static self) {
        if !(self.record)().is_listed() {
            self.enter(|state| self.list_in(state));
        }
    }

    fn list_in(&self, state: &State<S, HELD>) {
        let (cursor, facts) = (&state.slots.cursor, (self.facts)());
        if S::HAS_BLOCKS {
            return (self.record)().join(facts);
        }
        let name = cursor.config.name.unwrap_or_else(facts.type_name);
        cursor.account.open(facts, name, Owner::NONE);
    }

    /// Empties this thread's magazine, which may be ending; returns what comes next.
    pub(crate) fn visit(&self, visit: Visit) -> Option<Close> {
        self.with(|magazine| {
            let magazine = magazine?;
            match visit {
                Visit::End => (self.depot)().retire(magazine),
                Visit::Flush => (self.depot)().flush(magazine),
            }
            magazine.registration.next(visit)
        })
    }

    /// Takes a slot for a line, with the lock.
    fn acquire_directly(
        &'static self,
        slot: Layout,
        line: Line,
    ) -> Result<Option<NonNull<u8>>, (NonNull<u8>, Fault)> {
        self.enter(|state| {
            state.slots.acquire(slot, line, || {
                self.list_in(state);
                state.refill()
            })
        })
    }

    /// Takes a slot for a line; `None` if there is none, or an error with a slot that was written to while it was free.
    #[inline(always)]
    pub(crate) fn acquire(
        &'static self,
        magazine: Option<&Magazine<S, HELD>>,
        slot: Layout,
        line: Line,
    ) -> Result<Option<NonNull<u8>>, (NonNull<u8>, Fault)> {
        if IS_DIRECT {
            // The panic comes after the lock is released: it calls the user's code (a panic hook).
            return self.acquire_directly(slot, line);
        }
        if let Some(magazine) = magazine {
            if let Some(taken) = magazine.pop(slot) {
                return Ok(Some(taken));
            }
        }
        Ok(fetch(self, magazine))
    }

    /// What is wrong with giving back a slot that begins at the address, if that is looked for.
    pub(crate) fn check(&'static self, address: usize, slot: Layout) -> Result<(), Fault> {
        // In a debug build this would take a lock where there is none otherwise.
        if !IS_HARDENED {
            return Ok(());
        }
        self.enter(|state| state.slots.check(address, slot))
    }

    /// Takes a slot back; with the feature `hardened` an error if it cannot be.
    ///
    /// # Safety
    ///
    /// It came from [`SharedPools::acquire`] of this pool, and has not been taken back since; the pointer is good for writing to all
    /// of it, and nothing uses it any more.
    #[inline(always)]
    pub(crate) unsafe fn release(
        &'static self,
        magazine: Option<&Magazine<S, HELD>>,
        freed: NonNull<u8>,
        slot: Layout,
    ) -> Result<(), Fault> {
        if IS_DIRECT {
            // Check and release under one lock, or another thread could free the slot in between.
            // SAFETY: passed on from the caller.
            return self.enter(|state| unsafe { state.slots.release(freed, slot) });
        }
        if let Some(magazine) = magazine {
            // SAFETY: passed on from the caller.
            if unsafe { magazine.push(freed, slot) } {
                return Ok(());
            }
        }
        // SAFETY: passed on from the caller.
        unsafe { overflow(self, magazine, freed) };
        Ok(())
    }
}

/// Takes a slot where the magazine has none at hand, and a batch with it.
///
/// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/free_list.rs`.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
extern "C" fn fetch<S: Shareable, const HELD: usize>(
    pools: &'static SharedPools<S, HELD>,
    magazine: Option<&Magazine<S, HELD>>,
) -> Option<NonNull<u8>> {
    let Some(magazine) = magazine else { return (pools.depot)().acquire(None) };
    pools.open(magazine);
    (pools.depot)().fetch(magazine)
}

/// Takes a slot back where the magazine has no room, and a batch out of it.
///
/// # Safety
///
/// As for [`SharedPools::release`].
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
unsafe extern "C" fn overflow<S: Shareable, const HELD: usize>(
    pools: &'static SharedPools<S, HELD>,
    magazine: Option<&Magazine<S, HELD>>,
    freed: NonNull<u8>,
) {
    let Some(magazine) = magazine else {
        // SAFETY: passed on from the caller.
        return unsafe { (pools.depot)().release(None, freed) };
    };
    pools.open(magazine);
    // SAFETY: passed on from the caller.
    unsafe { (pools.depot)().overflow(magazine, freed) };
}

impl<S: Shareable, const HELD: usize> Upkeep for SharedPools<S, HELD> {
    fn stats(&'static self, may_wait: bool) -> Result<PoolStats, Refusal> {
        self.look(may_wait, |state| state.stats((self.facts)().pool_name()))
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
        self.with(|magazine| magazine.into_iter().for_each(|own| (self.depot)().flush(own)));
        let reserved = self.enter(|state| {
            state.recall();
            // What is in batches is at hand, too, though the pool does not know it.
            let (slots, name) = (&state.slots, (self.facts)().pool_name());
            let reserved = slots.try_reserve(additional, state.in_batches(), name, state.slot);
            state.ensure_nodes();
            reserved
        });
        reserved.map_err(|error| {
            if S::HAS_BLOCKS {
                (self.record)().refused();
            }
            Refusal::NoRoom(error)
        })
    }

    fn prefault(&'static self) -> Result<(), Refusal> {
        self.enter(|state| state.slots.cursor.prefault(state.slot));
        Ok(())
    }

    fn trim(&'static self) -> Result<usize, Refusal> {
        if IS_DIRECT {
            return Ok(self.enter(|state| state.slots.trim(state.slot)));
        }
        self.follow();
        Ok(self.with(|magazine| (self.depot)().trim(magazine)))
    }

    fn exhausted(&'static self) -> Result<Exhausted, Refusal> {
        let name = (self.facts)().pool_name();
        if S::HAS_BLOCKS {
            (self.record)().refused();
        }
        Ok(self.enter(|state| state.exhausted(name)))
    }

    fn count_weak(&'static self, change: isize) {
        self.enter(|state| state.slots.count_weak(change, state.slot));
    }

    fn record(&'static self) -> Option<&'static Record> {
        Some((self.record)())
    }
}

/// The key of a pool whose slots are `E`s.
type StaticKey<E, S> = InStatic<StaticPool<TypedPool<E, S>>>;

#[allow(private_bounds, reason = "for this crate")]
impl<E: 'static, S: Shareable> StaticKey<E, S> {
    const fn pools<T: Pooled<__Storage = Self>>() -> &'static SharedPools<S>
    where
        E: Holds<T>,
    {
        const {
            assert_size(TypedPool::<E, S>::SLOT);
            &SharedPools {
                // SAFETY: passed on from the caller.
                magazine: || unsafe { T::__POOL.get().magazine.find() },
                depot: || T::__POOL.get().depot,
                register: |magazine| {
                    let close =
                        T::__POOL.get().magazine.close(|visit| Self::pools::<T>().visit(visit));
                    magazine.registration.register(close, NonNull::from(magazine).cast())
                },
                forget_others: || Self::pools::<T>().forget_others(),
                record: || T::__POOL.get().magazine.record(),
                facts: <Self as Storage<T>>::facts,
            }
        }
    }
}

impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Shareable> Storage<T> for StaticKey<E, S> {
    type Boxes = Self;
    type Roster = Never;

    #[allow(private_interfaces, reason = "for this crate alone")]
    fn facts() -> &'static Facts {
        const {
            &Facts {
                type_name: type_name::<T>,
                name: T::__CONFIG.name,
                strategy: S::KIND,
                storage: ledger::Storage::Static,
                has_accounts: !S::HAS_BLOCKS,
                upkeep: Self::pools::<T>(),
            }
        }
    }
}

// SAFETY: slots come from a typed pool that is never dropped, perhaps by way of magazines, and each is in one place at a time.
unsafe impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: Shareable> BoxStorage<T>
    for StaticKey<E, S>
{
    #[inline(always)]
    fn acquire(self) -> Option<NonNull<T>> {
        // SAFETY: it is used until this returns.
        let magazine = unsafe { self.get().magazine.find() };
        let slot = TypedPool::<E, S>::SLOT;
        match Self::pools::<T>().acquire(magazine, slot, Line::of_caller()) {
            // SAFETY: the pool has just handed the slot out, whose pointer is good for all of it.
            Ok(Some(taken)) => Some(unsafe { Holds::element(taken.cast::<E>()) }),
            Ok(None) => None,
            Err((taken, fault)) => panic_of_taken::<T, E>(taken.cast(), fault),
        }
    }

    #[allow(private_interfaces, reason = "for this crate alone")]
    fn check(self, element: NonNull<T>) -> Result<(), Fault> {
        Self::pools::<T>().check(<E as Holds<T>>::address(element), TypedPool::<E, S>::SLOT)
    }

    #[inline(always)]
    unsafe fn release(self, element: NonNull<T>) {
        // SAFETY: it came from `acquire` (caller).
        let freed: NonNull<E> = unsafe { Holds::slot(element) };
        // SAFETY: it is used until this returns.
        let magazine = unsafe { self.get().magazine.find() };
        let (pools, slot) = (Self::pools::<T>(), TypedPool::<E, S>::SLOT);
        // SAFETY: passed on from the caller.
        if let Err(fault) = unsafe { pools.release(magazine, freed.cast(), slot) } {
            fault.panic(element.as_ptr());
        }
    }
}

// SAFETY: a slot is put into the magazine of the thread that frees it, or into the depot.
unsafe impl<T, E: Holds<T>, S: Shareable> SharedStorage<T> for StaticKey<E, S> {}

// SAFETY: the slots are `WithCounts<T>`s (`Holds`).
#[diagnostic::do_not_recommend]
unsafe impl<T, E: Holds<T, Counts = RefCounts>, S: Shareable> CountedStorage<T>
    for StaticKey<E, S>
{
}
