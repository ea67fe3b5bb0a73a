//! The storage `static` of a pool that grows: one for the whole process, with a magazine of free slots
//! in every thread that uses it.
//!
//! The *magazine* is a `const` thread-local without a destructor, as in `local.rs`, and most operations
//! touch nothing else. The *depot* is a stack of batches of free slots, and an ordinary pool (a pointer stack
//! or a free list, with all that these can do), behind a lock. A magazine has room for two batches, and for
//! spare ones if they are not large. An empty magazine fetches a batch from the depot, a full one gives
//! one back, as a whole; so a lock is taken once for a hundred objects, for a moment that does not depend on
//! how many they are (`depot.rs`). Slots of a type are alike: a freed slot joins the magazine of the thread that
//! frees it, whichever thread took it.
//! (The technique is J. Bonwick's and J. Adams's: *Magazines and Vmem*, 2001.)
//!
//! # Memory ordering
//!
//! Slots go from thread to thread in two ways. As an element in a box: that is an ordinary value, and
//! whoever sends it synchronises. Or free, through the depot: then the thread that put it there released
//! the lock before the one that takes it acquired it, so whatever the first did with the slot has
//! happened before. Everything behind the lock is plain. A magazine is its thread's alone, except for its
//! links in the list of all, which are behind the lock, too; its length, which other threads read for
//! `pool_stats`: a relaxed atomic, since it serves statistics only; and what is held (`held.rs`).
//!
//! # Near a limit
//!
//! Other threads cannot take slots from the magazine of an idle thread. A pool that grows does not care. In one with
//! a limit (`max`) a thread holds its slots where others can take them too, so they are brought back before
//! an allocation is refused (`held.rs`). With `capacity` it is another storage altogether (`fixed.rs`).
//!
//! # The end of a thread
//!
//! The thread's slots go back to the depot (`thread_exit.rs`). Destructors of other thread-locals may free and
//! allocate after that: the magazine has no room from then on, and each such operation goes to the depot
//! by itself. Nothing is stranded in a thread that has ended.

use core::any::type_name;
use core::ptr::NonNull;
use std::thread::LocalKey;

use crate::base::config::{Bound, Config};
use crate::base::exhausted::Exhausted;
use crate::base::guard::IS_WATCHED;
use crate::base::guard::hardened::{Fault, IS_HARDENED};
use crate::base::stats::PoolStats;
use crate::derived::magazines::cache::{ArrayCache, Cache, ListCache};
use crate::derived::magazines::depot::Depot;
use crate::derived::magazines::magazine::Magazine;
use crate::derived::magazines::shareable::Shareable;
use crate::derived::magazines::sizes::Sizes;
use crate::derived::magazines::state::State;
use crate::derived::thread_exit::Close;
use crate::derived::with_counts::{Holds, panic_of_taken};
use crate::pool::owned::{OwnedPool, ReserveError, chunk_failed};
use crate::pool::typed::TypedPool;
use crate::strategy::{HasSlots, InFreeList, InPointerStack, Strategy};

mod batches;
mod cache;
pub(crate) mod depot;
mod held;
pub(crate) mod magazine;
mod shareable;
mod sizes;
mod state;
mod storage;
#[cfg(test)]
mod tests;

/// A pool for all threads: a `P`, and a magazine of each thread before it.
///
/// Constant, so the compiler sees through it: of the depot, which changes, it has no more than the address.
#[allow(missing_debug_implementations, private_bounds, reason = "for the derive")]
pub struct Static<P: Shareable + 'static> {
    magazine: &'static LocalKey<Magazine<P>>,
    depot: &'static Depot<P>,
}

#[allow(private_bounds, reason = "for this crate")]
impl<P: Shareable> Static<P> {
    /// The two as one pool.
    ///
    /// # Safety
    ///
    /// They were declared for it.
    pub const unsafe fn new(
        magazine: &'static LocalKey<Magazine<P>>,
        depot: &'static Depot<P>,
    ) -> Self {
        Self { magazine, depot }
    }
}

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

impl<T, S: ShareableStrategy> Shareable for TypedPool<T, S> {
    type Cache = S::Cache;
}

#[allow(private_bounds, reason = "for the derive")]
impl<T, S: ShareableStrategy> Magazine<TypedPool<T, S>> {
    /// The magazine of a thread that has not used the pool yet.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self = Self::new(S::EMPTY_CACHE);
}

#[allow(private_bounds, reason = "for the derive")]
impl<T, S: ShareableStrategy> Depot<TypedPool<T, S>> {
    /// The depot of a pool that grows as `config` says.
    pub const fn new(config: Config) -> Self {
        let sizes = if IS_WATCHED {
            Sizes::NONE
        } else {
            Sizes::new(TypedPool::<T, S>::SLOT, config.max, S::Cache::AT_HAND)
        };
        Self::with_pool(TypedPool::with_config(config), sizes)
    }
}

#[allow(private_bounds, reason = "for this crate")]
impl<P: OwnedPool + Shareable> Static<P> {
    /// Takes a slot. `close` is what calls [`Static::close`].
    #[inline(always)]
    fn take<T>(&self, close: Close) -> Option<NonNull<P::Element>>
    where
        P::Element: Holds<T>,
    {
        if IS_WATCHED {
            // The panic comes when the lock is open: it calls what others have written.
            let (taken, looked) = self.enter(|state| {
                let taken = state.pool.take().or_else(|| state.pool.refill())?;
                Some((taken, state.pool.check_fill(taken)))
            })?;
            if let Err(fault) = looked {
                panic_of_taken::<T, _>(taken, fault);
            }
            return Some(taken);
        }
        let taken = self.magazine.try_with(|magazine| {
            magazine.pop().or_else(|| Self::fetch(self.depot, magazine, close))
        });
        taken.unwrap_or_else(|_| self.depot.take(None)).map(NonNull::cast)
    }

    /// What is wrong with giving back the slot at this address.
    fn check(&self, slot: usize) -> Result<(), Fault> {
        // In a debug build it would cost a lock where there is none otherwise.
        if IS_HARDENED {
            self.enter(|state| state.pool.slots().check(slot, P::SLOT))
        } else {
            Ok(())
        }
    }

    /// Takes a slot back, unless something is found to be wrong with that. `close` is what calls [`Static::close`].
    ///
    /// # Safety
    ///
    /// That of [`Pool::release`](crate::Pool::release).
    #[inline(always)]
    unsafe fn put(&self, slot: NonNull<P::Element>, close: Close) -> Result<(), Fault> {
        if IS_WATCHED {
            // At once, or another thread could free the slot, too, after it was checked.
            return self.enter(|state| {
                if IS_HARDENED {
                    state.pool.check(slot)?;
                }
                // SAFETY: passed on from the caller.
                unsafe { state.pool.put_checked(slot) };
                Ok(())
            });
        }
        let slot = slot.cast();
        let released = self.magazine.try_with(|magazine| {
            // SAFETY: passed on from the caller.
            if !unsafe { magazine.push(slot) } {
                // SAFETY: passed on from the caller.
                unsafe { Self::overflow(self.depot, magazine, slot, close) };
            }
        });
        if released.is_err() {
            // SAFETY: passed on from the caller.
            unsafe { self.depot.put(None, slot) };
        }
        Ok(())
    }

    /// Gives the magazine room, and sees to it that its thread's end empties it.
    fn register(depot: &Depot<P>, magazine: &Magazine<P>, close: Close) {
        if cfg!(not(pool_native_tls)) || magazine.registration.is_registered() {
            // Where the platform destroys the magazine before anyone can empty it (`derived/local.rs`), it never has
            // room, nor a place in the list, and every operation goes to the depot.
            return;
        }
        if magazine.registration.register(close) {
            depot.enlist(magazine);
        }
    }

    /// Empties the magazine of this thread, which is ending; returns what is to be closed next.
    fn close(&self) -> Option<Close> {
        let closed = self.magazine.try_with(|magazine| {
            self.depot.retire(magazine);
            magazine.registration.next()
        });
        closed.ok().flatten()
    }

    /// Takes a slot where the magazine has none at hand, and a batch with it.
    ///
    /// Without `self`, whose address would have the view lie in the frame of every caller.
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
    /// That of [`Pool::release`](crate::Pool::release).
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

    #[track_caller]
    fn exhausted<T>(&self) -> Exhausted {
        let config = self.enter(|state| state.pool.slots().cursor.config);
        if config.bound != Bound::None {
            // Not asked of the state, which may have changed since: others free, and trim.
            return Exhausted::new::<T>(&config);
        }
        // Outside of the lock, since the handler that is told of it may use the pool.
        chunk_failed::<P>(config.least_chunk())
    }

    fn stats<T>(&self) -> PoolStats {
        self.enter(|state| {
            let stats = state.pool.slots().stats(type_name::<T>(), P::SLOT);
            let live = stats.live.saturating_sub(state.free_elsewhere());
            PoolStats { live, bytes: stats.bytes + state.nodes.bytes(), ..stats }
        })
    }

    /// Makes room for `additional` more elements. The panic is left to the caller.
    fn try_reserve(&self, additional: usize) -> Result<(), ReserveError> {
        // What this thread keeps is room, too, for any thread.
        let _ = self.magazine.try_with(|magazine| self.depot.empty(magazine));
        self.enter(|state| {
            state.recall();
            // These, too, are at hand, though the pool does not know it.
            let in_batches = state.in_batches();
            let reserved = state.pool.try_reserve(additional.saturating_sub(in_batches));
            state.ensure_nodes();
            reserved.map_err(|error| match error {
                ReserveError::Limit { live, config } => {
                    ReserveError::Limit { live: live - in_batches, config }
                }
                ReserveError::Heap { .. } => error,
            })
        })
    }

    fn trim(&self) -> usize {
        if IS_WATCHED {
            return self.enter(|state| state.pool.trim());
        }
        let trimmed = self.magazine.try_with(|magazine| self.depot.trim(Some(magazine)));
        trimmed.unwrap_or_else(|_| self.depot.trim(None))
    }

    fn prefault(&self) {
        self.enter(|state| state.pool.prefault());
    }

    fn enter<R>(&self, f: impl FnOnce(&State<P>) -> R) -> R {
        let mut f = Some(f);
        let entered = self
            .magazine
            .try_with(|magazine| f.take().map(|f| self.depot.enter(Some(magazine), f)));
        match (entered, f) {
            (Ok(Some(result)), _) => result,
            (_, Some(f)) => self.depot.enter(None, f),
            _ => unreachable!("`f` is called once"),
        }
    }
}
