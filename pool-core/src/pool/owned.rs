//! A pool that is a value, whatever its strategy and whatever is in its slots.

use core::alloc::Layout;
use core::any::type_name;
use core::ptr::NonNull;

use crate::base::config::{Bound, Config};
use crate::base::exhausted::Exhausted;
use crate::base::guard::hardened::{self, Fault, IS_HARDENED, Peak, Quarantine};
use crate::base::guard::{IS_WATCHED, sanitizer};
use crate::base::stats::PoolStats;
use crate::memory::bump::Region;
use crate::memory::chunk::Chunk;
use crate::strategy::Strategy;

#[cfg(all(test, feature = "std"))]
mod model;

/// A strategy whose memory goes back to the heap with it.
///
/// Between it and those who take slots stands what accounts for them: `base/guard`.
pub(crate) struct Owned<S: Strategy> {
    strategy: S,
    quarantine: Quarantine,
    /// The most slots that were ever live, where the strategy cannot tell.
    peak: Peak,
}

impl<S: Strategy> Drop for Owned<S> {
    fn drop(&mut self) {
        // SAFETY: the pool is not borrowed, so no box can reach a slot any more; who took slots by
        // their address was told not to use them after this.
        unsafe { self.strategy.dissolve() };
    }
}

impl<S: Strategy> Owned<S> {
    pub(crate) const fn new(strategy: S) -> Self {
        Self { strategy, quarantine: Quarantine::EMPTY, peak: Peak::new() }
    }

    #[cfg(feature = "std")]
    #[inline(always)]
    pub(crate) fn strategy(&self) -> &S {
        &self.strategy
    }

    #[inline(always)]
    pub(crate) fn region(&self) -> &Region {
        self.strategy.region()
    }

    /// [`Strategy::take`].
    #[inline(always)]
    pub(crate) fn take(&self, slot: Layout) -> Option<NonNull<u8>> {
        let taken = self.strategy.take(slot)?;
        self.hand_out(taken, slot);
        Some(taken)
    }

    /// [`Strategy::refill`]. What is in quarantine comes before what is asked of the heap.
    pub(crate) fn refill(&self, slot: Layout) -> Option<NonNull<u8>> {
        let released = self.quarantine.pop().and_then(NonNull::new);
        if let Some(released) = released {
            sanitizer::unpoison(released.as_ptr(), slot.size());
        }
        let taken = released.or_else(|| self.strategy.refill(slot))?;
        self.hand_out(taken, slot);
        Some(taken)
    }

    /// Accounts for a slot that is handed out.
    #[inline(always)]
    fn hand_out(&self, taken: NonNull<u8>, slot: Layout) {
        if IS_WATCHED {
            if let Some(home) = self.region().chain.find(taken.addr().get(), slot) {
                home.hand_out(taken.as_ptr(), slot);
            }
        }
    }

    /// Whether a slot that has just been handed out is as it was left when it was free. If it is not, then it is
    /// free again, and filled.
    #[inline(always)]
    pub(crate) fn look(&self, taken: NonNull<u8>, slot: Layout) -> Result<(), Fault> {
        if IS_HARDENED {
            // SAFETY: slots are filled when their chunk is made, and when they are put back.
            let looked = unsafe { hardened::check_fill(taken.as_ptr(), slot.size()) };
            if looked.is_err() {
                // SAFETY: the slot came from this pool, and was given to nobody.
                unsafe { self.put(taken.as_ptr(), slot) };
                self.strategy.mend(&|vacant| self.quarantine.holds(vacant), slot);
                return looked;
            }
            self.peak.note(self.live(slot));
        }
        Ok(())
    }

    /// What is wrong with giving back a slot that begins at the address. O(chunks).
    pub(crate) fn check(&self, address: usize, slot: Layout) -> Result<(), Fault> {
        let region = self.region();
        let home = region.chain.find(address, slot).ok_or(Fault::Foreign)?;
        let offset = (address - home.start().addr()) % slot.size();
        if offset != 0 {
            return Err(Fault::Interior { offset });
        }
        let is_occupied = home.is_occupied(address, slot).unwrap_or_else(|| {
            address < region.fresh_in(home, slot).addr() && self.strategy.newest().addr() != address
        });
        if is_occupied { Ok(()) } else { Err(Fault::Vacant) }
    }

    /// [`Strategy::put`].
    ///
    /// # Safety
    ///
    /// That of [`Strategy::put`].
    #[inline(always)]
    pub(crate) unsafe fn put(&self, freed: *mut u8, slot: Layout) {
        if IS_WATCHED {
            if let Some(home) = self.region().chain.find(freed.addr(), slot) {
                // SAFETY: nobody uses the slot any more (caller).
                unsafe { home.take_back(freed, slot) };
            }
        }
        // A closed pool is to give its memory back as soon as it can.
        let released = if !IS_HARDENED || self.region().is_closed.get() {
            Some(freed)
        } else {
            sanitizer::poison(freed, slot.size());
            self.quarantine.push(freed)
        };
        if let Some(released) = released {
            // SAFETY: passed on from the caller; of who gave the slot back earlier, if it comes from the
            // quarantine.
            unsafe { self.strategy.put(released, slot) };
        }
    }

    /// Ends the quarantine of all slots.
    pub(crate) fn release_all(&self, slot: Layout) {
        while let Some(released) = self.quarantine.pop() {
            // SAFETY: nobody has used the slot since it was given back (`put`).
            unsafe { self.strategy.put(released, slot) };
        }
    }

    /// All slots are taken back at once, and count as never used.
    pub(crate) fn reset(&mut self, slot: Layout) {
        self.release_all(slot);
        for chunk in self.region().chain.iter() {
            // SAFETY: nobody uses a slot any more: the pool is borrowed exclusively, and who took slots by
            // their address was told not to use them after this.
            unsafe { chunk.take_all_back(slot) };
        }
        self.strategy.reset(slot);
    }

    /// [`Strategy::trim`].
    pub(crate) fn trim(&self, slot: Layout) -> usize {
        self.release_all(slot);
        self.strategy.trim(slot)
    }

    /// [`Strategy::close`].
    #[cfg(feature = "std")]
    pub(crate) fn close(&self, slot: Layout) {
        self.release_all(slot);
        self.strategy.close(slot);
    }

    /// [`Strategy::grow_by`].
    pub(crate) fn grow_by(&self, slots: usize, slot: Layout) -> bool {
        self.strategy.grow_by(slots, slot).is_some()
    }

    /// [`Strategy::live`].
    pub(crate) fn live(&self, slot: Layout) -> usize {
        self.strategy.live(slot) - self.quarantine.len()
    }

    /// [`Strategy::for_each_vacant`].
    pub(crate) fn for_each_vacant(&self, slot: Layout, show: &mut dyn FnMut(*mut u8)) {
        self.strategy.for_each_vacant(slot, show);
        self.quarantine.for_each(show);
    }

    pub(crate) fn config(&self) -> &Config {
        &self.region().config
    }

    /// The figures of a pool that is called `name` unless it was given a name. O(chunks).
    pub(crate) fn stats(&self, name: &'static str, slot: Layout) -> PoolStats {
        let (region, config) = (self.region(), self.config());
        let slots = region.chain.slots();
        let of_chunks: usize = region.chain.iter().map(|chunk| chunk.bytes()).sum();
        PoolStats {
            name: config.name.unwrap_or(name),
            live: self.live(slot),
            detached: 0,
            high_water: self.peak.get().unwrap_or_else(|| region.high_water(slot)),
            capacity: if config.is_fixed() { config.max } else { slots },
            limit: (config.bound != Bound::None).then_some(config.max),
            chunks: region.chain.iter().count(),
            slot_bytes: slot.size(),
            bytes: of_chunks + self.strategy.bytes_beside(),
        }
    }

    /// Whether a slot begins at the address, occupied or not. O(chunks).
    pub(crate) fn owns(&self, address: usize, slot: Layout) -> bool {
        self.region().chain.has_slot_at(address, slot)
    }

    /// Makes room for `additional` more slots. Whom a panic names is left to the caller.
    pub(crate) fn try_reserve(&self, additional: usize, slot: Layout) -> Result<(), ReserveError> {
        let (strategy, region, config) = (&self.strategy, self.region(), self.config());
        if region.is_closed.get() {
            // The thread is ending, and what nobody uses would never be given back.
            return Ok(());
        }
        self.release_all(slot);
        let present = region.chain.slots();
        let live = strategy.live(slot);
        let Some(missing @ 1..) = additional.checked_sub(present - live) else { return Ok(()) };
        if !region.may_grow_by(missing) {
            return Err(ReserveError::Limit { live, config: *config });
        }
        // A reserve of one at a time must not make a chunk of each, and the fixed block of a
        // bounded pool is made whole or not at all.
        let wanted = if config.is_fixed() { config.max } else { missing.max(present) };
        let wanted = wanted.min(config.max.saturating_sub(present));
        let mut outgrown = strategy.grow_by(wanted, slot);
        if outgrown.is_none() {
            let is_whole = config.is_fixed() || wanted == missing;
            if !is_whole {
                outgrown = strategy.grow_by(missing, slot);
            }
            if outgrown.is_none() {
                return Err(ReserveError::Heap { slots: if is_whole { wanted } else { missing } });
            }
        }
        Ok(())
    }
}

/// An owned pool of elements of one type: what is behind `FreeList` and `PointerStack`, and what a
/// thread-local pool asks of either.
pub(crate) trait OwnedPool {
    type Element;
    type Strategy: Strategy;

    /// The layout of a slot.
    const SLOT: Layout;

    /// Does not compile if that is of no size.
    #[cfg(feature = "std")]
    const HAS_SIZE: () = assert!(Self::SLOT.size() > 0, "a type without a size has no such pool");

    fn owned(&self) -> &Owned<Self::Strategy>;

    /// Takes a slot that is at hand.
    #[inline(always)]
    fn take(&self) -> Option<NonNull<Self::Element>> {
        self.owned().take(Self::SLOT).map(NonNull::cast)
    }

    /// Takes a slot where [`OwnedPool::take`] found none.
    ///
    /// `extern "C"`, as it does not unwind: see `put_rare` in `strategy/free_list.rs`.
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    extern "C" fn refill(&self) -> Option<NonNull<Self::Element>> {
        self.owned().refill(Self::SLOT).map(NonNull::cast)
    }

    /// What is wrong with giving back this slot. O(chunks).
    fn check(&self, element: NonNull<Self::Element>) -> Result<(), Fault> {
        self.owned().check(element.addr().get(), Self::SLOT)
    }

    /// Panics if the slot cannot be given back.
    #[track_caller]
    fn verify(&self, element: NonNull<Self::Element>) {
        if let Err(fault) = self.check(element) {
            fault.panic(element.as_ptr());
        }
    }

    /// [`Owned::look`].
    #[inline(always)]
    fn look(&self, taken: NonNull<Self::Element>) -> Result<(), Fault> {
        self.owned().look(taken.cast(), Self::SLOT)
    }

    /// The slot that was just taken. Panics if somebody has written to it while it was free.
    #[inline(always)]
    #[track_caller]
    fn intact(&self, taken: Option<NonNull<Self::Element>>) -> Option<NonNull<Self::Element>> {
        let taken = taken?;
        match self.look(taken) {
            Ok(()) => Some(taken),
            Err(fault) => fault.panic(taken.as_ptr()),
        }
    }

    /// Takes a slot back.
    ///
    /// # Safety
    ///
    /// That of [`Pool::release`](crate::Pool::release).
    #[inline(always)]
    unsafe fn put(&self, slot: NonNull<Self::Element>) {
        if IS_HARDENED {
            // Once more (`Pool::verify`): the element's destructor has run since.
            self.verify(slot);
        }
        // SAFETY: passed on from the caller.
        unsafe { self.put_checked(slot) };
    }

    /// Takes a slot back of which [`OwnedPool::check`] has found nothing.
    ///
    /// # Safety
    ///
    /// That of [`Pool::release`](crate::Pool::release).
    #[inline(always)]
    unsafe fn put_checked(&self, slot: NonNull<Self::Element>) {
        // SAFETY: the caller's guarantees 1 to 3 are those of `Strategy::put`.
        unsafe { self.owned().put(slot.as_ptr().cast(), Self::SLOT) };
    }

    #[cfg(feature = "std")]
    fn close(&self) {
        self.owned().close(Self::SLOT);
    }

    /// Whether a slot begins where `element` points.
    fn holds(&self, element: *const Self::Element) -> bool {
        self.owned().owns(element.addr(), Self::SLOT)
    }

    fn figures(&self) -> PoolStats {
        self.owned().stats(type_name::<Self::Element>(), Self::SLOT)
    }

    /// Makes room for `additional` more elements. The panic is left to the caller, whose place it is
    /// to name.
    fn try_reserve(&self, additional: usize) -> Result<(), ReserveError> {
        self.owned().try_reserve(additional, Self::SLOT)
    }

    /// Brings in the pages of slots that were never used.
    fn touch(&self) {
        self.owned().region().touch(Self::SLOT);
    }

    /// Gives the chunks without a live slot back; returns their bytes.
    fn give_back(&self) -> usize {
        self.owned().trim(Self::SLOT)
    }

    /// See [`Pool::refusal`](crate::Pool::refusal).
    fn refused(&self) -> Exhausted {
        self.refused_as::<Self::Element>()
    }

    /// [`OwnedPool::refused`] of a pool that is a `T`'s.
    fn refused_as<T>(&self) -> Exhausted {
        let config = self.owned().config();
        if self.owned().region().is_at_limit() {
            return Exhausted::new::<T>(config);
        }
        chunk_failed::<Self>(config.least_chunk())
    }
}

/// Why room could not be reserved.
pub(crate) enum ReserveError {
    /// The limit of a pool of this configuration, in which so many slots are live, does not allow
    /// so many.
    Limit { live: usize, config: Config },
    /// The heap has no room for a chunk of so many slots, or no chunk can be that large.
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
