//! What any thread does with a static pool that grows, whatever leads there: a type, or a layout.

use core::any::type_name;
#[cfg(feature = "sites")]
use core::num::NonZeroU32;
use core::ptr::NonNull;

use crate::base::config::Bound;
use crate::base::exhausted::Exhausted;
use crate::base::guard::IS_WATCHED;
use crate::base::guard::hardened::{Fault, IS_HARDENED};
use crate::base::ledger::{Facts, Owner, Record};
use crate::base::map::{Canvas, PoolMap};
use crate::base::sites::Line;
use crate::base::stats::PoolStats;
use crate::derived::magazines::depot::Depot;
use crate::derived::magazines::magazine::Magazine;
use crate::derived::magazines::shareable::{Shareable, SlotLayout as _};
use crate::derived::magazines::state::State;
use crate::derived::thread_exit::Close;
use crate::derived::thread_local::AccessError;
use crate::pool::reserve::{NoRoom, chunk_failed};

/// Leads to one pool of all threads, always the same, and to this thread's magazine before it.
pub(crate) trait SharedSlots: Copy {
    type Pool: Shareable + 'static;

    /// What a slot is.
    fn slot(self) -> <Self::Pool as Shareable>::Slot;

    fn depot(self) -> &'static Depot<Self::Pool>;

    /// Calls `f` with this thread's magazine; on some platforms an error if it is the first use, and there is no memory.
    fn with<R>(self, f: impl FnOnce(&Magazine<Self::Pool>) -> R) -> Result<R, AccessError>;

    /// What does not change about the pool.
    fn facts(self) -> &'static Facts;

    /// What the process keeps of it.
    fn record(self) -> &'static Record;

    /// Sees to it that this thread's end empties the magazine, which is registered for the first time; `false` if the end has
    /// come already.
    fn register(self, magazine: &Magazine<Self::Pool>) -> bool;

    /// What calls [`SharedSlots::forget_others`].
    fn mend(self) -> &'static fn();

    /// Gives the magazine room, and sees to it that its thread's end empties it.
    fn open(self, magazine: &Magazine<Self::Pool>) {
        if magazine.registration.is_registered() {
            return;
        }
        self.follow();
        if self.register(magazine) {
            self.depot().enlist(magazine);
        }
        self.list();
    }

    /// Sees to it that the pool may be used in the child of a `fork`. Before its lock is taken.
    #[inline]
    fn follow(self) {
        self.depot().lock.follow(self.mend());
    }

    /// In the child of a `fork`: forgets the magazines of threads that stayed behind.
    fn forget_others(self) {
        let depot = self.depot();
        let forgot = self.with(|magazine| depot.forget_others(Some(magazine)));
        forgot.unwrap_or_else(|_| depot.forget_others(None));
    }

    /// Has the pool listed, before it grows.
    fn list(self) {
        if self.record().facts().is_none() {
            self.enter(|state| self.list_in(state));
        }
    }

    fn list_in(self, state: &State<Self::Pool>) {
        let (cursor, facts) = (&state.pool.slots().cursor, self.facts());
        let name = cursor.config.name.unwrap_or_else(facts.type_name);
        cursor.account.open(facts, name, Owner::NONE);
    }

    /// Empties this thread's magazine, which is ending; returns what is to be closed next.
    fn end(self) -> Option<Close> {
        let ended = self.with(|magazine| {
            self.depot().retire(magazine);
            magazine.registration.next()
        });
        ended.ok().flatten()
    }

    /// Calls `f` with the lock held.
    fn enter<R>(self, f: impl FnOnce(&State<Self::Pool>) -> R) -> R {
        self.follow();
        let mut f = Some(f);
        let entered = self.with(|magazine| f.take().map(|f| self.depot().enter(Some(magazine), f)));
        match (entered, f) {
            (Ok(Some(result)), _) => result,
            (_, Some(f)) => self.depot().enter(None, f),
            _ => unreachable!("`f` is called once"),
        }
    }

    /// Takes a slot for a line; `None` if there is none, or an error with a slot that was written to while it was free.
    #[inline(always)]
    fn take(self, line: Line) -> Result<Option<NonNull<u8>>, (NonNull<u8>, Fault)> {
        if IS_WATCHED {
            // The panic comes after the lock is released: it calls the user's code (a panic hook).
            return self.enter(|state| {
                let (slots, layout) = (state.pool.slots(), state.slot.layout());
                let refill = || {
                    self.list_in(state);
                    slots.refill(layout)
                };
                let Some(taken) = slots.take(layout).or_else(refill) else {
                    return Ok(None);
                };
                match slots.check_fill(taken, layout) {
                    Ok(()) => {
                        slots.sign(taken, line, layout);
                        Ok(Some(taken))
                    }
                    Err(fault) => Err((taken, fault)),
                }
            });
        }
        let taken =
            self.with(|magazine| magazine.pop(self.slot()).or_else(|| fetch(self, magazine)));
        Ok(taken.unwrap_or_else(|_| self.depot().take(None)))
    }

    /// What is wrong with giving back a slot that begins at the address, if that is looked for.
    fn check(self, address: usize) -> Result<(), Fault> {
        // In a debug build this would take a lock where there is none otherwise.
        if !IS_HARDENED {
            return Ok(());
        }
        self.enter(|state| state.pool.slots().check(address, state.slot.layout()))
    }

    /// Takes a slot back; with the feature `hardened` an error if it cannot be.
    ///
    /// # Safety
    ///
    /// It came from [`SharedSlots::take`] of this pool, and has not been taken back since; the pointer is good for writing to all
    /// of it, and nothing uses it any more.
    #[inline(always)]
    unsafe fn put(self, freed: NonNull<u8>) -> Result<(), Fault> {
        if IS_WATCHED {
            // Check and release under one lock, or another thread could free the slot in between.
            return self.enter(|state| {
                if IS_HARDENED {
                    state.pool.slots().check(freed.addr().get(), state.slot.layout())?;
                }
                // SAFETY: passed on from the caller.
                unsafe { state.put(freed) };
                Ok(())
            });
        }
        let put = self.with(|magazine| {
            // SAFETY: passed on from the caller.
            if !unsafe { magazine.push(freed, self.slot()) } {
                // SAFETY: passed on from the caller.
                unsafe { overflow(self, magazine, freed) };
            }
        });
        if put.is_err() {
            // SAFETY: passed on from the caller.
            unsafe { self.depot().put(None, freed) };
        }
        Ok(())
    }

    /// Why [`SharedSlots::take`] has just found no slot for a `T`.
    #[track_caller]
    fn exhausted<T>(self) -> Exhausted {
        let config = self.enter(|state| {
            let cursor = &state.pool.slots().cursor;
            cursor.account.refused();
            cursor.config
        });
        if config.bound != Bound::None {
            // Not asked of the state, which may have changed since: others free, and trim.
            return Exhausted::new::<T>(&config);
        }
        // Outside the lock, since the handler that it calls may use the pool.
        let layout = self.slot().layout();
        chunk_failed::<T, <Self::Pool as Shareable>::Strategy>(config.least_chunk(), layout)
    }

    /// The figures of the pool of `T`s.
    fn stats<T>(self) -> PoolStats {
        self.enter(stats_in::<T, _>)
    }

    /// Shows the line that has taken each slot.
    #[cfg(feature = "sites")]
    fn show_lines(self, found: &mut dyn FnMut(NonZeroU32)) {
        self.enter(|state| state.pool.slots().show_lines(found));
    }

    /// [`SharedSlots::stats`], where all pools are looked at: `None` if that might wait for ever ([`Depot::look`]).
    fn try_stats<T>(self) -> Option<PoolStats> {
        let stats = self.with(|magazine| self.depot().look(Some(magazine), stats_in::<T, _>));
        stats.unwrap_or_else(|_| self.depot().look(None, stats_in::<T, _>))
    }

    /// [`SharedSlots::show_lines`], unless that might wait for ever.
    #[cfg(feature = "sites")]
    fn try_show_lines(self, found: &mut dyn FnMut(NonZeroU32)) {
        let shown = self.with(|magazine| {
            self.depot().look(Some(magazine), |state| state.pool.slots().show_lines(found))
        });
        if shown.is_err() {
            self.depot().look(None, |state| state.pool.slots().show_lines(found));
        }
    }

    /// A map of the pool of `T`s.
    fn map<T>(self) -> PoolMap {
        self.follow();
        Canvas::draw(|canvas| {
            let drawn = self.with(|magazine| {
                let draw = |state: &State<_>| state.draw(type_name::<T>(), Some(magazine), canvas);
                self.depot().enter(Some(magazine), draw)
            });
            drawn.unwrap_or_else(|_| {
                self.depot().enter(None, |state| state.draw(type_name::<T>(), None, canvas))
            })
        })
    }

    /// Makes room for `additional` more slots, for `T`s.
    #[track_caller]
    fn reserve<T>(self, additional: usize) {
        self.list();
        // What this thread keeps at hand is room, too, for any thread.
        let _ = self.with(|magazine| self.depot().empty(magazine));
        let reserved = self.enter(|state| {
            state.recall();
            // These are at hand, too, though the pool does not know it.
            let in_batches = state.in_batches();
            let missing = additional.saturating_sub(in_batches);
            let reserved = state.pool.slots().try_reserve(missing, state.slot.layout());
            state.ensure_nodes();
            reserved.map_err(|error| match error {
                NoRoom::Limit { live, config } => NoRoom::Limit { live: live - in_batches, config },
                NoRoom::Heap { .. } => error,
            })
        });
        if let Err(error) = reserved {
            let layout = self.slot().layout();
            error.panic::<T, <Self::Pool as Shareable>::Strategy>(additional, layout);
        }
    }

    /// Brings in the memory of slots that were never used.
    fn prefault(self) {
        self.enter(|state| state.pool.slots().cursor.prefault(state.slot.layout()));
    }

    /// Gives the chunks without an occupied slot back to the heap, and nodes that are not needed; returns their bytes.
    fn trim(self) -> usize {
        if IS_WATCHED {
            return self.enter(|state| state.pool.slots().trim(state.slot.layout()));
        }
        self.follow();
        let trimmed = self.with(|magazine| self.depot().trim(Some(magazine)));
        trimmed.unwrap_or_else(|_| self.depot().trim(None))
    }
}

fn stats_in<T, P: Shareable>(state: &State<P>) -> PoolStats {
    let stats = state.pool.slots().stats(type_name::<T>(), state.slot.layout());
    let live = stats.live.saturating_sub(state.free_elsewhere());
    PoolStats { live, bytes: stats.bytes + state.nodes.bytes(), ..stats }
}

/// Takes a slot where the magazine has none at hand, and a batch with it.
///
/// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/free_list.rs`.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
extern "C" fn fetch<V: SharedSlots>(pool: V, magazine: &Magazine<V::Pool>) -> Option<NonNull<u8>> {
    pool.open(magazine);
    pool.depot().fetch(magazine)
}

/// Takes a slot back where the magazine has no room, and a batch out of it.
///
/// # Safety
///
/// As for [`SharedSlots::put`].
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
unsafe extern "C" fn overflow<V: SharedSlots>(
    pool: V,
    magazine: &Magazine<V::Pool>,
    freed: NonNull<u8>,
) {
    pool.open(magazine);
    // SAFETY: passed on from the caller.
    unsafe { pool.depot().overflow(magazine, freed) };
}
