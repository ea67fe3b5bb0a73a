//! An allocator that counts what it hands out.

use core::alloc::{GlobalAlloc, Layout};
use core::ptr::{self, NonNull};

use crate::base::atomic::const_unless_model;
use crate::base::heap::Request;
use crate::tracked::counters::Counters;

#[cfg(any(feature = "allocator-api2-02", feature = "allocator-api2-04"))]
mod allocator;
mod counters;

pub use counters::{LeakScope, TrackedStats};

/// An allocator that counts what is alive, the most that ever was, and the total.
///
/// Around the system's allocator it counts every byte of a program. Around another `A: GlobalAlloc`, or with the
/// feature `allocator-api2-02` or `-04` an `A: Allocator`, it counts what goes through that. Requests are passed on
/// unchanged, and failed ones are not counted. Reallocation counts as growth or shrinkage of the same block.
///
/// # Pools
///
/// Pools keep their chunks when nothing is left in them. That is no leak, so a [`scope`](Tracked::scope) leaves out
/// what the pools and rosters of this crate ask the heap for. (Frame stacks count: a trim gives all back.) All figures
/// of [`Tracked::stats`] count it, and [`pool_bytes`](TrackedStats::pool_bytes) says how much it is. Memory that an
/// element owns, such as a `Vec` in it, belongs to no pool and counts. An element that leaks in a pool without such
/// memory is found by [`pools::leaks`](crate::pools::leaks) and [`pools::Watch`](crate::pools::Watch).
///
/// To tell pools apart takes `std`, and thread-locals that do not themselves allocate, as on Linux, macOS, the BSDs and Windows. The
/// `Tracked` must be the program's `#[global_allocator]` itself, and not a part of it. Elsewhere a scope counts
/// chunks like everything else.
///
/// # Cost
///
/// Five relaxed atomic additions for an allocation and its deallocation, and a comparison for the peak: some 30 ns
/// for one thread, more if several threads allocate, since they share the counters (`docs/decisions/tracked.md`). Two more
/// additions for a pool's chunk. Meant for
/// tests, tools and debug builds.
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
///     let level = vec![0_u8; 1000];
///     assert!(HEAP.stats().live_bytes >= 1000);
///     drop(level);
///     leaks.assert_none();
///     println!("{}", HEAP.stats());
/// }
/// ```
#[derive(Debug, Default)]
pub struct Tracked<A> {
    inner: A,
    counters: Counters,
}

impl<A> Tracked<A> {
    const_unless_model! {
        /// Counts what goes through `inner` from here on.
        pub const fn new(inner: A) -> Self {
            Self { inner, counters: Counters::new() }
        }
    }

    /// The allocator that does the work. What it is asked for directly is not counted.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::alloc::System;
    /// use typed_pool::Tracked;
    ///
    /// let heap = Tracked::new(System);
    /// let _: &System = heap.inner();
    /// ```
    pub fn inner(&self) -> &A {
        &self.inner
    }

    /// Begins a check for leaks: [`LeakScope::assert_none`] compares what is alive with what is alive now.
    pub fn scope(&self) -> LeakScope<'_> {
        LeakScope { counters: &self.counters, before: self.stats() }
    }

    /// The figures of this moment.
    ///
    /// While other threads allocate, each figure is true at some moment during the call, but not all at the same
    /// one.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::alloc::{GlobalAlloc, Layout, System};
    /// use typed_pool::Tracked;
    ///
    /// let heap = Tracked::new(System);
    /// let layout = Layout::new::<[u64; 4]>();
    /// // SAFETY: the layout is not zero in size.
    /// let block = unsafe { heap.alloc(layout) };
    /// let stats = heap.stats();
    /// assert_eq!((stats.live_count, stats.live_bytes), (1, 32));
    /// // SAFETY: the block is from this allocator and this layout, and used no more.
    /// unsafe { heap.dealloc(block, layout) };
    /// let stats = heap.stats();
    /// assert_eq!((stats.live_bytes, stats.peak_bytes, stats.total_bytes), (0, 32, 32));
    /// ```
    pub fn stats(&self) -> TrackedStats {
        self.counters.stats()
    }

    /// Resets the peak to what is alive now.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::alloc::System;
    /// use typed_pool::Tracked;
    ///
    /// let heap = Tracked::new(System);
    /// heap.reset_peak();
    /// assert_eq!(heap.stats().peak_bytes, heap.stats().live_bytes);
    /// ```
    pub fn reset_peak(&self) {
        self.counters.reset_peak();
    }
}

// SAFETY: every request goes to `inner` unchanged, and so does its answer. Counting neither panics nor
// allocates.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Tracked<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let request = Request::come();
        // SAFETY: passed on from the caller.
        let block = unsafe { self.inner.alloc(layout) };
        if !block.is_null() {
            self.counters.allocated(layout.size(), &request);
        }
        block
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let request = Request::come();
        // SAFETY: passed on from the caller.
        let block = unsafe { self.inner.alloc_zeroed(layout) };
        if !block.is_null() {
            self.counters.allocated(layout.size(), &request);
        }
        block
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let request = Request::come();
        // Before another thread can be given the same bytes, and count them.
        self.counters.freed(layout.size(), &request);
        // SAFETY: passed on from the caller.
        unsafe { self.inner.dealloc(block, layout) };
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let resized = self.counters.resized(layout.size(), new_size, || {
            // SAFETY: passed on from the caller.
            NonNull::new(unsafe { self.inner.realloc(block, layout, new_size) })
        });
        resized.map_or(ptr::null_mut(), NonNull::as_ptr)
    }
}
