//! Depots and magazines, driven by hand.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::watch::IS_WATCHED;
use crate::derived::magazines::depot::Depot;
use crate::derived::magazines::magazine::{Magazine, Sizes};
use crate::strategy::Slots;

mod model;

const SLOT: Layout = Layout::new::<u64>();

const BATCH: usize = 128;

/// A thread keeps eight batches.
const SIZES: Sizes = Sizes { batch: BATCH, most: 8 * BATCH };

/// With chunks of whole batches.
const fn depot() -> Depot {
    Depot::with_slots(Slots::new(Config::new().chunk(8 * BATCH)), SLOT)
}

fn magazine() -> Rc<Magazine> {
    Rc::new(Magazine::new(SIZES).expect("memory"))
}

fn take(depot: &Depot, magazine: &Magazine, count: usize) -> Vec<NonNull<u8>> {
    let slot = || magazine.pop(SLOT.size()).or_else(|| depot.fetch(magazine));
    core::iter::repeat_with(slot).take(count).map(Option::unwrap).collect()
}

fn trim(depot: &Depot) {
    depot.enter().slots.trim(SLOT);
}

fn free(depot: &Depot, magazine: &Magazine, slots: Vec<NonNull<u8>>) {
    for slot in slots {
        // SAFETY: taken, and free from here on.
        if !unsafe { magazine.push(slot, SLOT.size()) } {
            // SAFETY: as above.
            unsafe { depot.overflow(magazine, slot) };
        }
    }
}

#[test]
fn batches_are_neither_long_nor_large() {
    let of = |bytes| {
        let Sizes { batch, most } = Sizes::new(Layout::from_size_align(bytes, 1).unwrap());
        (batch, most / batch)
    };
    assert_eq!([1, 64, 409, 1024].map(of), [(128, 10), (128, 10), (128, 10), (128, 4)]);
    assert_eq!([2048, 2100, 4096, 16_384].map(of), [(128, 2), (124, 2), (64, 2), (16, 2)]);
    assert_eq!([16_385, 1 << 20].map(of), [(16, 2); 2]);
}

#[test]
fn a_magazine_takes_what_it_has_room_for_as_soon_as_it_is_wider() {
    let magazine = magazine();
    let pushes = || {
        // SAFETY: it is never taken out as a slot.
        let push = |_: &()| unsafe { magazine.push(NonNull::dangling(), 0) };
        core::iter::repeat(()).take_while(push).count()
    };
    assert_eq!(pushes(), 0);
    for room in [32, 256, 384, 512, 640, 768, 896, 1024, 1024] {
        magazine.widen(magazine.wider());
        pushes();
        assert_eq!((magazine.len(), magazine.space()), (room, 0));
    }
}

#[test]
fn threads_share_the_first_chunk() {
    if IS_WATCHED {
        return;
    }
    let depot = Depot::with_slots(Slots::EMPTY, SLOT);
    let threads = [(); 4].map(|()| magazine());
    threads.iter().for_each(|magazine| depot.enlist(magazine));
    let firsts = [0, 1, 2, 3].map(|at| take(&depot, &threads[at], 1));
    let chunks = depot.enter().slots.cursor.chain.iter().count();
    assert_eq!(chunks, 1);
    assert!(threads.iter().all(|magazine| magazine.len() > 0));
    for (magazine, slots) in threads.iter().zip(firsts) {
        free(&depot, magazine, slots);
        depot.retire(magazine);
    }
    trim(&depot);
}

#[test]
fn who_only_frees_passes_on() {
    if IS_WATCHED {
        return;
    }
    let depot = depot();
    let [takes, frees, keeps] = [(); 3].map(|()| magazine());
    [&takes, &frees, &keeps].into_iter().for_each(|magazine| depot.enlist(magazine));
    let lives = take(&depot, &keeps, 1);
    free(&depot, &frees, take(&depot, &takes, 16 * BATCH));
    assert!(frees.len() <= 2 * BATCH);
    // What was there, and three times more.
    let mut slots = take(&depot, &frees, frees.len());
    let fetch = |_| take(&depot, &frees, 1 + frees.len());
    slots.extend((0..3).flat_map(|n| if n == 0 { take(&depot, &frees, 1) } else { fetch(n) }));
    free(&depot, &frees, slots);
    free(&depot, &frees, take(&depot, &takes, 16 * BATCH));
    assert_eq!(frees.space() + frees.len(), 5 * BATCH, "one for each that it has had to fetch");
    free(&depot, &takes, take(&depot, &takes, 16 * BATCH));
    assert_eq!(takes.space() + takes.len(), 8 * BATCH, "no more than eight batches");
    free(&depot, &keeps, lives);
    [&takes, &frees, &keeps].into_iter().for_each(|magazine| depot.retire(magazine));
    trim(&depot);
}
