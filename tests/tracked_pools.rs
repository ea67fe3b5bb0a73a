//! Memory that pools keep is no leak; memory of their elements is.

use std::alloc::System;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::{ptr, thread};

use typed_pool::{
    FrameStack, FreeList, Handle, LocalFrameStack, PointerStack, PoolArc, PoolBox, PoolRc, Pooled,
    Roster, Tracked, any,
};

/// Without the harness, whose threads allocate as well.
#[global_allocator]
static HEAP: Tracked<System> = Tracked::new(System);

fn main() {
    every_kind_of_pool();
    elements_that_leak();
    a_trim();
    threads();
    values();
    rosters();
}

#[derive(Pooled)]
struct Local(#[allow(dead_code)] Vec<u8>);
#[derive(Pooled)]
#[pool(strategy = pointer_stack)]
struct Stacked(#[allow(dead_code)] [u64; 4]);
#[derive(Pooled)]
#[pool(rc)]
struct Counted(#[allow(dead_code)] [u64; 4]);
#[derive(Pooled)]
#[pool(static)]
struct Shared(#[allow(dead_code)] Vec<u8>);
#[derive(Pooled)]
#[pool(static, strategy = free_list, max = 5000, rc)]
struct Limited(#[allow(dead_code)] [u64; 4]);
#[derive(Pooled)]
#[pool(strategy = roster)]
struct Listed(#[allow(dead_code)] Vec<u8>);
#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Everybody(#[allow(dead_code)] [u64; 4]);

/// Uses every kind of pool, so that each grows more than once, and leaves nothing.
fn use_all() {
    let many = || 0..3000_usize;
    let kept = (
        many().map(|n| PoolBox::new(Local(vec![0; 1 + n % 9]))).collect::<Vec<_>>(),
        many().map(|n| PoolBox::new(Stacked([n as u64; 4]))).collect::<Vec<_>>(),
        many().map(|n| PoolRc::new(Counted([n as u64; 4]))).collect::<Vec<_>>(),
        many().map(|n| PoolBox::new(Shared(vec![0; 1 + n % 9]))).collect::<Vec<_>>(),
        many().map(|n| PoolArc::new(Limited([n as u64; 4]))).collect::<Vec<_>>(),
        many().map(|n| any::Box::new([n; 5])).collect::<Vec<_>>(),
        many().map(|n| any::Arc::new([n; 7])).collect::<Vec<_>>(),
        any::Box::new([0_u8; 5000]),
    );
    for n in many() {
        Listed::pool_insert(Listed(vec![0; 1 + n % 9]));
        Everybody::pool_insert(Everybody([n as u64; 4]));
    }
    let handles: Vec<Handle<Everybody>> =
        Everybody::pool_with(|roster| roster.order().iter().map(|(handle, _)| handle).collect());
    assert_eq!(handles.len(), 3000);
    Listed::pool_clear();
    Everybody::pool_clear();
    drop((kept, handles));
}

fn every_kind_of_pool() {
    let leaks = HEAP.scope();
    use_all();
    assert_eq!((leaks.leaked_count(), leaks.leaked_bytes()), (0, 0));
    leaks.assert_none_leaked();
    let stats = HEAP.stats();
    assert!(stats.pool_count > 20 && stats.pool_bytes > 500_000, "{stats}");
    let beside = format!("({} bytes in {} of them pools')", stats.pool_bytes, stats.pool_count);
    assert!(stats.to_string().contains(&beside), "{stats}");

    assert!(stats.pool_bytes <= stats.live_bytes && stats.pool_count <= stats.live_count);
}

fn elements_that_leak() {
    let leaks = HEAP.scope();
    let leaked = PoolBox::into_raw(PoolBox::new(Local(vec![0; 1000])));
    assert_eq!(leaks.leaked_bytes(), 1000);
    Listed::pool_insert(Listed(vec![0; 500]));
    let with_it = leaks.leaked_bytes();
    Listed::pool_clear();
    assert!(with_it - leaks.leaked_bytes() >= 500);
    assert_eq!(leaks.leaked_bytes(), 1000);
    // SAFETY: it came from `into_raw`, and nothing else has it.
    drop(unsafe { PoolBox::from_raw(leaked) });
    leaks.assert_none_leaked();
}

/// Chunks from before that go within a scope, and chunks that go after it.
fn a_trim() {
    use_all();
    let leaks = HEAP.scope();
    let trim = || {
        let bytes = [
            Local::pool_trim(),
            Stacked::pool_trim(),
            Counted::pool_trim(),
            Shared::pool_trim(),
            Limited::pool_trim(),
            Listed::pool_trim(),
            Everybody::pool_trim(),
        ];
        assert!(bytes.iter().all(|bytes| *bytes > 0), "{bytes:?}");
    };
    let before = HEAP.stats();
    trim();
    assert!(HEAP.stats().pool_bytes < before.pool_bytes);
    assert_eq!((leaks.leaked_count(), leaks.leaked_bytes()), (0, 0));
    use_all();
    trim();
    assert_eq!((leaks.leaked_count(), leaks.leaked_bytes()), (0, 0));
}

/// The address of an element that a thread has left, for a leak checker, which takes the chunk for used.
static LEFT: AtomicPtr<Stacked> = AtomicPtr::new(ptr::null_mut());

/// A thread that ends gives back what it has, and leaves what it has leaked.
fn threads() {
    // What std keeps for threads.
    thread::spawn(use_all).join().unwrap();
    let leaks = HEAP.scope();
    let before = HEAP.stats();
    for _ in 0..3 {
        thread::spawn(use_all).join().unwrap();
    }
    assert_eq!((leaks.leaked_count(), leaks.leaked_bytes()), (0, 0));
    thread::spawn(|| {
        use_all();
        LEFT.store(PoolBox::into_raw(PoolBox::new(Stacked([0; 4]))), Ordering::Relaxed);
    })
    .join()
    .unwrap();
    assert_eq!((leaks.leaked_count(), leaks.leaked_bytes()), (0, 0));
    assert!(HEAP.stats().pool_bytes > before.pool_bytes, "a chunk stays");

    // Sent to another thread, and freed there.
    let leaks = HEAP.scope();
    let shared: Vec<_> = (0..2000).map(|_| PoolBox::new(Shared(vec![0; 10]))).collect();
    thread::spawn(move || drop(shared)).join().unwrap();
    assert_eq!((leaks.leaked_count(), leaks.leaked_bytes()), (0, 0));
}

/// Pools that are values, from before the scope.
fn values() {
    let (list, stack) = (FreeList::new(), PointerStack::new());
    let (mut frames, mut local) = (FrameStack::new(), LocalFrameStack::new());
    let before = HEAP.stats();
    let leaks = HEAP.scope();
    let boxes = [(); 100].map(|()| (list.alloc([0_u64; 4]), stack.alloc([0_u8; 3])));
    assert_eq!((leaks.leaked_count(), leaks.leaked_bytes()), (0, 0));
    assert!(HEAP.stats().pool_bytes > before.pool_bytes + 3500);
    drop(boxes);
    // Frame stacks are no pools.
    let _ = frames.alloc([0_u8; 100_000]);
    let _ = local.alloc([0_u8; 100_000]);
    assert!(leaks.leaked_count() == 2 && leaks.leaked_bytes() > 200_000);
    frames.trim();
    local.reset();
    drop((list, stack, frames, local));
    let after = HEAP.stats();
    assert_eq!((leaks.leaked_count(), leaks.leaked_bytes()), (0, 0));
    assert_eq!((after.pool_bytes, after.pool_count), (before.pool_bytes, before.pool_count));
}

/// All that a roster does with memory.
fn rosters() {
    let before = HEAP.stats();
    {
        let leaks = HEAP.scope();
        let mut roster = Roster::new();
        let handles: Vec<_> = (0..5000_u64).map(|n| roster.insert([n; 2])).collect();
        let places: BTreeMap<_, _> =
            handles.iter().map(|&handle| (roster.order().index_of(handle), handle)).collect();
        assert_eq!(places.len(), 5000);
        let clone = roster.clone();
        assert!(handles.iter().skip(10).all(|&handle| roster.remove(handle).is_some()));
        let _ = roster.detach(handles[0]);
        roster.shrink_to_fit();
        roster.reserve(10_000);
        let values: u64 = clone.into_values().map(|value| value[0]).sum();
        assert_eq!(values, (0..5000).sum::<u64>());
        drop((handles, places));
        assert_eq!((leaks.leaked_count(), leaks.leaked_bytes()), (0, 0));

        drop(roster);
        assert_eq!((leaks.leaked_count(), leaks.leaked_bytes()), (0, 0));
    }
    #[cfg(feature = "serde")]
    {
        let mut roster: Roster<u64> = (0..3000).collect();
        let gone: Vec<_> = roster.iter().map(|(handle, _)| handle).take(2000).collect();
        assert!(gone.into_iter().all(|handle| roster.remove(handle).is_some()));
        let json = serde_json::to_string(&roster).unwrap();
        let leaks = HEAP.scope();
        let read: Roster<u64> = serde_json::from_str(&json).unwrap();
        assert_eq!((leaks.leaked_count(), leaks.leaked_bytes()), (0, 0));

        drop(read);
        assert_eq!((leaks.leaked_count(), leaks.leaked_bytes()), (0, 0));
    }
    let after = HEAP.stats();
    assert_eq!((after.pool_bytes, after.pool_count), (before.pool_bytes, before.pool_count));
}
