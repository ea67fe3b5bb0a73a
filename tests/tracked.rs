//! Every byte counted: a tracked heap under this whole program.

use std::alloc::{GlobalAlloc, Layout, System};
use std::mem::{self, ManuallyDrop};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::thread;

use typed_pool::Tracked;

/// Only its own tests compare with it: the harness allocates in threads of its own.
#[global_allocator]
static HEAP: Tracked<System> = Tracked::new(System);

fn layout(size: usize) -> Layout {
    Layout::from_size_align(size, 8).unwrap()
}

/// A new block, known by its layout.
#[derive(Clone, Copy)]
struct Block(*mut u8, Layout);

// SAFETY: a block belongs to no thread.
unsafe impl Send for Block {}

impl Block {
    fn new(heap: &Tracked<System>, size: usize) -> Self {
        // SAFETY: the tests ask for no block without size.
        Self(unsafe { heap.alloc(layout(size)) }, layout(size))
    }

    fn resize(self, heap: &Tracked<System>, size: usize) -> Self {
        // SAFETY: the tests use no block after this.
        Self(unsafe { heap.realloc(self.0, self.1, size) }, layout(size))
    }

    fn free(self, heap: &Tracked<System>) {
        // SAFETY: the tests use no block after this.
        unsafe { heap.dealloc(self.0, self.1) };
    }
}

/// Live bytes, live blocks, peak bytes.
fn figures(heap: &Tracked<System>) -> (usize, usize, usize) {
    let stats = heap.stats();
    (stats.live_bytes, stats.live_count, stats.peak_bytes)
}

#[test]
fn counts_follow_every_kind_of_request() {
    let heap = Tracked::new(System);
    let block = Block::new(&heap, 100);
    assert_eq!(figures(&heap), (100, 1, 100));
    // SAFETY: the layout is not zero in size.
    let zeroed = Block(unsafe { heap.alloc_zeroed(layout(50)) }, layout(50));
    // SAFETY: the block has 50 bytes, all initialised.
    assert!(unsafe { std::slice::from_raw_parts(zeroed.0, 50) }.iter().all(|&byte| byte == 0));
    assert_eq!(figures(&heap), (150, 2, 150));
    let block = block.resize(&heap, 1000);
    assert_eq!(figures(&heap), (1050, 2, 1050));
    let block = block.resize(&heap, 10);
    assert_eq!(figures(&heap), (60, 2, 1050));
    block.free(&heap);
    zeroed.free(&heap);
    let stats = heap.stats();
    assert_eq!((stats.live_bytes, stats.live_count, stats.peak_bytes), (0, 0, 1050));
    assert_eq!((stats.total_bytes, stats.total_count), (1050, 2));
    assert_eq!(
        stats.to_string(),
        "0 bytes in 0 blocks alive, at most 1050 bytes; 1050 bytes in 2 blocks in all"
    );
    heap.reset_peak();
    assert_eq!(heap.stats().peak_bytes, 0);
}

#[test]
fn what_fails_is_not_counted() {
    struct Never;
    // SAFETY: it hands out nothing.
    unsafe impl GlobalAlloc for Never {
        unsafe fn alloc(&self, _: Layout) -> *mut u8 {
            std::ptr::null_mut()
        }
        unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
    }
    let heap = Tracked::new(Never);
    // SAFETY: the layout is not zero in size.
    assert!(unsafe { heap.alloc(layout(8)) }.is_null());
    // SAFETY: as above.
    assert!(unsafe { heap.alloc_zeroed(layout(8)) }.is_null());
    let mut place = 0_u64;
    // SAFETY: `Never` does not look at the block.
    assert!(unsafe { heap.realloc((&raw mut place).cast(), layout(8), 16) }.is_null());
    let stats = heap.stats();
    assert_eq!((stats.live_bytes, stats.peak_bytes, stats.total_count), (0, 0, 0));
}

/// An allocator in which, in the middle of each reallocation, another thread takes the bytes that the block
/// got shorter by.
struct Shared;

static SHARED: Tracked<Shared> = Tracked::new(Shared);

impl Shared {
    /// Runs another thread that takes the bytes which are free again.
    fn others_take(freed: usize) {
        let taken = |bytes| {
            // SAFETY: the layout is not zero in size.
            let block = unsafe { SHARED.alloc(layout(bytes)) };
            // SAFETY: the block is from this allocator and this layout, and used no more.
            unsafe { SHARED.dealloc(block, layout(bytes)) };
        };
        if freed > 0 {
            thread::spawn(move || taken(freed)).join().unwrap();
        }
    }
}

// SAFETY: all blocks are the system's.
unsafe impl GlobalAlloc for Shared {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller asks for a layout with a size.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller gives up a block with this layout.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if new_size == 8 {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller has a block with this layout, and asks for a size that fits.
        let block = unsafe { System.realloc(block, layout, new_size) };
        Self::others_take(layout.size().saturating_sub(new_size));
        block
    }
}

#[test]
fn the_peak_is_never_more_than_was_alive() {
    let heap = Tracked::new(System);
    let block = Block::new(&heap, 1000).resize(&heap, 16);
    assert_eq!(figures(&heap), (16, 1, 1000));
    block.free(&heap);

    // SAFETY: the layout is not zero in size.
    let block = unsafe { SHARED.alloc(layout(1000)) };
    // SAFETY: the block is from this allocator and this layout.
    let failed = unsafe { SHARED.realloc(block, layout(1000), 8) };
    let stats = SHARED.stats();
    assert_eq!((failed.is_null(), stats.live_bytes, stats.peak_bytes), (true, 1000, 1000));
    assert_eq!((stats.total_bytes, stats.total_count), (1000, 1), "what fails is not counted");
    // SAFETY: as above.
    let block = unsafe { SHARED.realloc(block, layout(1000), 16) };
    // In between another thread had the 984 bytes.
    let stats = SHARED.stats();
    assert_eq!((stats.live_bytes, stats.live_count, stats.peak_bytes), (16, 1, 1000));
    // SAFETY: as above.
    let block = unsafe { SHARED.realloc(block, layout(16), 3000) };
    let stats = SHARED.stats();
    assert_eq!((stats.live_bytes, stats.live_count, stats.peak_bytes), (3000, 1, 3000));
    assert_eq!((stats.total_bytes, stats.total_count), (1000 + 984 + 2984, 2));
    // SAFETY: as above; used no more.
    unsafe { SHARED.dealloc(block, layout(3000)) };
    assert_eq!((SHARED.stats().live_bytes, SHARED.stats().live_count), (0, 0));
}

#[test]
fn leaks_are_named_with_their_figures() {
    let heap = Tracked::new(System);
    let [older, kept] = [64, 32].map(|size| Block::new(&heap, size));
    let leaks = heap.scope();
    leaks.assert_none_leaked();
    let leaked = Block::new(&heap, 96);
    assert_eq!((leaks.leaked_count(), leaks.leaked_bytes()), (1, 96));
    let message = catch_unwind(AssertUnwindSafe(|| leaks.assert_none_leaked())).unwrap_err();
    let message = message.downcast::<String>().unwrap();
    assert!(message.starts_with("leaked: 1 block and 96 bytes more are alive"), "{message}");
    assert!(message.contains("then: 96 bytes in 2 blocks alive"), "{message}");
    assert!(message.contains("now: 192 bytes in 3 blocks alive"), "{message}");
    // One that has grown, while another is gone, is a leak of bytes.
    older.free(&heap);
    assert_eq!((leaks.leaked_count(), leaks.leaked_bytes()), (0, 32));
    assert!(catch_unwind(AssertUnwindSafe(|| leaks.assert_none_leaked())).is_err());
    leaked.free(&heap);
    kept.free(&heap);
    assert_eq!((leaks.leaked_count(), leaks.leaked_bytes()), (-2, -96));
    leaks.assert_none_leaked();
}

#[test]
fn the_whole_program_is_counted() {
    const BYTES: usize = 50 << 20;
    // So large that no other test hides it.
    let leaks = HEAP.scope();
    let large = ManuallyDrop::new(Vec::<u8>::with_capacity(BYTES));
    assert!(leaks.leaked_bytes() > (BYTES / 2) as isize);
    assert!(catch_unwind(AssertUnwindSafe(|| leaks.assert_none_leaked())).is_err());
    assert!(HEAP.stats().peak_bytes >= BYTES);
    // Not from the start: a backtrace may have been printed, which keeps what it has read.
    let with_it = leaks.leaked_bytes();
    drop(ManuallyDrop::into_inner(large));
    assert!(leaks.leaked_bytes() < with_it - (BYTES / 2) as isize);
}

#[test]
fn threads_miss_nothing() {
    static TRACKED: Tracked<System> = Tracked::new(System);
    let rounds = if std::env::var_os("PROPTEST_CASES").is_some() { 200 } else { 20_000 };
    // Handed from thread to thread, so that most are freed by another.
    let shelf = Mutex::new([32; 8].map(|size| Block::new(&TRACKED, size)));
    thread::scope(|threads| {
        for thread in 0..4 {
            let shelf = &shelf;
            threads.spawn(move || {
                for round in 0..rounds {
                    let block = Block::new(&TRACKED, 1 + (round * 7 + thread) % 100);
                    let at = (round * 3 + thread) % 8;
                    let taken = mem::replace(&mut shelf.lock().unwrap()[at], block);
                    taken.free(&TRACKED);
                }
            });
        }
    });
    for block in shelf.into_inner().unwrap() {
        block.free(&TRACKED);
    }
    let stats = TRACKED.stats();
    assert_eq!((stats.live_bytes, stats.live_count), (0, 0));
    assert_eq!(stats.total_count, 8 + 4 * rounds);
    // Eight on the shelf, and one in the hands of each thread.
    assert!((8 * 32..=12 * 100).contains(&stats.peak_bytes), "{stats}");
}

#[cfg(feature = "allocator-api2-02")]
#[test]
fn containers_are_counted() {
    use allocator_api2::alloc::Global;
    use allocator_api2::vec::Vec as VecIn;

    let heap = Tracked::new(Global);
    let mut vector = VecIn::new_in(&heap);
    vector.extend(0..1000_u32);
    assert_eq!(heap.stats().live_bytes, vector.capacity() * 4);
    assert_eq!((heap.stats().live_count, heap.stats().total_count), (1, 1));
    vector.truncate(10);
    vector.shrink_to_fit();
    assert_eq!((heap.stats().live_bytes, heap.stats().peak_bytes), (40, 4000));
    let zeros: VecIn<u64, _> = allocator_api2::vec![in &heap; 0; 5];
    assert_eq!((zeros.len(), heap.stats().live_bytes), (5, 80));
    drop((vector, zeros));
    heap.scope().assert_none_leaked();
}

#[cfg(feature = "allocator-api2-02")]
#[test]
fn a_block_that_shrinks_is_counted_before_others_have_what_it_left() {
    use std::cell::Cell;
    use std::ptr::NonNull;

    use allocator_api2::alloc::{AllocError, Allocator, Global};

    static BUSY: Tracked<Busy> = Tracked::new(Busy);

    thread_local! {
        static FAILS: Cell<bool> = const { Cell::new(false) };
    }

    struct Busy;
    // SAFETY: all blocks are the global allocator's.
    unsafe impl Allocator for Busy {
        fn allocate(&self, layout: Layout) -> Result<NonNull<[u8]>, AllocError> {
            Global.allocate(layout)
        }
        unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
            // SAFETY: the caller gives up a block with this layout.
            unsafe { Global.deallocate(block, layout) }
        }
        unsafe fn shrink(
            &self,
            block: NonNull<u8>,
            old: Layout,
            new: Layout,
        ) -> Result<NonNull<[u8]>, AllocError> {
            if FAILS.get() {
                return Err(AllocError);
            }
            // SAFETY: the caller gives up a block with this layout.
            let shrunk = unsafe { Global.shrink(block, old, new) }?;
            // What is free now is asked for by others.
            let freed = layout(old.size() - new.size());
            let taken = BUSY.allocate(freed)?;
            // SAFETY: the block was allocated with this layout, and is not used again.
            unsafe { BUSY.deallocate(taken.cast(), freed) };
            Ok(shrunk)
        }
    }

    let heap = &BUSY;
    let block = heap.allocate(layout(1000)).unwrap().cast();
    FAILS.set(true);
    // SAFETY: the block was allocated with this layout.
    assert!(unsafe { heap.shrink(block, layout(1000), layout(16)) }.is_err());
    assert_eq!((heap.stats().live_bytes, heap.stats().peak_bytes), (1000, 1000));
    FAILS.set(false);
    // SAFETY: as above, and it is not used again.
    let block = unsafe { heap.shrink(block, layout(1000), layout(16)) }.unwrap().cast();
    assert_eq!((heap.stats().live_bytes, heap.stats().peak_bytes), (16, 1000));
    // SAFETY: as above.
    unsafe { heap.deallocate(block, layout(16)) };
    assert_eq!((heap.stats().live_bytes, heap.stats().live_count), (0, 0));
}
