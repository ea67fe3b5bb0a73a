//! How many slots make a batch, and how many a thread keeps.

use core::alloc::Layout;

/// The most slots in a batch.
///
/// At 16, threads do little but wait for one another; from 128 on the price of the lock disappears.
const MAX_BATCH: usize = 128;
/// The fewest slots in a batch.
const MIN_BATCH: usize = 16;
/// Bytes of slots in a batch, unless the fewest slots are more: or threads would hide megabytes from one another.
const BATCH_BYTES: usize = 256 * 1024;

/// The most batches that a thread keeps, and bytes of slots in these, unless two batches are more.
const MAX_KEPT: usize = 10;
const KEPT_BYTES: usize = 512 * 1024;

/// What the magazines of a pool have room for.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    /// How many slots a thread takes from the depot at a time.
    pub(super) batch: usize,
    /// How many it keeps at most: two batches at least.
    pub(super) most: usize,
}

impl Sizes {
    /// Of magazines without room.
    pub(super) const NONE: Self = Self { batch: 0, most: 0 };

    /// Of magazines of such slots.
    pub(super) const fn new(slot: Layout) -> Self {
        // Of slots without a size, for which the derive has an error, something to divide by.
        let bytes = if slot.size() == 0 { 1 } else { slot.size() };
        let batch = clamp(BATCH_BYTES / bytes, MIN_BATCH, MAX_BATCH);
        Self { batch, most: batch * clamp(KEPT_BYTES / bytes / batch, 2, MAX_KEPT) }
    }
}

const fn clamp(number: usize, least: usize, most: usize) -> usize {
    if number < least {
        least
    } else if number > most {
        most
    } else {
        number
    }
}
