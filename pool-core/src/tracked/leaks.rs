//! A check that what was allocated is freed again.

use crate::tracked::counters::Counters;
use crate::tracked::{Tracked, TrackedStats};

/// What was alive when [`Tracked::scope`](crate::Tracked::scope) was called, for a later comparison.
///
/// It compares sums: a block that was allocated before and freed since hides a leaked block of the same size. It also
/// counts what other threads allocate, so check while they rest.
///
/// What pools keep for later does not count, wherever it was allocated and whenever it goes
/// ([`Tracked`](crate::Tracked#pools)).
///
/// # Examples
///
/// ```
/// use std::alloc::System;
/// use typed_pool::Tracked;
///
/// #[global_allocator]
/// static HEAP: Tracked<System> = Tracked::new(System);
///
/// fn main() {
///     let leaks = HEAP.scope();
///     let kept = vec![0_u8; 1000];
///     assert_eq!((leaks.leaked_count(), leaks.leaked_bytes()), (1, 1000));
///     drop(kept);
///     leaks.assert_none();
/// }
/// ```
#[must_use = "it does nothing before it is asked"]
#[derive(Debug)]
pub struct LeakScope<'a> {
    counters: &'a Counters,
    before: TrackedStats,
}

impl<A> Tracked<A> {
    /// Begins a check for leaks: [`LeakScope::assert_none`] compares what is alive with what is alive now.
    pub fn scope(&self) -> LeakScope<'_> {
        LeakScope { counters: &self.counters, before: self.stats() }
    }
}

impl LeakScope<'_> {
    /// How many more blocks are alive than were when the scope began; less than zero if it is fewer.
    pub fn leaked_count(&self) -> isize {
        self.gains(&self.counters.stats()).0
    }

    /// How many more bytes are alive than were when the scope began; less than zero if it is fewer.
    pub fn leaked_bytes(&self) -> isize {
        self.gains(&self.counters.stats()).1
    }

    /// Panics if more blocks or more bytes are alive than were when the scope began.
    ///
    /// # Panics
    ///
    /// If they are, with the figures.
    ///
    /// # Examples
    ///
    /// ```should_panic
    /// use std::alloc::System;
    /// use typed_pool::Tracked;
    ///
    /// #[global_allocator]
    /// static HEAP: Tracked<System> = Tracked::new(System);
    ///
    /// fn main() {
    ///     let leaks = HEAP.scope();
    ///     std::mem::forget(vec![0_u8; 1000]);
    ///     leaks.assert_none(); // "leaked: 1 block and 1000 bytes more ..."
    /// }
    /// ```
    #[track_caller]
    pub fn assert_none(&self) {
        let (before, now) = (self.before, self.counters.stats());
        let (count, bytes) = self.gains(&now);
        assert!(
            count <= 0 && bytes <= 0,
            "leaked: {count} {} and {bytes} bytes more are alive than at the start of the scope; then: \
             {before}; now: {now}",
            if count == 1 { "block" } else { "blocks" },
        );
    }

    /// How many more blocks, and bytes, are alive than were; the counters wrap around.
    fn gains(&self, now: &TrackedStats) -> (isize, isize) {
        let (before, now) = (self.before.outside_of_pools(), now.outside_of_pools());
        (now.1.wrapping_sub(before.1) as isize, now.0.wrapping_sub(before.0) as isize)
    }
}
