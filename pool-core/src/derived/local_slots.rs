//! What a thread does with a pool of its own, whatever leads there: a type, or a layout.

use core::alloc::Layout;
use core::any::type_name;
#[cfg(feature = "sites")]
use core::num::NonZeroU32;
use core::ptr::NonNull;

use crate::base::exhausted::Exhausted;
use crate::base::guard::hardened::{Fault, IS_HARDENED};
use crate::base::ledger::Facts;
use crate::base::map::{Canvas, PoolMap};
use crate::base::sites::Line;
use crate::base::stats::PoolStats;
use crate::derived::storage::gone;
use crate::derived::thread_exit::this_thread;
use crate::derived::thread_local::AccessError;
use crate::strategy::{Slots, Strategy};

/// Leads to one pool of this thread, always the same.
pub(crate) trait LocalSlots: Copy {
    type Strategy: Strategy;

    /// The layout of a slot.
    fn layout(self) -> Layout;

    /// Calls `f` with the pool; on some platforms an error if it is the first use, and there is no memory.
    fn with<R>(self, f: impl FnOnce(&Slots<Self::Strategy>) -> R) -> Result<R, AccessError>;

    /// What does not change about such pools.
    fn facts(self) -> &'static Facts;

    /// Sees to it that the pool is closed when its thread ends.
    fn close_at_exit(self);

    /// Takes a slot for a line; `None` if there is none, or an error with a slot that was written to while it was free.
    #[inline(always)]
    fn take(self, line: Line) -> Result<Option<NonNull<u8>>, (NonNull<u8>, Fault)> {
        let taken = self.with(|slots| {
            let Some(taken) = slots.take(self.layout()).or_else(|| refill(self)) else {
                return Ok(None);
            };
            match slots.check_fill(taken, self.layout()) {
                Ok(()) => {
                    slots.sign(taken, line, self.layout());
                    Ok(Some(taken))
                }
                Err(fault) => Err((taken, fault)),
            }
        });
        taken.unwrap_or(Ok(None))
    }

    /// What is wrong with giving back a slot that begins at the address, if that is found.
    fn check(self, address: usize) -> Result<(), Fault> {
        self.with(|slots| slots.check(address, self.layout())).unwrap_or(Ok(()))
    }

    /// Takes a slot back; with the feature `hardened` an error if it cannot be.
    ///
    /// # Safety
    ///
    /// It came from [`LocalSlots::take`] of this pool, in this thread, and has not been taken back since; the pointer is good for
    /// writing to all of it, and nothing uses it any more.
    #[inline(always)]
    unsafe fn put(self, freed: NonNull<u8>) -> Result<(), Fault> {
        let put = self.with(|slots| {
            let (address, layout) = (freed.addr().get(), self.layout());
            if IS_HARDENED {
                // Once more: the element's destructor has run since.
                slots.check(address, layout)?;
            }
            // SAFETY: passed on from the caller.
            unsafe { slots.put(freed.as_ptr(), layout) };
            Ok(())
        });
        put.unwrap_or(Ok(()))
    }

    /// Why [`LocalSlots::take`] has just found no slot for a `T`.
    #[track_caller]
    fn exhausted<T>(self) -> Exhausted {
        self.with(|slots| slots.exhausted::<T>(self.layout())).unwrap_or_else(|_| gone::<T>())
    }

    /// The figures of the pool of `T`s.
    #[track_caller]
    fn stats<T>(self) -> PoolStats {
        self.with(|slots| slots.stats(type_name::<T>(), self.layout()))
            .unwrap_or_else(|_| gone::<T>())
    }

    /// Shows the line that has taken each slot.
    #[cfg(feature = "sites")]
    fn show_lines(self, found: &mut dyn FnMut(NonZeroU32)) {
        let _ = self.with(|slots| slots.show_lines(found));
    }

    /// A map of the pool of `T`s.
    #[track_caller]
    fn map<T>(self) -> PoolMap {
        Canvas::draw(|canvas| {
            self.with(|slots| slots.draw(type_name::<T>(), self.layout(), canvas))
                .unwrap_or_else(|_| gone::<T>())
        })
    }

    /// Makes room for `additional` more slots, for `T`s.
    #[track_caller]
    fn reserve<T>(self, additional: usize) {
        register(self);
        match self.with(|slots| slots.try_reserve(additional, self.layout())) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => error.panic::<T, Self::Strategy>(additional, self.layout()),
            Err(_) => gone::<T>(),
        }
    }

    /// Brings in the memory of slots that were never used.
    fn prefault(self) {
        let _ = self.with(|slots| slots.cursor.prefault(self.layout()));
    }

    /// Gives the chunks without an occupied slot back to the heap; returns their bytes.
    fn trim(self) -> usize {
        self.with(|slots| slots.trim(self.layout())).unwrap_or(0)
    }
}

/// Sees to it that the pool is closed when its thread ends, and listed; to be called before it grows.
#[cold]
fn register<L: LocalSlots>(local: L) {
    local.close_at_exit();
    let facts = local.facts();
    let _ = local.with(|slots| {
        let cursor = &slots.cursor;
        if !cursor.account.is_open() {
            let name = cursor.config.name.unwrap_or_else(facts.type_name);
            cursor.account.open(facts, name, this_thread(cursor.is_closed.get()));
        }
    });
}

/// Takes a slot where none is at hand.
///
/// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/free_list.rs`.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
extern "C" fn refill<L: LocalSlots>(local: L) -> Option<NonNull<u8>> {
    // A pool with chunks has been registered before the first.
    let has_chunks = local.with(|slots| slots.cursor.chain.first().is_some());
    if has_chunks.unwrap_or(false) {
        local.with(|slots| slots.refill(local.layout())).ok().flatten()
    } else {
        refill_anew(local)
    }
}

/// Takes a slot of a pool without chunks.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
extern "C" fn refill_anew<L: LocalSlots>(local: L) -> Option<NonNull<u8>> {
    register(local);
    local.with(|slots| slots.refill(local.layout())).ok().flatten()
}
