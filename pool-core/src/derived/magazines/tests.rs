//! Depots and magazines, driven by hand.

use alloc::vec::Vec;
use core::alloc::Layout;
use core::ptr::{self, NonNull};

use crate::base::config::Config;
use crate::base::watch::IS_WATCHED;
use crate::derived::magazines::cache::{MAX_BATCH, Sizes, batch, max_kept};
use crate::derived::magazines::depot::Depot;
use crate::derived::magazines::magazine::{Magazine, OwnMagazine as Own};
use crate::strategy::Slots;

mod model;

const SLOT: Layout = Layout::new::<u64>();

/// With full batches, of which a thread keeps eight.
const SIZES: Sizes = Sizes { batch: MAX_BATCH, max_spare: 6 };

/// With chunks of whole batches.
const fn depot() -> Depot {
    Depot::with_slots(Slots::new(Config::new().chunk(8 * MAX_BATCH)), SLOT, SIZES)
}

fn take(depot: &Depot, magazine: &Magazine, count: usize) -> Vec<NonNull<u8>> {
    let slot = || magazine.slots.pop(SLOT.size()).or_else(|| depot.fetch(magazine));
    core::iter::repeat_with(slot).take(count).map(Option::unwrap).collect()
}

fn free(depot: &Depot, magazine: &Magazine, slots: Vec<NonNull<u8>>) {
    for slot in slots {
        // SAFETY: taken, and free from here on.
        if !unsafe { magazine.push(slot, SLOT) } {
            // SAFETY: as above.
            unsafe { depot.overflow(magazine, slot) };
        }
    }
}

#[test]
fn batches_are_neither_long_nor_large() {
    let of = |bytes| batch(Layout::from_size_align(bytes, 1).unwrap());
    assert_eq!([1, 64, 2048].map(of), [MAX_BATCH; 3]);
    assert_eq!([2100, 4096, 16_384].map(of), [124, 64, 16]);
    assert_eq!([16_385, 1 << 20].map(of), [16; 2]);
}

#[test]
fn a_thread_keeps_two_batches_or_few_bytes() {
    let of = |bytes| {
        let slot = Layout::from_size_align(bytes, 1).unwrap();
        max_kept(slot, batch(slot))
    };
    assert_eq!([1, 64, 409, 1024, 2048, 1 << 20].map(of), [10, 10, 10, 4, 2, 2]);
}

#[test]
fn there_is_a_node_for_every_batch_wherever_threads_leave_vacant_ones() {
    const SLOTS: usize = 15 * MAX_BATCH;
    if IS_WATCHED {
        return;
    }
    let depot = depot();
    let threads = [(); 3].map(|()| Own::new());
    threads.iter().for_each(|magazine| depot.enlist(magazine));
    // Or the pool would begin anew each time.
    let lives = take(&depot, &threads[0], 1);
    for round in 0..30 {
        let [some, others, frees] = [0, 1, 2].map(|n| &threads[(round + n) % 3]);
        let slots = [some, others].map(|takes| take(&depot, takes, SLOTS));
        free(&depot, frees, slots.concat());
        let in_batches_and_magazines = depot.enter(|state| state.free_elsewhere());
        assert!(in_batches_and_magazines >= 2 * SLOTS, "some came one by one");
    }
    // A link, and the addresses of a batch's slots; for the batches that there can be, and for what threads leave
    // vacant. The first chunk has room for some more.
    let bytes = depot.enter(|state| state.nodes.bytes());
    let least = (2 * SLOTS / MAX_BATCH + 3 * 7 + 1) * (1 + MAX_BATCH) * size_of::<usize>();
    assert!((least..least * 3 / 2).contains(&bytes), "{bytes}");
    free(&depot, &threads[0], lives);
    threads.iter().for_each(|magazine| depot.retire(magazine));
    depot.trim(None);
    let left = depot.enter(|state| (state.free_elsewhere(), state.nodes.bytes()));
    assert_eq!(left, (0, 0));
}

#[test]
fn a_pool_without_a_full_batch_has_no_nodes() {
    if IS_WATCHED {
        return;
    }
    let pool = Slots::new(Config::new().chunk(32));
    let depot = Depot::with_slots(pool, SLOT, SIZES);
    let magazine = Own::new();
    depot.enlist(&magazine);
    let nodes = || depot.enter(|state| state.nodes.bytes());
    let mut slots = take(&depot, &magazine, 64);
    assert_eq!(nodes(), 0);
    slots.append(&mut take(&depot, &magazine, 64));
    assert!(nodes() > 0);
    free(&depot, &magazine, slots);
    depot.retire(&magazine);
    depot.trim(None);
}

#[test]
fn threads_share_the_first_chunk() {
    if IS_WATCHED {
        return;
    }
    let depot = Depot::with_slots(Slots::EMPTY, SLOT, SIZES);
    let threads = [(); 4].map(|()| Own::new());
    threads.iter().for_each(|magazine| depot.enlist(magazine));
    let firsts = [0, 1, 2, 3].map(|at| take(&depot, &threads[at], 1));
    let chunks = depot.enter(|state| state.slots.cursor.chain.iter().count());
    assert_eq!(chunks, 1);
    assert!(threads.iter().all(|magazine| magazine.slots.len() > 0));
    for (magazine, slots) in threads.iter().zip(firsts) {
        free(&depot, magazine, slots);
        depot.retire(magazine);
    }
    depot.trim(None);
}

#[test]
fn threads_end_in_any_order() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let depot = depot();
        let threads = [(); 3].map(|()| Own::new());
        let are_listed = |at: &[usize]| {
            depot.enter(|state| {
                let is_listed =
                    |&at: &usize| state.magazines().any(|other| ptr::eq(other, &*threads[at]));
                (state.threads.get(), state.magazines().count()) == (at.len(), at.len())
                    && at.iter().all(is_listed)
            })
        };
        threads.iter().for_each(|magazine| depot.enlist(magazine));
        for (ended, &at) in order.iter().enumerate() {
            assert!(are_listed(&order[ended..]), "{order:?}");
            depot.retire(&threads[at]);
        }
        assert!(are_listed(&[]));
    }
}

#[test]
fn who_only_frees_passes_on() {
    const ROOM: usize = 2 * MAX_BATCH;
    if IS_WATCHED {
        return;
    }
    let depot = depot();
    let [takes, frees, keeps] = [(); 3].map(|()| Own::new());
    [&takes, &frees, &keeps].into_iter().for_each(|magazine| depot.enlist(magazine));
    let lives = take(&depot, &keeps, 1);
    free(&depot, &frees, take(&depot, &takes, 16 * MAX_BATCH));
    let kept = |magazine: &Magazine| (magazine.slots.len(), magazine.spare.len());
    assert_eq!(kept(&frees), (ROOM, 0));
    // What was at hand, and three batches.
    free(&depot, &frees, take(&depot, &frees, ROOM + 3 * MAX_BATCH));
    assert_eq!(kept(&frees), (ROOM, 3));
    free(&depot, &frees, take(&depot, &takes, 16 * MAX_BATCH));
    assert_eq!(kept(&frees), (ROOM, 3), "one for each that it has had to fetch");
    free(&depot, &takes, take(&depot, &takes, 16 * MAX_BATCH));
    assert_eq!(kept(&takes), (ROOM, 6), "no more than eight batches");
    free(&depot, &keeps, lives);
    [&takes, &frees, &keeps].into_iter().for_each(|magazine| depot.retire(magazine));
    depot.trim(None);
}
