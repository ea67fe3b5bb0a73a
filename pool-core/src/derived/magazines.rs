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
//! Other threads cannot take slots from the magazine of an idle thread. A pool that can grow does not need
//! them. In a pool with a limit (`max`) a thread holds its slots where others can take them too, so they are brought
//! back before an allocation is refused (`held.rs`). They have a trip, too. A pool with `capacity` is another storage altogether (`fixed.rs`).
//!
//! # The end of a thread
//!
//! The thread's slots go back to the depot (`thread_exit.rs`). Destructors of other thread-locals may free and
//! allocate after that: the magazine has no room from then on, and each such operation goes to the depot
//! by itself. Nothing is stranded in a thread that has ended.

use core::alloc::Layout;
use core::any::type_name;
use core::ptr::NonNull;
use std::thread::LocalKey;

use crate::base::config::{Bound, Config};
use crate::base::exhausted::Exhausted;
use crate::base::guard::IS_WATCHED;
use crate::base::guard::hardened::{Fault, IS_HARDENED};
use crate::base::stats::PoolStats;
use crate::derived::addresses::Addresses;
use crate::derived::key::{InStatic, Keyed};
use crate::derived::magazines::cache::{ArrayCache, Cache, ListCache};
use crate::derived::magazines::depot::Depot;
use crate::derived::magazines::magazine::Magazine;
use crate::derived::magazines::shareable::Shareable;
use crate::derived::magazines::sizes::Sizes;
use crate::derived::magazines::state::State;
use crate::derived::per_thread::PerThread;
use crate::derived::pooled::Pooled;
use crate::derived::storage::{
    BoxStorage, CountedStorage, Never, SharedStorage, Storage, Upkeep, assert_size,
};
use crate::derived::thread_exit::Close;
use crate::derived::with_counts::{Holds, RefCounts, panic_of_taken};
use crate::pool::reserve::{NoRoom, chunk_failed};
use crate::pool::typed::TypedPool;
use crate::strategy::{InFreeList, InPointerStack, Slots, Strategy};

mod batches;
mod cache;
pub(crate) mod depot;
mod held;
pub(crate) mod magazine;
mod shareable;
mod sizes;
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
        static __TYPED_POOL_ADDRESSES: $crate::__private::Addresses =
            $crate::__private::Addresses::NONE;
        static __TYPED_POOL: $crate::__private::StaticPool<$pool> =
            // SAFETY: all were declared above, and only this refers to them.
            unsafe {
                $crate::__private::StaticPool::new(
                    &__TYPED_POOL_MAGAZINE,
                    &__TYPED_POOL_ADDRESSES,
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
    addresses: &'static Addresses,
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

impl<E, S: ShareableStrategy> Shareable for TypedPool<E, S> {
    type Strategy = S;
    type Cache = S::Cache;
    const SLOT: Layout = Self::SLOT;

    #[inline(always)]
    fn slots(&self) -> &Slots<S> {
        &self.slots
    }
}

#[allow(private_bounds, reason = "for the derive")]
impl<E, S: ShareableStrategy> Magazine<TypedPool<E, S>> {
    /// The magazine of a thread that has not used the pool yet.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self = Self::new(S::EMPTY_CACHE);
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
        Self::with_pool(TypedPool::with_config(config), sizes)
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
        addresses: &'static Addresses,
        depot: &'static Depot<P>,
    ) -> Self {
        Self { magazine, addresses, depot }
    }

    /// This thread's magazine.
    #[inline(always)]
    fn magazine(&self) -> PerThread<Magazine<P>> {
        // SAFETY: both were declared for this pool (`new`); a magazine has no destructor.
        unsafe { PerThread::new(self.magazine, self.addresses) }
    }

    /// Gives the magazine room, and sees to it that its thread's end empties it.
    fn register(depot: &Depot<P>, magazine: &Magazine<P>, close: Close) {
        if cfg!(not(pool_native_tls)) || magazine.registration.is_registered() {
            // Where the platform destroys the magazine before anyone can empty it (`derived/local.rs`), it never has
            // room, nor a place in the list, and every operation goes to the depot.
            return;
        }
        if magazine.registration.register(close, NonNull::from(magazine).cast()) {
            depot.enlist(magazine);
        }
    }

    /// Empties the magazine of this thread, which is ending; returns what is to be closed next.
    fn close(&self) -> Option<Close> {
        let closed = self.magazine().with(|magazine| {
            self.depot.retire(magazine);
            magazine.registration.next()
        });
        closed.ok().flatten()
    }

    /// Takes a slot where the magazine has none at hand, and a batch with it.
    ///
    /// Without `self`: its address would force the view into the frame of every caller.
    /// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/free_list.rs`.
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    extern "C" fn fetch(
        depot: &Depot<P>,
        magazine: &Magazine<P>,
        close: Close,
    ) -> Option<NonNull<u8>> {
        Self::register(depot, magazine, close);
        depot.fetch(magazine)
    }

    /// Takes a slot back where the magazine has no room, and a batch out of it.
    ///
    /// # Safety
    ///
    /// As for [`Pool::release`].
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    unsafe extern "C" fn overflow(
        depot: &Depot<P>,
        magazine: &Magazine<P>,
        slot: NonNull<u8>,
        close: Close,
    ) {
        Self::register(depot, magazine, close);
        // SAFETY: passed on from the caller.
        unsafe { depot.overflow(magazine, slot) };
    }

    /// Calls `f` with the lock held.
    fn enter<R>(&self, f: impl FnOnce(&State<P>) -> R) -> R {
        let mut f = Some(f);
        let entered =
            self.magazine().with(|magazine| f.take().map(|f| self.depot.enter(Some(magazine), f)));
        match (entered, f) {
            (Ok(Some(result)), _) => result,
            (_, Some(f)) => self.depot.enter(None, f),
            _ => unreachable!("`f` is called once"),
        }
    }
}

/// What empties a thread's magazine when the thread ends.
#[inline(always)]
fn close<T, E, S>() -> Close
where
    T: Pooled<__Storage = StaticKey<E, S>>,
    E: Holds<T>,
    S: ShareableStrategy,
{
    T::__POOL.get().magazine().close(|| T::__POOL.get().close())
}

impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: ShareableStrategy> Storage<T>
    for StaticKey<E, S>
{
    type Boxes = Self;
    type Roster = Never;
}

// SAFETY: slots come from a typed pool that is never dropped, perhaps by way of magazines, and each is in one place at a time.
unsafe impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: ShareableStrategy> BoxStorage<T>
    for StaticKey<E, S>
{
    #[inline(always)]
    fn acquire(self) -> Option<NonNull<T>> {
        let pool = self.get();
        let taken = if IS_WATCHED {
            // The panic comes after the lock is released: it calls the user's code (a panic hook).
            let (taken, checked) = pool.enter(|state| {
                let (slots, slot) = (&state.pool.slots, TypedPool::<E, S>::SLOT);
                let taken = slots.take(slot).or_else(|| slots.refill(slot))?;
                Some((taken, slots.check_fill(taken, slot)))
            })?;
            if let Err(fault) = checked {
                panic_of_taken::<T, E>(taken.cast(), fault);
            }
            Some(taken)
        } else {
            let taken = pool.magazine().with(|magazine| {
                let fetch = || StaticPool::fetch(pool.depot, magazine, close::<T, E, S>());
                magazine.pop().or_else(fetch)
            });
            taken.unwrap_or_else(|_| pool.depot.take(None))
        };
        // SAFETY: the pool has just handed the slot out, whose pointer is good for all of it.
        taken.map(|slot| unsafe { Holds::element(slot.cast::<E>()) })
    }

    #[allow(private_interfaces, reason = "for this crate alone")]
    fn check(self, element: NonNull<T>) -> Result<(), Fault> {
        // In a debug build this would take a lock where there is none otherwise.
        if !IS_HARDENED {
            return Ok(());
        }
        let slot = <E as Holds<T>>::address(element);
        self.get().enter(|state| state.pool.slots.check(slot, TypedPool::<E, S>::SLOT))
    }

    #[inline(always)]
    unsafe fn release(self, element: NonNull<T>) {
        let pool = self.get();
        // SAFETY: it came from `acquire` (caller).
        let slot: NonNull<E> = unsafe { Holds::slot(element) };
        let slot: NonNull<u8> = slot.cast();
        if IS_WATCHED {
            // Check and release under one lock, or another thread could free the slot in between.
            let released = pool.enter(|state| {
                if IS_HARDENED {
                    state.pool.slots.check(slot.addr().get(), TypedPool::<E, S>::SLOT)?;
                }
                // SAFETY: passed on from the caller.
                unsafe { state.put(slot) };
                Ok(())
            });
            return released.unwrap_or_else(|fault: Fault| fault.panic(element.as_ptr()));
        }
        let released = pool.magazine().with(|magazine| {
            // SAFETY: passed on from the caller.
            if !unsafe { magazine.push(slot) } {
                let close = close::<T, E, S>();
                // SAFETY: passed on from the caller.
                unsafe { StaticPool::overflow(pool.depot, magazine, slot, close) };
            }
        });
        if released.is_err() {
            // SAFETY: passed on from the caller.
            unsafe { pool.depot.put(None, slot) };
        }
    }

    #[track_caller]
    fn exhausted(self) -> Exhausted {
        let config = self.get().enter(|state| state.pool.slots.cursor.config);
        if config.bound != Bound::None {
            // Not asked of the state, which may have changed since: others free, and trim.
            return Exhausted::new::<T>(&config);
        }
        // Outside the lock, since the handler that it calls may use the pool.
        chunk_failed::<T, S>(config.least_chunk(), TypedPool::<E, S>::SLOT)
    }
}

impl<T: Pooled<__Storage = Self>, E: Holds<T>, S: ShareableStrategy> Upkeep<T> for StaticKey<E, S> {
    fn stats(self) -> PoolStats {
        self.get().enter(|state| {
            let stats = state.pool.slots.stats(type_name::<T>(), TypedPool::<E, S>::SLOT);
            let live = stats.live.saturating_sub(state.free_elsewhere());
            PoolStats { live, bytes: stats.bytes + state.nodes.bytes(), ..stats }
        })
    }

    #[track_caller]
    fn reserve(self, additional: usize) {
        let (pool, slot) = (self.get(), TypedPool::<E, S>::SLOT);
        // What this thread keeps at hand is room, too, for any thread.
        let _ = pool.magazine().with(|magazine| pool.depot.empty(magazine));
        let reserved = pool.enter(|state| {
            state.recall();
            // These are at hand, too, though the pool does not know it.
            let in_batches = state.in_batches();
            let missing = additional.saturating_sub(in_batches);
            let reserved = state.pool.slots.try_reserve(missing, slot);
            state.ensure_nodes();
            reserved.map_err(|error| match error {
                NoRoom::Limit { live, config } => NoRoom::Limit { live: live - in_batches, config },
                NoRoom::Heap { .. } => error,
            })
        });
        if let Err(error) = reserved {
            error.panic::<T, S>(additional, slot);
        }
    }

    fn prefault(self) {
        self.get().enter(|state| state.pool.prefault());
    }

    fn trim(self) -> usize {
        let pool = self.get();
        if IS_WATCHED {
            return pool.enter(|state| state.pool.trim());
        }
        let trimmed = pool.magazine().with(|magazine| pool.depot.trim(Some(magazine)));
        trimmed.unwrap_or_else(|_| pool.depot.trim(None))
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
