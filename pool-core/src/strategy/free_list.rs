//! The intrusive free list, with the layout of a slot as an argument: the machinery under
//! [`FreeList`](crate::FreeList), compiled once for all element types but for its two hot paths.
//!
//! # The hot pair
//!
//! Three places give a slot, asked in this order:
//!
//! 1. `last`, the slot that was freed last. Its link is not written before the next slot is freed,
//!    so an object that is made and destroyed at once moves one pointer and touches no list.
//! 2. `head`, the list through the vacant slots, newest first.
//! 3. `bump`, the first slot of the current chunk that was never used. Nothing is written into a
//!    slot ahead of its use.
//!
//! # Emptiness for free
//!
//! A pool that has emptied hands its slots out again as it did at first, in address order within each
//! chunk, or the next frame's tree lies scattered over the memory of the last one's. So the pool has to know the moment, and a
//! counter of live slots makes the hot pair a third to three quarters slower (`docs/decisions/free-list.md`).
//! `floor` is that counter in disguise. As soon as there is a chunk, it trails `bump`:
//!
//! ```text
//! bump - floor == (occupied - 1) * slot size
//! ```
//!
//! where *occupied* counts the slots that are neither in the list nor never used, that is, the live
//! ones and the one in `last`. Handing out a never-used slot moves `bump` and thereby counts it.
//! Only the list's own push and pop move `floor`, and `last` keeps both away from the hot pair.
//! After a push, `floor == bump` says that the one occupied slot is the one now in `last`: the pool
//! is empty. Across chunks the two move together, so the distance holds.

use core::alloc::Layout;
use core::cell::Cell;
use core::ptr::{self, NonNull};

use crate::base::config::Config;
use crate::base::guard::hardened::IS_HARDENED;
use crate::base::guard::{sanitizer, valgrind};
use crate::memory::bump::Region;
use crate::memory::chunk::{Chain, Chunk};
use crate::memory::slot::Link;
use crate::strategy::Strategy;

mod mend;
mod reclaim;

/// What stands in `last` once the pool's thread has begun to end (`reclaim.rs`): not null, so that
/// every free looks at `floor`, and not a slot.
const CLOSED: *mut Link = ptr::without_provenance_mut(1);

/// The state of a free list.
pub(crate) struct List {
    /// The slot freed last, its link not yet written; null if there is none, or [`CLOSED`].
    pub(crate) last: Cell<*mut Link>,
    /// The list through the vacant slots, null if it is empty.
    pub(crate) head: Cell<*mut Link>,
    /// See the module's documentation. An address, not a pointer: it never leads anywhere.
    pub(crate) floor: Cell<usize>,
    pub(crate) region: Region,
}

impl List {
    /// A list without chunks, which grows as far as memory lasts.
    ///
    /// The same for all slots, so that the thousand pools of a program have a constant to copy, and
    /// the compiler does not evaluate a function for each.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const EMPTY: Self = Self {
        last: Cell::new(ptr::null_mut()),
        head: Cell::new(ptr::null_mut()),
        floor: Cell::new(0),
        region: Region::EMPTY,
    };

    pub(crate) const fn new(config: Config) -> Self {
        Self { region: Region::new(config), ..Self::EMPTY }
    }

    /// The address of `bump`, as `floor` is compared with it.
    ///
    /// For Valgrind it is shifted far away: otherwise `floor` may equal the address of a leaked slot, which would count
    /// as reachable.
    #[inline(always)]
    fn bump(&self) -> usize {
        const FAR: usize = if valgrind::IS_ON { 1 << (usize::BITS - 1) } else { 0 };
        self.region.bump.get().addr().wrapping_add(FAR)
    }

    /// Goes on with `occupied` slots outside the list.
    pub(crate) fn lay_floor(&self, occupied: usize, slot: Layout) {
        let distance = occupied.wrapping_sub(1).wrapping_mul(slot.size());
        self.floor.set(self.bump().wrapping_sub(distance));
    }

    /// Moves the first slot of the list to `last`, if there is one.
    ///
    /// Only a put that finds `last` taken notices that the pool is empty. So wherever slots are
    /// vacant, one must be there, unless it has just been handed out.
    pub(crate) fn fill_last(&self, slot: Layout) {
        if let Some(first) = self.unlink(slot) {
            self.last.set(first);
            self.floor.set(self.floor.get().wrapping_sub(slot.size()));
        }
    }

    /// Makes every `take` and every `put` go the rare way from here on.
    #[cfg(feature = "std")]
    pub(crate) fn close_hot_paths(&self, slot: Layout) {
        self.last.set(CLOSED);
        self.head.set(ptr::null_mut());
        self.region.close();
        // As before the free that leaves the last live slot alone.
        self.lay_floor(2, slot);
    }

    /// Slots that are neither in the list nor never used. Meaningless in a closed pool.
    fn occupied(&self, slot: Layout) -> usize {
        let bump = self.region.bump.get();
        if bump.is_null() {
            // No chunk was used yet, and `floor` says nothing.
            return 0;
        }
        let distance = self.bump().wrapping_sub(self.floor.get());
        distance.wrapping_add(slot.size()) / slot.size()
    }
}

impl Strategy for List {
    const LISTED_IN: &'static str = "free list";
    const RAW_POOL: &'static str = "RawFreeList";

    type Outgrown = ();

    #[inline(always)]
    fn region(&self) -> &Region {
        &self.region
    }

    #[inline(always)]
    fn take(&self, slot: Layout) -> Option<NonNull<u8>> {
        let (last, head) = (self.last.get(), self.head.get());
        let taken = if last.addr() > CLOSED.addr() {
            self.last.set(ptr::null_mut());
            last.cast()
        } else if !head.is_null() {
            // SAFETY: `head` is vacant and was linked when it came into the list (`put`).
            let next =
                unsafe { Link::take(head, |next| self.region.chain.has_slot_at(next, slot)) };
            self.head.set(next);
            self.floor.set(self.floor.get().wrapping_sub(slot.size()));
            head.cast()
        } else {
            self.region.take(slot)?
        };
        sanitizer::unpoison(taken, slot.size());
        // SAFETY: `last` and `head` were just found not to be null, and a never-used slot lies
        // in a chunk.
        Some(unsafe { NonNull::new_unchecked(taken) })
    }

    #[inline(always)]
    unsafe fn put(&self, freed: *mut u8, slot: Layout) {
        sanitizer::poison(freed, slot.size());
        let last = self.last.get();
        if !last.is_null() {
            let floor = self.floor.get().wrapping_add(slot.size());
            if floor == self.bump() {
                // SAFETY: passed on from the caller.
                unsafe { put_rare(self, freed, slot.size(), slot.align()) };
                return;
            }
            self.floor.set(floor);
            // SAFETY: `last` is vacant; it is not `CLOSED`, with which `floor` never differs.
            unsafe { Link::write(last, self.head.get()) };
            self.head.set(last);
        }
        self.last.set(freed.cast());
    }

    fn refill(&self, slot: Layout) -> Option<NonNull<u8>> {
        if self.region.is_closed.get() {
            return self.take_closed(slot);
        }
        if !self.region.chain.has_untouched() {
            let grown = self.region.grow(slot, |slots| self.grow_by(slots, slot));
            // The heap may be a user of this very pool, and have made room in it meanwhile.
            let taken = self.take(slot);
            if taken.is_some() || grown.is_none() {
                return taken;
            }
        }
        let occupied = self.occupied(slot);
        self.region.advance(slot);
        self.lay_floor(occupied, slot);
        self.take(slot)
    }

    #[cfg(feature = "std")]
    fn take_run(&self, most: usize, slot: Layout) -> (*mut u8, usize) {
        let is_vacant = !self.last.get().is_null() || !self.head.get().is_null();
        self.region.take_run(if is_vacant { 0 } else { most }, slot)
    }

    fn grow_by(&self, slots: usize, slot: Layout) -> Option<()> {
        let chunk = Chunk::allocate(slots, slot)?;
        if !self.region.may_grow_by(slots) {
            // The heap is a user of this very pool, which has grown meanwhile.
            // SAFETY: the chunk is in no chain, and none of its slots was handed out.
            unsafe { Chunk::release(chunk) };
            return None;
        }
        self.region.chain.append(chunk);
        Some(())
    }

    fn largest_block(slots: usize, slot: Layout) -> Option<Layout> {
        Chunk::bytes_for(slots, slot)
    }

    fn reset(&self, slot: Layout) {
        if IS_HARDENED {
            self.clear(slot);
        }
        self.last.set(ptr::null_mut());
        self.head.set(ptr::null_mut());
        self.region.rewind(slot);
        self.lay_floor(0, slot);
    }

    fn live(&self, slot: Layout) -> usize {
        if self.region.is_closed.get() {
            self.region.live_settled()
        } else {
            self.occupied(slot) - usize::from(!self.last.get().is_null())
        }
    }

    fn bytes_beside(&self) -> usize {
        0
    }

    fn newest(&self) -> *mut u8 {
        self.last.get().cast()
    }

    fn for_each_vacant(&self, slot: Layout, show: &mut dyn FnMut(*mut u8)) {
        let last = self.last.get();
        let last = (last.addr() > CLOSED.addr()).then_some(last);
        let (is_closed, chain) = (self.region.is_closed.get(), &self.region.chain);
        let of_chunks = is_closed.then(|| chain.iter().map(|chunk| &chunk.vacant));
        let heads = core::iter::once(&self.head).chain(of_chunks.into_iter().flatten());
        let listed = heads.flat_map(|head| links_from(head.get(), chain, slot));
        last.into_iter().chain(listed).for_each(|vacant| show(vacant.cast()));
    }

    fn mend(&self, is_elsewhere: &dyn Fn(*mut u8) -> bool, slot: Layout) {
        self.list_anew(is_elsewhere, slot);
    }

    fn trim(&self, slot: Layout) -> usize {
        self.trim_settled(slot)
    }

    #[cfg(feature = "std")]
    fn close(&self, slot: Layout) {
        self.close_settled(slot);
    }

    unsafe fn dissolve(&self) {
        // SAFETY: passed on from the caller.
        drop(unsafe { self.region.chain.release(|_| true) });
    }
}

/// The slots of the list that begins with `first`.
fn links_from(first: *mut Link, chain: &Chain, slot: Layout) -> impl Iterator<Item = *mut Link> {
    let listed = |vacant: *mut Link| (!vacant.is_null()).then_some(vacant);
    core::iter::successors(listed(first), move |&vacant| {
        // SAFETY: a slot is linked when it comes into a list, and the list stands still: whoever
        // walks it borrows the pool and calls nobody.
        listed(unsafe { Link::read(vacant, |next| chain.has_slot_at(next, slot)) })
    })
}

/// The free that is not like the others: the pool has emptied, or it is closed.
///
/// `extern "C"`, as nothing in here unwinds: the caller then needs no landing pad, which would
/// force what it holds in registers through the stack.
///
/// # Safety
///
/// As for [`Strategy::put`], of which this is a part.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
unsafe extern "C" fn put_rare(list: &List, freed: *mut u8, slot_size: usize, slot_align: usize) {
    // SAFETY: the two are the parts of a layout.
    let slot = unsafe { Layout::from_size_align_unchecked(slot_size, slot_align) };
    if list.region.is_closed.get() {
        // SAFETY: passed on from the caller.
        unsafe { list.put_closed(freed.cast(), slot) };
    } else {
        list.reset(slot);
    }
}
