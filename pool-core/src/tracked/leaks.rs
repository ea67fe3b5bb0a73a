//! A check that what was allocated is freed again.

use crate::tracked::counters::Counters;
use crate::tracked::{Tracked, TrackedStats};

/// What was alive when [`Tracked::scope`](crate::Tracked::scope) was called, for a later comparison.
///
/// It compares sums: a block that was allocated before and freed since hides a leaked block of the same size. It also
/// counts what other threads allocate, so check while they rest.
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
        gain(self.before.live_count, self.counters.stats().live_count)
    }

    /// How many more bytes are alive than were when the scope began; less than zero if it is fewer.
    pub fn leaked_bytes(&self) -> isize {
        gain(self.before.live_bytes, self.counters.stats().live_bytes)
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
        let count = gain(before.live_count, now.live_count);
        let bytes = gain(before.live_bytes, now.live_bytes);
        assert!(
            count <= 0 && bytes <= 0,
            "leaked: {count} {} and {bytes} bytes more are alive than at the start of the scope; then: \
             {before}; now: {now}",
            if count == 1 { "block" } else { "blocks" },
        );
    }
}

/// How much more `now` is than `before`; the counters wrap around.
fn gain(before: usize, now: usize) -> isize {
    now.wrapping_sub(before) as isize
}
