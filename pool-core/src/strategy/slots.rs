//! What a pool does, whatever its strategy and whatever is in its slots.
//!
//! What guards the use of memory (`base/watch`) stands here, between the strategy and those that take slots.

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::ledger::{Account, Facts, Owner};
use crate::base::watch::hardened::{self, Fault, IS_HARDENED, Peak, Quarantine};
use crate::base::watch::sites::Line;
use crate::base::watch::tracy::Told;
use crate::base::watch::{IS_CHECKED, IS_WATCHED, sanitizer};
use crate::memory::bump::BumpCursor;
use crate::memory::chunk::Chunk;
use crate::strategy::remember::{Slots, Strategy};

impl<S: Strategy> Slots<S> {
    /// A pool without chunks, which grows as far as memory lasts.
    ///
    /// The same for all element types, so that the thousand pools of a program have a constant to copy, and the
    /// compiler does not evaluate a function for each.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const EMPTY: Self = Self::new(Config::new());

    /// A pool without chunks, which grows as `config` says.
    pub(crate) const fn new(config: Config) -> Self {
        Self {
            strategy: S::EMPTY,
            cursor: BumpCursor::new(config),
            quarantine: Quarantine::EMPTY,
            peak: Peak::new(),
            told: Told::NOTHING,
        }
    }

    /// Takes a slot for a line of the program: a vacant one, the next never-used one, or what `grow` brings. Checks its fill,
    /// signs it, tells who watches. `None` if there is none, or an error with a slot that was written to while it was free.
    ///
    /// Plain branches, since each closure and each combinator is a call in an unoptimised build.
    #[inline(always)]
    pub(crate) fn acquire(
        &self,
        slot: Layout,
        line: Line,
        grow: impl FnOnce() -> Option<NonNull<u8>>,
    ) -> Result<Option<NonNull<u8>>, (NonNull<u8>, Fault)> {
        let taken = match self.take(slot) {
            Some(taken) => taken,
            None => match grow() {
                Some(grown) => grown,
                None => return Ok(None),
            },
        };
        if IS_WATCHED && !S::HAS_BLOCKS {
            self.note_acquired(taken, line, slot);
            if let Err(fault) = self.check_fill(taken, slot) {
                return Err((taken, fault));
            }
        }
        Ok(Some(taken))
    }

    /// Takes a slot back. Does not allocate.
    ///
    /// # Errors
    ///
    /// Where [`IS_CHECKED`] says so, if no slot begins there, or a vacant one. Nothing has changed then.
    ///
    /// # Safety
    ///
    /// `freed` came from [`Slots::acquire`] of this pool and has not been released since; it may be used to write to the slot,
    /// and nothing uses the slot any more.
    #[inline(always)]
    pub(crate) unsafe fn release(&self, freed: NonNull<u8>, slot: Layout) -> Result<(), Fault> {
        if IS_CHECKED {
            // Also if the element was checked before it was dropped: its destructor has run since.
            match self.check(freed.addr().get(), slot) {
                Ok(()) => {}
                fault => return fault,
            }
        }
        // SAFETY: passed on from the caller.
        unsafe { self.put(freed.as_ptr(), slot) };
        Ok(())
    }

    /// Takes a slot without growing; `None` if that cannot be done ([`Slots::refill`] can, perhaps).
    ///
    /// A vacant slot comes first, then the next that was never used.
    #[inline(always)]
    pub(crate) fn take(&self, slot: Layout) -> Option<NonNull<u8>> {
        // `or_else` would cost an instruction.
        let taken = match S::pop(self, slot) {
            Some(vacant) => vacant,
            None => self.cursor.take(slot)?,
        };
        // SAFETY: a vacant slot lies in a chunk, as does one that was never used.
        Some(self.hand_out(unsafe { NonNull::new_unchecked(taken) }, slot))
    }

    /// Takes a slot where [`Slots::take`] found none: from quarantine, from the next chunk, or from a new one.
    /// `None` if the pool is at its limit or the heap has no room ([`BumpCursor::is_at_limit`] tells which).
    ///
    /// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/reclaim.rs`.
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    pub(crate) extern "C" fn refill(&self, slot: Layout) -> Option<NonNull<u8>> {
        if S::HAS_BLOCKS {
            let taken = S::allocate(self, slot);
            self.peak.note(self.live(slot));
            return taken;
        }
        if let Some(released) = self.quarantine.pop().and_then(NonNull::new) {
            self.tell_if_named(slot);
            return Some(self.hand_out(released, slot));
        }
        if self.cursor.is_closed.get() || !self.cursor.chain.has_untouched() {
            return self.take_noted(slot);
        }
        S::advance(self, slot);
        self.take(slot)
    }

    /// Takes a slot from a new chunk, or of a closed pool; others may know of it.
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    extern "C" fn take_noted(&self, slot: Layout) -> Option<NonNull<u8>> {
        let chunks = self.cursor.chain.slots();
        let taken = if self.cursor.is_closed.get() {
            self.take_closed(slot)
        } else {
            self.take_grown(slot)
        };
        self.note_change(self.cursor.chain.slots() != chunks, slot);
        taken
    }

    fn take_grown(&self, slot: Layout) -> Option<NonNull<u8>> {
        let old_array = self.grow(slot);
        // The heap may be a user of this very pool, and have made room in it meanwhile.
        let taken = self.take(slot);
        if taken.is_some() || old_array.is_none() {
            return taken;
        }
        S::advance(self, slot);
        let taken = self.take(slot);
        drop(old_array);
        taken
    }

    /// Gives a pool that is a value a name, and has it listed.
    pub(crate) fn set_name(&mut self, name: &'static str, facts: &'static Facts, slot: Layout) {
        let cursor = &mut self.cursor;
        cursor.config.name = Some(name);
        // If it had another name, it is listed anew.
        cursor.account = Account::NONE;
        cursor.account.open(facts, name, Owner::NONE);
        cursor.chain.iter().for_each(|_| cursor.account.count_growth());
        if cursor.account.is_open() && !cursor.is_named.replace(true) {
            self.release_all(slot);
            S::close(self, slot);
        }
        self.note(slot);
    }

    /// Tells the account of a value with a name how many slots are live.
    pub(super) fn tell_if_named(&self, slot: Layout) {
        if self.cursor.is_named.get() {
            self.cursor.account.tell(self.live(slot), [0; 2]);
        }
    }

    /// What [`Slots::note`] says has changed; of a value with a name only what is live, unless `has_grown`.
    pub(super) fn note_change(&self, has_grown: bool, slot: Layout) {
        match self.cursor.is_named.get() && !has_grown {
            true => self.tell_if_named(slot),
            false => self.note(slot),
        }
    }

    /// All slots are vacant from here on, and count as never used.
    pub(super) fn begin_anew(&self, slot: Layout) {
        S::reset(self, slot);
        if self.cursor.is_closed.replace(false) {
            S::close(self, slot);
            self.tell_if_named(slot);
        }
    }

    /// Tells those who ask what the pool's figures are now, if anybody may know.
    pub(crate) fn note(&self, slot: Layout) {
        let account = &self.cursor.account;
        if account.is_open() {
            account.note(&self.stats("", slot));
        }
    }

    /// Takes at most `most` adjacent slots that were never used, if no other slot is vacant; returns the first,
    /// and how many there are. O(1).
    pub(crate) fn take_run(&self, most: usize, slot: Layout) -> (*mut u8, usize) {
        self.cursor.take_run(if S::has_vacant(self) { 0 } else { most }, slot)
    }

    /// Appends a chunk, of a size that [`BumpCursor::grow`] chooses.
    pub(super) fn grow(&self, slot: Layout) -> Option<S::OldArray> {
        self.cursor.grow(slot, |count| self.grow_by(count, slot))
    }

    /// Appends a chunk of `count` slots; `None` if the limit or the heap does not allow it.
    pub(crate) fn grow_by(&self, count: usize, slot: Layout) -> Option<S::OldArray> {
        // The heap is not asked at all if it cannot give everything.
        S::largest_block(count, slot)?;
        let chunk = Chunk::allocate(count, slot)?;
        let appended = S::append(self, chunk, count, slot);
        if appended.is_none() {
            // SAFETY: the chunk is in no chain, and none of its slots was handed out.
            unsafe { Chunk::release(chunk) };
        } else {
            self.cursor.account.count_growth();
        }
        appended
    }

    /// Whether a slot that was just taken is as it was left when it was freed. If not, it is freed again,
    /// and refilled.
    #[inline(always)]
    pub(crate) fn check_fill(&self, taken: NonNull<u8>, slot: Layout) -> Result<(), Fault> {
        if IS_HARDENED {
            // SAFETY: slots are filled when their chunk is made, and when they are put back.
            let checked = unsafe { hardened::check_fill(taken.as_ptr(), slot.size()) };
            if checked.is_err() {
                // SAFETY: the slot came from this pool, and was not handed out.
                unsafe { self.put(taken.as_ptr(), slot) };
                return checked;
            }
            self.peak.note(self.live(slot));
        }
        Ok(())
    }

    /// What is wrong with giving back a slot that begins at the address. O(chunks).
    pub(crate) fn check(&self, address: usize, slot: Layout) -> Result<(), Fault> {
        if S::HAS_BLOCKS {
            // Whatever watches the heap finds such mistakes.
            return Ok(());
        }
        let Some(home) = self.cursor.chain.find(address, slot) else { return Err(Fault::Foreign) };
        let offset = (address - home.start().addr()) % slot.size();
        if offset != 0 {
            return Err(Fault::Interior { offset });
        }
        let marked = if IS_HARDENED { home.is_occupied(address, slot) } else { None };
        let is_occupied = match marked {
            Some(is_occupied) => is_occupied,
            None => {
                S::last_freed(self).addr() != address && !self.cursor.is_fresh(address, home, slot)
            }
        };
        if is_occupied { Ok(()) } else { Err(Fault::Vacant) }
    }

    /// Takes a slot back. Does not allocate.
    ///
    /// # Safety
    ///
    /// `freed` came from [`Slots::take`], [`Slots::refill`] or [`Slots::take_run`] of this pool and has not been taken
    /// back since; it may be used to write a link there, and nothing uses the slot any more.
    #[inline(always)]
    pub(crate) unsafe fn put(&self, freed: *mut u8, slot: Layout) {
        if S::HAS_BLOCKS {
            // SAFETY: passed on from the caller.
            return unsafe { S::push(self, freed, slot) };
        }
        if IS_WATCHED {
            // SAFETY: nothing uses the slot any more (caller).
            unsafe { self.note_released(freed, slot) };
        }
        sanitizer::poison(freed, slot.size());
        // A closed pool is to give its memory back as soon as it can.
        let released = if !IS_HARDENED || self.cursor.is_ending() {
            Some(freed)
        } else {
            self.quarantine.push(freed)
        };
        if let Some(released) = released {
            // SAFETY: passed on from the caller; for one from the quarantine, from the caller that gave it back.
            unsafe { S::push(self, released, slot) };
        }
        if IS_HARDENED {
            self.tell_if_named(slot);
        }
    }
}
