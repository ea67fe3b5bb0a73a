//! What a derived pool asks of the typed pool behind it, and what both say when there is no room.

use core::alloc::Layout;
use core::any::type_name;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::guard::hardened::{Fault, IS_HARDENED};
use crate::memory::chunk::Chunk;
use crate::strategy::{HasSlots, Remember as _, Slots, Strategy};

#[cfg(all(test, feature = "std"))]
mod model;

/// A [`TypedPool`](crate::TypedPool) whose two parameters are named by one: generic code of derived pools is written
/// for it.
pub(crate) trait OwnedPool: HasSlots {
    type Element;

    /// Does not compile if a slot is of no size.
    #[cfg(feature = "std")]
    const HAS_SIZE: () = assert!(Self::SLOT.size() > 0, "a type without a size has no such pool");

    /// Takes a slot that is at hand.
    #[inline(always)]
    fn take(&self) -> Option<NonNull<Self::Element>> {
        self.slots().take(Self::SLOT).map(NonNull::cast)
    }

    /// Takes a slot where [`OwnedPool::take`] found none.
    ///
    /// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/free_list.rs`.
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    extern "C" fn refill(&self) -> Option<NonNull<Self::Element>> {
        self.slots().refill(Self::SLOT).map(NonNull::cast)
    }

    /// What is wrong with giving back this slot. O(chunks).
    fn check(&self, slot: NonNull<Self::Element>) -> Result<(), Fault> {
        self.slots().check(slot.addr().get(), Self::SLOT)
    }

    /// Panics if the slot cannot be given back.
    #[track_caller]
    fn verify(&self, slot: NonNull<Self::Element>) {
        if let Err(fault) = self.check(slot) {
            fault.panic(slot.as_ptr());
        }
    }

    /// [`Slots::check_fill`].
    #[inline(always)]
    fn check_fill(&self, taken: NonNull<Self::Element>) -> Result<(), Fault> {
        self.slots().check_fill(taken.cast(), Self::SLOT)
    }

    /// The slot that was just taken. Panics if it was written to while it was free.
    #[inline(always)]
    #[track_caller]
    fn verify_fill(&self, taken: Option<NonNull<Self::Element>>) -> Option<NonNull<Self::Element>> {
        let taken = taken?;
        match self.check_fill(taken) {
            Ok(()) => Some(taken),
            Err(fault) => fault.panic(taken.as_ptr()),
        }
    }

    /// Takes a slot back that was verified.
    ///
    /// # Safety
    ///
    /// As for [`Pool::release`](crate::Pool::release).
    #[inline(always)]
    unsafe fn put(&self, slot: NonNull<Self::Element>) {
        if IS_HARDENED {
            // Once more: the element's destructor has run since.
            self.verify(slot);
        }
        // SAFETY: passed on from the caller.
        unsafe { self.put_checked(slot) };
    }

    /// Takes a slot back in which [`OwnedPool::check`] has found no fault.
    ///
    /// # Safety
    ///
    /// As for [`Pool::release`](crate::Pool::release).
    #[inline(always)]
    unsafe fn put_checked(&self, slot: NonNull<Self::Element>) {
        // SAFETY: the caller's guarantees 1 to 3 are those of `Slots::put`.
        unsafe { self.slots().put(slot.as_ptr().cast(), Self::SLOT) };
    }

    #[cfg(feature = "std")]
    fn close(&self) {
        self.slots().close(Self::SLOT);
    }

    /// Whether a slot begins where `element` points.
    #[cfg(feature = "std")]
    fn owns(&self, element: *const Self::Element) -> bool {
        self.slots().owns(element.addr(), Self::SLOT)
    }

    /// Makes room for `additional` more elements. The panic is left to the caller, whose place it is
    /// to name.
    fn try_reserve(&self, additional: usize) -> Result<(), ReserveError> {
        self.slots().try_reserve(additional, Self::SLOT)
    }

    /// Brings in the pages of slots that were never used.
    #[cfg(feature = "std")]
    fn prefault(&self) {
        self.slots().cursor.prefault(Self::SLOT);
    }

    /// Gives the chunks without a live slot back; returns their bytes.
    #[cfg(feature = "std")]
    fn trim(&self) -> usize {
        self.slots().trim(Self::SLOT)
    }

    /// See [`Pool::exhausted`](crate::Pool::exhausted).
    fn exhausted(&self) -> Exhausted {
        self.exhausted_as::<Self::Element>()
    }

    /// [`OwnedPool::exhausted`] of a pool that is a `T`'s.
    fn exhausted_as<T>(&self) -> Exhausted {
        let cursor = &self.slots().cursor;
        if cursor.is_at_limit() {
            return Exhausted::new::<T>(&cursor.config);
        }
        chunk_failed::<Self>(cursor.config.least_chunk())
    }
}

impl<S: Strategy> Slots<S> {
    /// Makes room for `additional` more slots. The panic is left to the caller, which can name the pool.
    fn try_reserve(&self, additional: usize, slot: Layout) -> Result<(), ReserveError> {
        let (cursor, config) = (&self.cursor, &self.cursor.config);
        if cursor.is_closed.get() {
            // The thread is ending, and what nobody uses would never be given back.
            return Ok(());
        }
        self.release_all(slot);
        let present = cursor.chain.slots();
        let live = self.live(slot);
        let Some(missing @ 1..) = additional.checked_sub(present - live) else { return Ok(()) };
        if !cursor.may_grow_by(missing) {
            return Err(ReserveError::Limit { live, config: *config });
        }
        // A reserve of one at a time must not make a chunk of each, and the fixed block of a
        // bounded pool is made whole or not at all.
        let wanted = if config.is_fixed() { config.max } else { missing.max(present) };
        let wanted = wanted.min(config.max.saturating_sub(present));
        let mut old_array = self.grow_by(wanted, slot);
        if old_array.is_none() {
            let is_whole = config.is_fixed() || wanted == missing;
            if !is_whole {
                old_array = self.grow_by(missing, slot);
            }
            if old_array.is_none() {
                return Err(ReserveError::Heap { slots: if is_whole { wanted } else { missing } });
            }
        }
        Ok(())
    }
}

/// Why room could not be reserved.
pub(crate) enum ReserveError {
    /// The limit does not allow that many more: `live` slots are live, in a pool of this configuration.
    Limit { live: usize, config: Config },
    /// The heap has no room for a chunk of `slots` slots, or no chunk can be that large.
    Heap { slots: usize },
}

impl ReserveError {
    /// There is no room for `additional` more elements in a `P`.
    #[cold]
    #[track_caller]
    pub(crate) fn panic<P: OwnedPool>(self, additional: usize) -> ! {
        let (live, config) = match self {
            Self::Limit { live, config } => (live, config),
            Self::Heap { slots } => chunk_failed::<P>(slots),
        };
        let name = config.name_of::<P::Element>();
        let limit = config.max;
        let remedy = config.bound.remedy();
        panic!(
            "cannot reserve {additional} more slots in the pool of `{name}`: {live} of at most \
             {limit} are occupied; {remedy}"
        )
    }
}

/// The heap has no room for a chunk of `slots` slots, or no chunk can be that large.
#[cold]
#[track_caller]
pub(crate) fn chunk_failed<P: OwnedPool + ?Sized>(slots: usize) -> ! {
    match P::Strategy::largest_block(slots, P::SLOT) {
        Some(layout) => alloc::alloc::handle_alloc_error(layout),
        None => {
            let (bytes, name) = (P::SLOT.size(), type_name::<P::Element>());
            if Chunk::bytes_for(slots, P::SLOT).is_some() {
                panic!(
                    "capacity overflow: the pointers to {slots} slots for `{name}`, which a pointer stack keeps \
                     beside them, exceed isize::MAX bytes"
                );
            }
            panic!(
                "capacity overflow: {slots} slots of {bytes} bytes for `{name}` exceed isize::MAX bytes"
            )
        }
    }
}
