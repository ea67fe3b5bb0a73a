//! A heap that itself uses pools: whenever a pool asks for memory or gives some back, the allocator
//! takes elements from that very pool, as far as it has some at hand, and frees some.

#![allow(clippy::duplicate_mod, reason = "one suite for both strategies")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

#[macro_use]
#[path = "../common/by_layout.rs"]
mod common;

thread_local! {
    /// The heap's work before each request; `None` while it does it.
    static GUEST: Cell<Option<fn()>> = const { Cell::new(None) };
}

/// Calls the guest before every request, but not from within the guest.
struct BusyHeap;

fn call_guest() {
    if let Some(guest) = GUEST.take() {
        guest();
        GUEST.set(Some(guest));
    }
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for BusyHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        call_guest();
        // SAFETY: the caller asks for a layout with a size.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        call_guest();
        // SAFETY: the caller gives up a block with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static HEAP: BusyHeap = BusyHeap;

/// Runs `f` while the heap calls `guest`.
fn with_guest<R>(guest: fn(), f: impl FnOnce() -> R) -> R {
    GUEST.set(Some(guest));
    let result = f();
    GUEST.set(None);
    result
}

/// The suite's questions to pools that each thread has for itself.
macro_rules! thread_locals {
    () => {
        /// Runs a test. No other thread uses its pools.
        pub(crate) fn alone(test: fn()) {
            test();
        }

        /// Returns the bytes that the pool keeps at the end of a thread that has freed all.
        pub(crate) fn left<T: Pooled>() -> usize {
            T::pool_stats().bytes
        }
    };
}

/// The strategies, and the pool of each that is a value.
macro_rules! strategies {
    ($dollar:tt $($strategy:ident $Pool:ident)*) => {$(
        #[path = "."]
        mod $strategy {
            macro_rules! pooled {
                ($dollar(#[$dollar attribute:meta])* struct $dollar($dollar item:tt)*) => {
                    #[derive(Pooled)]
                    #[pool(strategy = $strategy)]
                    $dollar(#[$dollar attribute])*
                    struct $dollar($dollar item)*
                };
            }

            pub(crate) use typed_pool::{$Pool as Pool, PoolBox, Pooled};

            pub(crate) const KIND: &str = concat!(stringify!($Pool), " of ");
            thread_locals!();

            #[path = "limits.rs"]
            mod limits;
            #[path = "mapped.rs"]
            mod mapped;
            #[path = "suite.rs"]
            mod suite;
        }
    )*};
}

strategies! { $ free_list FreeList pointer_stack PointerStack }

#[path = "."]
mod by_layout {
    by_layout!($ ByLayout, Box);

    thread_locals!();

    #[path = "suite.rs"]
    mod suite;
}

#[path = "."]
mod shared_by_layout {
    use std::sync::{Mutex, PoisonError};
    use std::thread;

    by_layout!($ SharedByLayout, SendBox);

    /// Runs a test that alone uses the pools, in a thread that has ended before the next one runs.
    pub(crate) fn alone(test: fn()) {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        // Or a pool that has grown for another test would not ask the heap.
        typed_pool::SharedByLayout::trim();
        thread::spawn(test).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }

    /// Returns the bytes that the pool keeps at the end of a thread that has freed all.
    pub(crate) fn left<T: Pooled>() -> usize {
        T::pool_trim();
        T::pool_stats().bytes
    }

    #[path = "suite.rs"]
    mod suite;
}

/// A pool of all threads, which calls the heap behind its lock.
mod shared {
    use std::cell::RefCell;

    use typed_pool::{PoolBox, Pooled};

    use crate::with_guest;

    macro_rules! test {
        ($Shared:ident $pool:tt $name:ident) => {
            #[derive(Pooled)]
            #[pool $pool]
            struct $Shared([u64; 5]);

            #[test]
            fn $name() {
                fn made(count: u64) -> Vec<PoolBox<$Shared>> {
                    (0..count).map(|n| PoolBox::new($Shared([n; 5]))).collect()
                }
                fn are_whole(boxes: &[PoolBox<$Shared>]) -> bool {
                    boxes.iter().zip(0..).all(|(shared, n)| shared.0 == [n; 5])
                }
                /// Fetches batches, and gives some back, as far as there are any.
                fn guest() {
                    let made = (0..700).map_while(|n| PoolBox::try_new($Shared([n; 5])).ok());
                    assert!(are_whole(&made.collect::<Vec<_>>()));
                }
                with_guest(guest, || {
                    for count in [10, 3000, 20_000] {
                        let boxes = made(count);
                        assert_eq!($Shared::pool_stats().live as u64, count);
                        $Shared::pool_reserve(100_000 + count as usize);
                        assert!(are_whole(&boxes));
                        drop(boxes);
                        $Shared::pool_trim();
                    }
                });
                $Shared::pool_trim();
                let stats = $Shared::pool_stats();
                assert_eq!((stats.live, stats.bytes), (0, 0));
            }
        };
    }

    /// Two threads have the lock of a pool each, and the heap looks at both pools in both threads, and flushes them.
    #[cfg(not(miri))]
    #[test]
    fn the_heap_may_look_at_pools_whose_locks_others_have() {
        use std::cell::Cell;
        use std::sync::{Barrier, mpsc};
        use std::thread;
        use std::time::Duration;

        use typed_pool::pools::pools;

        #[derive(Pooled)]
        #[pool(static)]
        struct One(#[allow(dead_code)] [u64; 5]);
        #[derive(Pooled)]
        #[pool(static)]
        struct Other(#[allow(dead_code)] [u64; 5]);

        static BOTH: Barrier = Barrier::new(2);
        thread_local! {
            static IS_FIRST: Cell<bool> = const { Cell::new(true) };
        }

        fn guest() {
            if IS_FIRST.replace(false) {
                BOTH.wait();
                let listed =
                    pools().filter(|info| info.type_name.contains("whose_locks_others_have"));
                assert_eq!(listed.count(), 2);
                typed_pool::flush_thread();
                BOTH.wait();
            }
        }
        let (done, all) = mpsc::channel();
        let one = || with_guest(guest, || One::pool_reserve(1000));
        let other = || with_guest(guest, || Other::pool_reserve(1000));
        for reserve in [one as fn(), other] {
            let done = done.clone();
            thread::spawn(move || {
                // So both threads have magazines of both pools.
                drop((PoolBox::new(One([0; 5])), PoolBox::new(Other([0; 5]))));
                BOTH.wait();
                reserve();
                done.send(()).unwrap();
            });
        }
        for _ in 0..2 {
            all.recv_timeout(Duration::from_secs(60)).expect("nobody waits for ever");
        }
    }

    /// The heap uses the pool that is mapped, and has a map of it made.
    #[test]
    fn the_heap_may_use_a_pool_that_is_mapped() {
        #[derive(Pooled)]
        #[pool(static)]
        struct Mapped([u64; 5]);

        thread_local! {
            static KEPT: RefCell<Vec<PoolBox<Mapped>>> = const { RefCell::new(Vec::new()) };
        }

        /// The pool grows each time.
        fn guest() {
            let made: Vec<_> = (0..50).map(|n| PoolBox::new(Mapped([n; 5]))).collect();
            assert!(made.iter().zip(0..).all(|(made, n)| made.0 == [n; 5]));
            assert!(Mapped::pool_map().live() >= made.len());
            KEPT.with(|kept| kept.borrow_mut().extend(made));
            Mapped::pool_trim();
        }
        let first = PoolBox::new(Mapped([u64::MAX; 5]));
        let map = with_guest(guest, Mapped::pool_map);
        assert!(map.live() > 0);
        assert_eq!(first.0, [u64::MAX; 5]);
        KEPT.with(|kept| kept.borrow_mut().clear());
    }

    test!(Stacked (static, chunk = 50) the_heap_may_use_a_pointer_stack);
    test!(Limited (static, max = 200_000, chunk = 50) the_heap_may_use_a_pool_with_a_limit);
    test!(Listed (static, strategy = free_list, chunk = 50) the_heap_may_use_a_free_list);
}
