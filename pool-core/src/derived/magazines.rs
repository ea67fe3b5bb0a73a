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
use core::marker::PhantomData;
#[cfg(feature = "sites")]
use core::num::NonZeroU32;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::guard::IS_WATCHED;
use crate::base::guard::hardened::Fault;
use crate::base::ledger::{self, Facts, Record};
use crate::base::map::PoolMap;
use crate::base::sites::Line;
use crate::base::stats::PoolStats;
use crate::derived::companion::Companion;
use crate::derived::key::{InStatic, Keyed};
use crate::derived::magazines::cache::{ArrayCache, Cache, ListCache};
use crate::derived::magazines::depot::Depot;
use crate::derived::magazines::held::{Places, places};
use crate::derived::magazines::magazine::Magazine;
use crate::derived::magazines::shareable::{Shareable, SlotLayout};
use crate::derived::magazines::shared_slots::SharedSlots;
use crate::derived::magazines::sizes::Sizes;
use crate::derived::per_thread::PerThread;
use crate::derived::pooled::Pooled;
use crate::derived::storage::{
    BoxStorage, CountedStorage, Never, SharedStorage, SlotsOf, Storage, Upkeep, assert_size,
};
use crate::derived::thread_local::{AccessError, LocalKey};
use crate::derived::with_counts::{Holds, RefCounts, panic_of_taken};
use crate::pool::typed::TypedPool;
use crate::strategy::{InFreeList, InPointerStack, Slots, Strategy};

mod batches;
pub(crate) mod cache;
pub(crate) mod depot;
pub(crate) mod held;
pub(crate) mod magazine;
mod map;
pub(crate) mod shareable;
pub(crate) mod shared_slots;
pub(crate) mod sizes;
mod state;
#[cfg(test)]
mod tests;

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
        static __TYPED_POOL_COMPANION: $crate::__private::Companion =
            $crate::__private::Companion::NEW;
        static __TYPED_POOL: $crate::__private::StaticPool<$pool> =
            // SAFETY: all were declared above, and only this refers to them.
            unsafe {
                $crate::__private::StaticPool::new(
                    &__TYPED_POOL_MAGAZINE,
                    &__TYPED_POOL_COMPANION,
                    &__TYPED_POOL_DEPOT,
                )
            };
        // SAFETY: the static was declared above, and only this refers to it.
        unsafe { $crate::__private::InStatic::new(&raw const __TYPED_POOL) }
    }};
}

/// A pool for all threads: a `P`, and a magazine of each thread before it.
///
/// Constant, so the compiler sees through it: it has only the address of the depot, which changes.
#[allow(missing_debug_implementations, private_bounds, reason = "for the derive")]
pub struct StaticPool<P: Shareable + 'static> {
    magazine: &'static LocalKey<Magazine<P>>,
    companion: &'static Companion,
    depot: &'static Depot<P>,
}

/// The key of a pool whose slots are `E`s.
type StaticKey<E, S> = InStatic<StaticPool<TypedPool<E, S>>>;

/// A strategy, and what a magazine keeps the slots of its pools in.
pub(crate) trait ShareableStrategy: Strategy {
    type Cache: Cache;

    /// Without a slot.
    const EMPTY_CACHE: Self::Cache;
}

impl ShareableStrategy for InFreeList {
    type Cache = ListCache;
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    const EMPTY_CACHE: Self::Cache = ListCache::new();
}

impl ShareableStrategy for InPointerStack {
    type Cache = ArrayCache;
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    const EMPTY_CACHE: Self::Cache = ArrayCache::new();
}

/// The slot of a typed pool.
pub(crate) struct SlotOf<E, S>(PhantomData<fn() -> (E, S)>);

impl<E, S> Clone for SlotOf<E, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<E, S> Copy for SlotOf<E, S> {}

impl<E, S: Strategy> SlotLayout for SlotOf<E, S> {
    #[inline(always)]
    fn layout(self) -> Layout {
        TypedPool::<E, S>::SLOT
    }
}

impl<E, S: ShareableStrategy> Shareable for TypedPool<E, S> {
    type Strategy = S;
    type Cache = S::Cache;
    type Slot = SlotOf<E, S>;
    type Held = Places;

    #[inline(always)]
    fn slots(&self) -> &Slots<S> {
        &self.slots
    }
}

#[allow(private_bounds, reason = "for the derive")]
impl<E, S: ShareableStrategy> Magazine<TypedPool<E, S>> {
    /// The magazine of a thread that has not used the pool yet.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self = Self::new(S::EMPTY_CACHE, places());
}

#[allow(private_bounds, reason = "for the derive")]
impl<E, S: ShareableStrategy> Depot<TypedPool<E, S>> {
    /// The depot of a pool that grows as `config` says.
    pub const fn new(config: Config) -> Self {
        let sizes = if IS_WATCHED {
            Sizes::NONE
        } else {
            Sizes::new(TypedPool::<E, S>::SLOT, config.max, S::Cache::AT_HAND)
        };
        Self::with_pool(TypedPool::with_config(config), SlotOf(PhantomData), sizes)
    }
}

impl<E: 'static, S: ShareableStrategy> Keyed for StaticPool<TypedPool<E, S>> {
    const CHECKED: () = assert_size(TypedPool::<E, S>::SLOT);
}

#[allow(private_bounds, reason = "for this crate")]
impl<P: Shareable> StaticPool<P> {
    /// The three as one pool.
    ///
    /// # Safety
    ///
    /// They were declared for it, the magazine with a constant initialiser.
    pub const unsafe fn new(
        magazine: &'static LocalKey<Magazine<P>>,
        companion: &'static Companion,
        depot: &'static Depot<P>,
    ) -> Self {
        Self { magazine, companion, depot }
    }

    /// This thread's magazine.
    #[inline(always)]
    fn magazine(&self) -> PerThread<Magazine<P>> {
        // SAFETY: both were declared for this pool (`new`); a magazine has no destructor.
        unsafe { PerThread::new(self.magazine, &self.companion.addresses) }
    }
}

/// The pool of `T`s.
struct There<T>(PhantomData<fn() -> T>);

impl<T> Clone for There<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for There<T> {}

impl<T, E, S> SharedSlots for There<T>
where
    T: Pooled<__Storage = StaticKey<E, S>>,
    E: Holds<T>,
    S: ShareableStrategy,
{
    type Pool = TypedPool<E, S>;

    #[inline(always)]
    fn slot(self) -> SlotOf<E, S> {
        SlotOf(PhantomData)
    }

    #[inline(always)]
    fn depot(self) -> &'static Depot<Self::Pool> {
        T::__POOL.get().depot
    }

    #[inline(always)]
    fn with<R>(self, f: impl FnOnce(&Magazine<Self::Pool>) -> R) -> Result<R, AccessError> {
        T::__POOL.get().magazine().with(f)
    }

    fn facts(self) -> &'static Facts {
        const {
            &Facts {
                type_name: type_name::<T>,
                name: T::__CONFIG.name,
                strategy: S::KIND,
                storage: ledger::Storage::Static,
                look: || There::<T>(PhantomData).try_stats::<T>(),
                #[cfg(feature = "sites")]
                show_lines: |found| There::<T>(PhantomData).try_show_lines(found),
                record: || Some(There::<T>(PhantomData).record()),
                has_accounts: true,
            }
        }
    }

    fn record(self) -> &'static Record {
        &T::__POOL.get().companion.record
    }

    fn mend(self) -> &'static fn() {
        const { &((|| There::<T>(PhantomData).forget_others()) as fn()) }
    }

    fn register(self, magazine: &Magazine<Self::Pool>) -> bool {
        let close = T::__POOL.get().magazine().close(|| There::<T>(PhantomData).end());
        magazine.registration.register(close, NonNull::from(magazine).cast())
    }
}

impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: ShareableStrategy> Storage<T>
    for StaticKey<E, S>
{
    type Slots = SlotsOf<T>;
    type Boxes = Self;
    type Roster = Never;
}

// SAFETY: slots come from a typed pool that is never dropped, perhaps by way of magazines, and each is in one place at a time.
unsafe impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: ShareableStrategy> BoxStorage<T>
    for StaticKey<E, S>
{
    #[inline(always)]
    fn acquire(self) -> Option<NonNull<T>> {
        let taken = match There::<T>(PhantomData).take(Line::of_caller()) {
            Ok(taken) => taken,
            Err((taken, fault)) => panic_of_taken::<T, E>(taken.cast(), fault),
        };
        // SAFETY: the pool has just handed the slot out, whose pointer is good for all of it.
        taken.map(|slot| unsafe { Holds::element(slot.cast::<E>()) })
    }

    #[allow(private_interfaces, reason = "for this crate alone")]
    fn check(self, element: NonNull<T>) -> Result<(), Fault> {
        There::<T>(PhantomData).check(<E as Holds<T>>::address(element))
    }

    #[inline(always)]
    unsafe fn release(self, element: NonNull<T>) {
        // SAFETY: it came from `acquire` (caller).
        let slot: NonNull<E> = unsafe { Holds::slot(element) };
        // SAFETY: passed on from the caller.
        if let Err(fault) = unsafe { There::<T>(PhantomData).put(slot.cast()) } {
            fault.panic(element.as_ptr());
        }
    }

    #[track_caller]
    fn exhausted(self) -> Exhausted {
        There::<T>(PhantomData).exhausted::<T>()
    }
}

impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: ShareableStrategy> Upkeep<T> for StaticKey<E, S> {
    fn stats(self) -> PoolStats {
        There::<T>(PhantomData).stats::<T>()
    }

    fn map(self) -> PoolMap {
        There::<T>(PhantomData).map::<T>()
    }

    #[track_caller]
    fn reserve(self, additional: usize) {
        There::<T>(PhantomData).reserve::<T>(additional);
    }

    fn prefault(self) {
        There::<T>(PhantomData).prefault();
    }

    fn trim(self) -> usize {
        There::<T>(PhantomData).trim()
    }

    #[cfg(feature = "sites")]
    fn show_lines(self, found: &mut dyn FnMut(NonZeroU32)) {
        There::<T>(PhantomData).show_lines(found);
    }
}

// SAFETY: a slot is put into the magazine of the thread that frees it, or into the depot.
unsafe impl<T, E: Holds<T>, S: ShareableStrategy> SharedStorage<T> for StaticKey<E, S> {}

// SAFETY: the slots are `WithCounts<T>`s (`Holds`).
#[diagnostic::do_not_recommend]
unsafe impl<T, E: Holds<T, Counts = RefCounts>, S> CountedStorage<T> for StaticKey<E, S> where
    S: ShareableStrategy
{
}
