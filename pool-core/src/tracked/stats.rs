//! The figures of a tracked allocator.

use core::fmt;

/// The figures of a [`Tracked`](super::Tracked) allocator at one moment.
///
/// # Examples
///
/// ```
/// use std::alloc::System;
/// use typed_pool::Tracked;
///
/// let heap = Tracked::new(System);
/// assert_eq!(
///     heap.stats().to_string(),
///     "0 bytes in 0 blocks alive, at most 0 bytes; 0 bytes in 0 blocks in all"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrackedStats {
    /// Bytes of the blocks that are allocated.
    pub live_bytes: usize,
    /// How many blocks are allocated.
    pub live_count: usize,
    /// The most bytes that were ever allocated at a time.
    pub peak_bytes: usize,
    /// Bytes of all blocks that there have been, and by which blocks have grown. Wraps around: with
    /// 32-bit words, after 4 GiB.
    pub total_bytes: usize,
    /// How many blocks there have been. Wraps around.
    pub total_count: usize,
    /// Of the live bytes, those that pools of this crate have: chunks, and what belongs to them. They keep these for later,
    /// so a [`LeakScope`](super::LeakScope) leaves them out. 0 without `std`.
    pub pool_bytes: usize,
    /// How many blocks these are.
    pub pool_count: usize,
}

impl TrackedStats {
    /// Bytes and blocks that are alive, and no pool's.
    pub(super) fn outside_of_pools(&self) -> (usize, usize) {
        let Self { live_bytes, live_count, pool_bytes, pool_count, .. } = *self;
        (live_bytes.wrapping_sub(pool_bytes), live_count.wrapping_sub(pool_count))
    }
}

impl fmt::Display for TrackedStats {
    /// One line, for a log or a debug overlay.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { live_bytes, live_count, peak_bytes, total_bytes, total_count, .. } = self;
        let Self { pool_bytes, pool_count, .. } = self;
        write!(f, "{live_bytes} bytes in {live_count} blocks alive")?;
        if *pool_count > 0 {
            write!(f, " ({pool_bytes} bytes in {pool_count} of them pools')")?;
        }
        write!(f, ", at most {peak_bytes} bytes; ")?;
        write!(f, "{total_bytes} bytes in {total_count} blocks in all")
    }
}
