//! The counters.

use core::sync::atomic::Ordering::Relaxed;

use crate::base::atomic::{AtomicUsize, const_unless_loom};
use crate::base::heap::Request;
use crate::tracked::stats::TrackedStats;

/// The counters of one allocator. All wrap around.
///
/// `live_bytes` is a counter of its own, not the difference of two, so that each allocation learns from its own
/// addition how much was alive at that moment: the peak is exact, whatever other threads do.
#[derive(Debug, Default)]
pub(super) struct Counters {
    live_bytes: AtomicUsize,
    peak_bytes: AtomicUsize,
    allocated_bytes: AtomicUsize,
    allocated_count: AtomicUsize,
    freed_count: AtomicUsize,
    /// Of what is alive, what pools of this crate have asked for.
    pool_bytes: AtomicUsize,
    pool_count: AtomicUsize,
}

impl Counters {
    const_unless_loom! {
        pub(super) const fn new() -> Self {
            Self {
                live_bytes: AtomicUsize::new(0),
                peak_bytes: AtomicUsize::new(0),
                allocated_bytes: AtomicUsize::new(0),
                allocated_count: AtomicUsize::new(0),
                freed_count: AtomicUsize::new(0),
                pool_bytes: AtomicUsize::new(0),
                pool_count: AtomicUsize::new(0),
            }
        }
    }

    #[inline]
    pub(super) fn allocated(&self, size: usize, request: &Request) {
        self.allocated_count.fetch_add(1, Relaxed);
        self.grown(size);
        if request.is_pools() {
            self.pool_count.fetch_add(1, Relaxed);
            self.pool_bytes.fetch_add(size, Relaxed);
        }
    }

    #[inline]
    pub(super) fn freed(&self, size: usize, request: &Request) {
        if request.is_pools() {
            self.pool_bytes.fetch_sub(size, Relaxed);
            self.pool_count.fetch_sub(1, Relaxed);
        }
        self.live_bytes.fetch_sub(size, Relaxed);
        self.freed_count.fetch_add(1, Relaxed);
    }

    /// Lets `resize` make a block longer or shorter; `None` if it cannot, and nothing is counted then.
    ///
    /// Bytes that a block loses stop being alive before another thread can be given them, as with
    /// [`Counters::freed`]; bytes that it gains are alive once it has them.
    #[inline]
    pub(super) fn resized<B>(
        &self,
        old: usize,
        new: usize,
        resize: impl FnOnce() -> Option<B>,
    ) -> Option<B> {
        let request = Request::come();
        let block = self.counted_as_resized(old, new, resize);
        if block.is_some() && request.is_pools() {
            self.pool_bytes.fetch_add(new.wrapping_sub(old), Relaxed);
        }
        block
    }

    #[inline]
    fn counted_as_resized<B>(
        &self,
        old: usize,
        new: usize,
        resize: impl FnOnce() -> Option<B>,
    ) -> Option<B> {
        if new >= old {
            let block = resize()?;
            self.grown(new - old);
            return Some(block);
        }
        self.live_bytes.fetch_sub(old - new, Relaxed);
        let block = resize();
        if block.is_none() {
            self.alive(old - new);
        }
        block
    }

    #[inline]
    fn grown(&self, bytes: usize) {
        self.allocated_bytes.fetch_add(bytes, Relaxed);
        self.alive(bytes);
    }

    /// `bytes` more bytes are alive.
    #[inline]
    fn alive(&self, bytes: usize) {
        let live = self.live_bytes.fetch_add(bytes, Relaxed).wrapping_add(bytes);
        // Mostly it is no new peak, and reading shares the cache line with the other counters.
        if live > self.peak_bytes.load(Relaxed) {
            self.peak_bytes.fetch_max(live, Relaxed);
        }
    }

    pub(super) fn reset_peak(&self) {
        self.peak_bytes.store(self.live_bytes.load(Relaxed), Relaxed);
    }

    pub(super) fn stats(&self) -> TrackedStats {
        // In this order a block that comes and goes meanwhile makes the count too high, never negative.
        let freed_count = self.freed_count.load(Relaxed);
        let total_count = self.allocated_count.load(Relaxed);
        let live_bytes = self.live_bytes.load(Relaxed);
        TrackedStats {
            live_bytes,
            live_count: total_count.wrapping_sub(freed_count),
            // Another thread may be between its addition and the comparison.
            peak_bytes: self.peak_bytes.load(Relaxed).max(live_bytes),
            total_bytes: self.allocated_bytes.load(Relaxed),
            total_count,
            pool_bytes: self.pool_bytes.load(Relaxed),
            pool_count: self.pool_count.load(Relaxed),
        }
    }
}
