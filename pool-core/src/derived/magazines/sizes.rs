//! How many slots travel together, and how many a thread keeps.

use core::alloc::Layout;

use crate::derived::magazines::cache::Cache;
use crate::derived::magazines::{cache, held};

/// The fewest slots in a batch.
const MIN_BATCH: usize = 16;
/// Bytes of slots in a batch, unless the fewest slots are more: or threads would hide megabytes from one another.
const BATCH_BYTES: usize = 256 * 1024;

/// The most batches that a thread keeps, and bytes of slots in these, unless two batches are more.
const MAX_KEPT: usize = 10;
const KEPT_BYTES: usize = 512 * 1024;

/// In a pool with a limit a thread holds at most one slot in this many, or others would bring them back all
/// the time.
const SLOTS_PER_HELD: usize = 64;

/// What the magazines of a pool have room for.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    /// How many slots are in a batch; 0 if magazines have no room.
    pub(super) batch: usize,
    /// How many batches a thread may set aside.
    pub(super) max_spare: usize,
    /// How many slots a thread may hold, where magazines have no room.
    pub(super) max_held: usize,
}

impl Sizes {
    /// How many slots may be at hand.
    pub(super) const fn room<C: Cache>(self) -> usize {
        self.batch * C::AT_HAND
    }

    /// Of magazines that are left out.
    pub(crate) const NONE: Self = Self { batch: 0, max_spare: 0, max_held: 0 };

    /// Of a pool of at most `max` slots, where a thread has `at_hand` batches besides those set aside.
    pub(crate) const fn new(slot: Layout, max: usize, at_hand: usize) -> Self {
        if max < usize::MAX {
            return Self { max_held: max_held(max), ..Self::NONE };
        }
        let batch = batch(slot);
        Self { batch, max_spare: max_kept(slot, batch) - at_hand, max_held: 0 }
    }
}

/// The size of a slot; of one without, for which the derive has an error, something to divide by.
const fn bytes(slot: Layout) -> usize {
    if slot.size() == 0 { 1 } else { slot.size() }
}

/// How many slots a thread holds in a pool of at most `max`: none if there is no limit, or it is too low.
pub(super) const fn max_held(max: usize) -> usize {
    let slots = max / SLOTS_PER_HELD;
    match max {
        usize::MAX => 0,
        _ if slots > held::MAX_HELD => held::MAX_HELD,
        _ => slots,
    }
}

/// How many slots make a batch.
pub(super) const fn batch(slot: Layout) -> usize {
    let mut slots = BATCH_BYTES / bytes(slot);
    if slots < MIN_BATCH {
        slots = MIN_BATCH;
    }
    if slots > cache::MAX_BATCH { cache::MAX_BATCH } else { slots }
}

/// How many batches a thread keeps at most, of `batch` slots each.
pub(super) const fn max_kept(slot: Layout, batch: usize) -> usize {
    let mut kept = KEPT_BYTES / bytes(slot) / batch;
    if kept > MAX_KEPT {
        kept = MAX_KEPT;
    }
    if kept < 2 { 2 } else { kept }
}
