//! A block of the heap for each slot: what stands behind derived pools with the feature `passthrough`.
//!
//! A tool that watches the heap then sees each element: nothing is added that it would not see in a `Box`. What a pool promises
//! remains: limits, `live`, `high_water`, and which threads may free. There are no chunks, no slots at hand, and nothing to trim.

use core::alloc::Layout;
use core::cell::Cell;
use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::base::ledger;
use crate::memory::chunk::Chunk;
use crate::strategy::slots::{Remember, Slots, Strategy};

/// No vacant slot is remembered: each slot is a block of its own. `S` is the strategy that was named. In a pool by layout
/// the blocks are of different sizes.
///
/// `CAPACITY` is that of a static pool which would be an array of so many slots without the feature.
#[derive(Debug)]
#[allow(unnameable_types, reason = "for the derive")]
pub struct InBlocks<S, const CAPACITY: usize = 0> {
    live: Cell<usize>,
    bytes: Cell<usize>,
    named: PhantomData<fn() -> S>,
}

impl<S: Strategy, const CAPACITY: usize> Strategy for InBlocks<S, CAPACITY> {}

impl<S: Strategy, const CAPACITY: usize> Remember for InBlocks<S, CAPACITY> {
    const EMPTY: Self = Self { live: Cell::new(0), bytes: Cell::new(0), named: PhantomData };
    const IS_INTRUSIVE: bool = false;
    const HAS_BLOCKS: bool = true;
    const CAPACITY: usize = CAPACITY;
    const KIND: ledger::Strategy = S::KIND;
    const TYPED_POOL: &'static str = S::TYPED_POOL;
    const RAW_POOL: &'static str = S::RAW_POOL;

    type OldArray = ();

    fn pop(_: &Slots<Self>, _: Layout) -> Option<*mut u8> {
        None
    }

    /// Gives the block back.
    unsafe fn push(slots: &Slots<Self>, freed: *mut u8, slot: Layout) {
        let Self { live, bytes, .. } = &slots.strategy;
        live.set(live.get().saturating_sub(1));
        bytes.set(bytes.get().saturating_sub(slot.size()));
        // SAFETY: it came from `allocate` with this layout, and nothing uses it any more (caller).
        unsafe { alloc::alloc::dealloc(freed, slot) };
    }

    fn allocate(slots: &Slots<Self>, slot: Layout) -> Option<NonNull<u8>> {
        let Self { live, bytes, .. } = &slots.strategy;
        if live.get() >= slots.cursor.config.max {
            return None;
        }
        // First, as the allocator may be a user of this very pool.
        live.set(live.get() + 1);
        bytes.set(bytes.get() + slot.size());
        // SAFETY: a slot has a size.
        let block = NonNull::new(unsafe { alloc::alloc::alloc(slot) });
        if block.is_none() {
            live.set(live.get() - 1);
            bytes.set(bytes.get() - slot.size());
        }
        slots.cursor.peak.set(slots.cursor.peak.get().max(live.get()));
        block
    }

    fn advance(_: &Slots<Self>, _: Layout) {}

    fn append(_: &Slots<Self>, _: NonNull<Chunk>, _: usize, _: Layout) -> Option<()> {
        None
    }

    fn largest_block(_: usize, slot: Layout) -> Option<Layout> {
        Some(slot)
    }

    fn reset(_: &Slots<Self>, _: Layout) {}

    fn has_vacant(_: &Slots<Self>) -> bool {
        false
    }

    fn live(slots: &Slots<Self>, _: Layout) -> usize {
        slots.strategy.live.get()
    }

    fn bytes_beside(&self) -> usize {
        self.bytes.get()
    }

    fn for_each_vacant(_: &Slots<Self>, _: Layout, _: &mut dyn FnMut(*mut u8)) {}

    fn last_freed(_: &Slots<Self>) -> *mut u8 {
        core::ptr::null_mut()
    }

    fn trim(_: &Slots<Self>, _: Layout) -> usize {
        0
    }

    fn close(_: &Slots<Self>, _: Layout) {}

    unsafe fn push_closed(slots: &Slots<Self>, freed: *mut u8, slot: Layout) {
        // SAFETY: passed on from the caller.
        unsafe { Self::push(slots, freed, slot) };
    }
}
