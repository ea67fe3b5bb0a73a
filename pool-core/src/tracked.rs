//! An allocator that counts what it hands out.

use core::alloc::{GlobalAlloc, Layout};
use core::fmt;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering::Relaxed;

use crate::base::atomic::{AtomicUsize, const_unless_model};
use crate::thread::request::Request;

/// An allocator that counts live memory, its peak, and the total.
///
/// Around the system's allocator it counts every byte of a program. Around another `A: GlobalAlloc`, or with the feature
/// `allocator-api2-02` an `A: Allocator`, it counts the requests to that allocator. Requests are passed on unchanged, and failed
/// ones are not counted. Reallocation counts as growth or shrinkage of the same block.
///
/// # Pools
///
/// Pools keep their chunks when nothing is left in them. That is no leak, so a [`scope`](Tracked::scope) leaves out the memory of
/// the pools and rosters of this crate. (Frame stacks count: a trim gives all of their memory back.) [`Tracked::stats`] includes
/// pool memory, and [`pool_bytes`](TrackedStats::pool_bytes) is its size. Memory that an element owns, such as that of a `Vec`,
/// belongs to no pool and counts. If a leaked element owns no such memory, [`on_leak`](crate::on_leak) and
/// [`pools::Watch`](crate::pools::Watch) find it.
///
/// Recognising pool memory takes `std`, and thread-locals that do not themselves allocate, as on Linux, macOS, the BSDs and
/// Windows. The `Tracked` must be the program's `#[global_allocator]` itself, and not a part of it. Otherwise, a scope counts
/// chunks like everything else.
///
/// # Cost
///
/// Five relaxed atomic additions for an allocation and its deallocation, and a comparison for the peak: some 30 ns
/// for one thread, more if several threads allocate, since they share the counters (`docs/decisions/frame.md`). Four more
/// additions for a pool's chunk. Meant for tests, tools and debug builds.
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
///     leaks.assert_none_leaked();
///     println!("{}", HEAP.stats());
/// }
/// ```
#[derive(Debug, Default)]
pub struct Tracked<A> {
    inner: A,
    // The counters all wrap around. The live bytes have one of their own, and are not the difference of two, so that each allocation
    // learns from its own addition how much was alive at that moment: the peak is exact, whatever other threads do.
    live_bytes: AtomicUsize,
    peak_bytes: AtomicUsize,
    allocated_bytes: AtomicUsize,
    allocated_count: AtomicUsize,
    freed_count: AtomicUsize,
    /// The part of the live bytes that pools of this crate have asked for.
    pool_bytes: AtomicUsize,
    pool_count: AtomicUsize,
}

impl<A> Tracked<A> {
    const_unless_model! {
        /// Counts the requests to `inner` from here on.
        #[must_use]
        pub const fn new(inner: A) -> Self {
            Self {
                inner,
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

    /// Begins a check for leaks: later, [`LeakScope::assert_none_leaked`] compares the live blocks with those of now.
    pub fn scope(&self) -> LeakScope<'_, A> {
        LeakScope { heap: self, before: self.stats() }
    }

    /// Returns the present statistics.
    ///
    /// While other threads allocate, each number is true at some moment during the call, but the result is not a consistent
    /// snapshot.
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
    #[must_use]
    pub fn stats(&self) -> TrackedStats {
        // In this order a block that comes and goes in between makes the count too high, never negative.
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

    /// Resets the peak to the present number of live bytes.
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
        self.peak_bytes.store(self.live_bytes.load(Relaxed), Relaxed);
    }

    /// Counts a block out before `free`: after it another thread can be given the same bytes, and count them.
    #[inline]
    fn freed(&self, size: usize, free: impl FnOnce()) {
        let request = Request::come();
        if request.is_pools() {
            self.pool_bytes.fetch_sub(size, Relaxed);
            self.pool_count.fetch_sub(1, Relaxed);
        }
        self.live_bytes.fetch_sub(size, Relaxed);
        self.freed_count.fetch_add(1, Relaxed);
        free();
    }

    /// Counts what `change` does: a block of `old` bytes is to have `new`, and there are to be `more` blocks than before. What is cut
    /// off is counted out before, as a block is.
    #[inline]
    fn changed<B>(
        &self,
        more: usize,
        (old, new): (usize, usize),
        change: impl FnOnce() -> Option<B>,
    ) -> Option<B> {
        let request = Request::come();
        let cut = old.saturating_sub(new);
        if cut > 0 {
            self.live_bytes.fetch_sub(cut, Relaxed);
        }
        let Some(block) = change() else {
            self.alive(cut);
            return None;
        };
        if more > 0 {
            self.allocated_count.fetch_add(more, Relaxed);
        }
        if cut == 0 {
            self.allocated_bytes.fetch_add(new - old, Relaxed);
            self.alive(new - old);
        }
        if request.is_pools() {
            self.pool_bytes.fetch_add(new.wrapping_sub(old), Relaxed);
            if more > 0 {
                self.pool_count.fetch_add(more, Relaxed);
            }
        }
        Some(block)
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
}

// SAFETY: every request goes to `inner` unchanged, and so does its answer. Counting neither panics nor
// allocates.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Tracked<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let block = self.changed(1, (0, layout.size()), || {
            // SAFETY: the caller asks for a layout with a size.
            NonNull::new(unsafe { self.inner.alloc(layout) })
        });
        block.map_or(ptr::null_mut(), NonNull::as_ptr)
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let block = self.changed(1, (0, layout.size()), || {
            // SAFETY: the caller asks for a layout with a size.
            NonNull::new(unsafe { self.inner.alloc_zeroed(layout) })
        });
        block.map_or(ptr::null_mut(), NonNull::as_ptr)
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller gives up a block of this allocator with this layout, which `inner` has made.
        self.freed(layout.size(), || unsafe { self.inner.dealloc(block, layout) });
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let resized = self.changed(0, (layout.size(), new_size), || {
            // SAFETY: the caller has a block of this allocator with this layout, which `inner` has made.
            NonNull::new(unsafe { self.inner.realloc(block, layout, new_size) })
        });
        resized.map_or(ptr::null_mut(), NonNull::as_ptr)
    }
}

#[cfg(feature = "allocator-api2-02")]
mod allocator {
    use core::alloc::Layout;
    use core::ptr::NonNull;

    use allocator_api2::alloc::{AllocError, Allocator};

    use crate::tracked::Tracked;

    /// Methods that pass a change of size on, and count it.
    macro_rules! resizing {
        ($($method:ident),*) => {$(
            #[inline]
            unsafe fn $method(
                &self,
                block: NonNull<u8>,
                old: Layout,
                new: Layout,
            ) -> Result<NonNull<[u8]>, AllocError> {
                let resized = self.changed(0, (old.size(), new.size()), || {
                    // SAFETY: the caller has a block of this allocator with the layout `old`, which `inner` has made.
                    unsafe { self.inner.$method(block, old, new) }.ok()
                });
                resized.ok_or(AllocError)
            }
        )*};
    }

    /// Counts the bytes that were asked for, even where `A` hands out more.
    ///
    /// # Examples
    ///
    /// ```
    /// use allocator_api2::{alloc::Global, vec::Vec};
    /// use typed_pool::Tracked;
    ///
    /// let heap = Tracked::new(Global);
    /// let mut numbers = Vec::with_capacity_in(100, &heap);
    /// numbers.push(1_u64);
    /// assert_eq!(heap.stats().live_bytes, 800);
    /// drop(numbers);
    /// heap.scope().assert_none_leaked();
    /// ```
    // SAFETY: every request goes to `inner` unchanged, and so does its answer.
    unsafe impl<A: Allocator> Allocator for Tracked<A> {
        #[inline]
        fn allocate(&self, layout: Layout) -> Result<NonNull<[u8]>, AllocError> {
            let block = || self.inner.allocate(layout).ok();
            self.changed(1, (0, layout.size()), block).ok_or(AllocError)
        }

        #[inline]
        fn allocate_zeroed(&self, layout: Layout) -> Result<NonNull<[u8]>, AllocError> {
            let block = || self.inner.allocate_zeroed(layout).ok();
            self.changed(1, (0, layout.size()), block).ok_or(AllocError)
        }

        #[inline]
        unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
            // SAFETY: the caller gives up a block of this allocator with this layout, which `inner` has made.
            self.freed(layout.size(), || unsafe { self.inner.deallocate(block, layout) });
        }

        resizing!(grow, grow_zeroed, shrink);
    }
}

/// The statistics of a [`Tracked`] allocator at one moment.
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
    /// Bytes of all blocks ever allocated, and of their growth. Wraps around: with 32-bit words, after 4 GiB.
    pub total_bytes: usize,
    /// The number of blocks ever allocated. Wraps around.
    pub total_count: usize,
    /// The part of the live bytes that belongs to pools of this crate: chunks, and their arrays. Pools keep these for later, so a
    /// [`LeakScope`] leaves them out. 0 without `std`.
    pub pool_bytes: usize,
    /// The number of blocks of pools.
    pub pool_count: usize,
}

impl fmt::Display for TrackedStats {
    /// One line, for a log or a debug overlay.
    #[inline]
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

/// The live blocks when [`Tracked::scope`](crate::Tracked::scope) was called, for a later comparison.
///
/// It compares sums: a block that was allocated before and freed since hides a leaked block of the same size. It also counts the
/// allocations of other threads, so check while these rest.
///
/// Memory that pools keep for later does not count, wherever it was allocated and whenever it is freed
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
///     leaks.assert_none_leaked();
/// }
/// ```
#[must_use = "it does nothing before it is asked"]
#[derive(Debug)]
pub struct LeakScope<'a, A> {
    heap: &'a Tracked<A>,
    before: TrackedStats,
}

impl<A> LeakScope<'_, A> {
    /// Returns how many more blocks are alive than when the scope began; less than zero if fewer are.
    #[must_use]
    pub fn leaked_count(&self) -> isize {
        self.gains(&self.heap.stats()).0
    }

    /// Returns how many more bytes are alive than when the scope began; less than zero if fewer are.
    #[must_use]
    pub fn leaked_bytes(&self) -> isize {
        self.gains(&self.heap.stats()).1
    }

    /// Panics if more blocks or more bytes are alive than when the scope began.
    ///
    /// # Panics
    ///
    /// If so; the message has the statistics.
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
    ///     leaks.assert_none_leaked(); // "leaked: 1 block and 1000 bytes more ..."
    /// }
    /// ```
    #[track_caller]
    #[inline]
    pub fn assert_none_leaked(&self) {
        let (before, now) = (self.before, self.heap.stats());
        let (count, bytes) = self.gains(&now);
        assert!(
            count <= 0 && bytes <= 0,
            "leaked: {count} {} and {bytes} bytes more are alive than at the start of the scope; then: \
             {before}; now: {now}",
            if count == 1 { "block" } else { "blocks" },
        );
    }

    /// How many more blocks, and bytes, are alive than were, and no pool's; the counters wrap around.
    fn gains(&self, now: &TrackedStats) -> (isize, isize) {
        let outside = |of: &TrackedStats| {
            [(of.live_count, of.pool_count), (of.live_bytes, of.pool_bytes)]
                .map(|(live, pools)| live.wrapping_sub(pools))
        };
        let ([count, bytes], before) = (outside(now), outside(&self.before));
        (count.wrapping_sub(before[0]) as isize, bytes.wrapping_sub(before[1]) as isize)
    }
}
