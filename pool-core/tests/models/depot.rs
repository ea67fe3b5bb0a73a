//! Models of the depot of a static pool that grows, and of the magazines before it: the files themselves,
//! over the very pointer stack that stands behind them, with batches of one slot or two.

use core::alloc::Layout;
use core::ptr::{self, NonNull};
use std::sync::Arc;
use std::vec::Vec;

use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::thread;

use super::depot::{Depot, State};
use super::magazine::Magazine;
use super::magazine::Sizes;
use crate::base::config::Config;
use crate::strategy::Slots;

/// How many slots there are: one chunk, as long as a chunk is aligned.
const SLOTS: usize = 4;

/// The layout of a slot.
const SLOT: Layout = Layout::new::<[u64; 2]>();

/// A pool whose slots loom watches: it fails if a slot has two owners, or an owner that does not see what the last
/// one has done.
struct Pool {
    depot: Depot,
    sizes: Sizes,
    owners: [UnsafeCell<u32>; SLOTS],
}

// SAFETY: the depot is there to be shared, and the owners are what loom watches.
unsafe impl Send for Pool {}
// SAFETY: as above.
unsafe impl Sync for Pool {}

/// A slot that somebody owns.
struct Slot(NonNull<u8>);

// SAFETY: it is owned.
unsafe impl Send for Slot {}

impl Pool {
    fn new(batch: usize, kept: usize) -> Self {
        let owners = core::array::from_fn(|_| UnsafeCell::new(0));
        let sizes = Sizes { batch, most: kept * batch };
        let slots = Slots::new(Config::new().chunk(SLOTS).max(SLOTS));
        Self { depot: Depot::with_slots(slots, SLOT), sizes, owners }
    }

    fn change_owners(&self, slot: NonNull<u8>, before: u32, after: u32) {
        let number = slot.addr().get() / SLOT.size() % SLOTS;
        self.owners[number].with_mut(|owners| {
            // SAFETY: the slot is ours, or loom says so.
            let owners = unsafe { &mut *owners };
            assert_eq!(*owners, before, "one owner");
            *owners = after;
        });
    }

    fn own(&self, slot: NonNull<u8>) -> Slot {
        self.change_owners(slot, 0, 1);
        Slot(slot)
    }

    fn take(&self, magazine: &Magazine) -> Option<Slot> {
        let slot = magazine.pop(SLOT.size()).or_else(|| self.depot.fetch(magazine))?;
        Some(self.own(slot))
    }

    fn put(&self, magazine: &Magazine, Slot(slot): Slot) {
        self.change_owners(slot, 1, 0);
        // SAFETY: the slot is free.
        if !unsafe { magazine.push(slot, SLOT.size()) } {
            // SAFETY: as above.
            unsafe { self.depot.overflow(magazine, slot) };
        }
    }

    fn magazine(&self) -> Arc<Magazine> {
        Arc::new(Magazine::new(self.sizes).expect("memory"))
    }

    fn trim(&self) {
        self.depot.enter().slots.trim(SLOT);
    }

    /// Runs a thread from its first use of the pool to its end.
    fn in_thread<R>(&self, f: impl FnOnce(&Magazine) -> R) -> R {
        let magazine = self.magazine();
        self.depot.enlist(&magazine);
        let result = f(&magazine);
        self.depot.retire(&magazine);
        let is_gone = self.depot.enter().magazines().all(|other| !ptr::eq(other, &*magazine));
        assert!(is_gone, "from here on");
        result
    }

    fn take_all(&self) -> Vec<Slot> {
        core::iter::from_fn(|| self.depot.enter().acquire()).map(|slot| self.own(slot)).collect()
    }

    fn put_all(&self, slots: Vec<Slot>) {
        self.in_thread(|magazine| slots.into_iter().for_each(|slot| self.put(magazine, slot)));
    }

    fn in_magazines(&self) -> usize {
        self.depot.enter().in_magazines()
    }

    /// No slot is taken: all can be taken, once each, and all memory goes back.
    fn all_are_there(&self) {
        let slots = self.take_all();
        assert_eq!((slots.len(), self.in_magazines()), (SLOTS, 0));
        self.put_all(slots);
        self.trim();
        let chunks = self.depot.enter().slots.cursor.chain.iter().count();
        assert_eq!(chunks, 0);
    }
}

/// The work of a thread, with the slots that it was sent.
type Role = fn(&Pool, Vec<Slot>);

/// Threads with these roles, each sent the given number of slots, share a pool whose other slots lie in the depot. A
/// thread keeps `kept` batches.
///
/// In this order and in the reverse, as `check` in `models.rs`.
fn check<const THREADS: usize>(
    preemptions: Option<usize>,
    (batch, kept): (usize, usize),
    mut roles: [(usize, Role); THREADS],
) {
    for _ in 0..2 {
        let mut builder = Builder::new();
        builder.preemption_bound = preemptions;
        builder.check(move || {
            let pool = Arc::new(Pool::new(batch, kept));
            let mut slots = pool.take_all();
            let sent = roles.map(|(count, _)| slots.split_off(slots.len() - count));
            pool.put_all(slots);
            let mut sent = sent.into_iter();
            let threads = roles.map(|(_, role)| {
                let (pool, slots) = (Arc::clone(&pool), sent.next().unwrap());
                thread::spawn(move || role(&pool, slots))
            });
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            pool.all_are_there();
        });
        roles.reverse();
    }
}

/// Takes two slots, one after the other, and gives them back.
fn two(pool: &Pool, _: Vec<Slot>) {
    pool.in_thread(|magazine| {
        let first = pool.take(magazine);
        let second = pool.take(magazine);
        first.into_iter().chain(second).for_each(|slot| pool.put(magazine, slot));
    });
}

/// Frees what others took.
fn frees(pool: &Pool, slots: Vec<Slot>) {
    pool.put_all(slots);
}

/// Takes a slot, again and again.
fn again(pool: &Pool, _: Vec<Slot>) {
    pool.in_thread(|magazine| {
        for _ in 0..2 {
            let slot = pool.take(magazine);
            slot.into_iter().for_each(|slot| pool.put(magazine, slot));
        }
    });
}

/// Frees what others took, trims, and takes what there is.
fn trims(pool: &Pool, slots: Vec<Slot>) {
    pool.in_thread(|magazine| {
        slots.into_iter().for_each(|slot| pool.put(magazine, slot));
        pool.depot.flush(magazine);
        pool.trim();
        let slots: Vec<_> = core::iter::from_fn(|| pool.take(magazine)).collect();
        slots.into_iter().for_each(|slot| pool.put(magazine, slot));
    });
}

/// Takes what there is, and frees it with what others took: enough to keep more than two.
fn hoard(pool: &Pool, magazine: &Magazine, slots: Vec<Slot>) {
    let taken: Vec<_> = core::iter::from_fn(|| pool.take(magazine)).collect();
    taken.into_iter().chain(slots).for_each(|slot| pool.put(magazine, slot));
}

fn hoards(pool: &Pool, slots: Vec<Slot>) {
    pool.in_thread(|magazine| hoard(pool, magazine, slots));
}

/// The same, before a trim and after.
fn hoards_and_trims(pool: &Pool, slots: Vec<Slot>) {
    pool.in_thread(|magazine| {
        hoard(pool, magazine, slots);
        pool.depot.flush(magazine);
        pool.trim();
        hoard(pool, magazine, Vec::new());
    });
}

/// Looks into everybody's magazine.
fn counts(pool: &Pool, _: Vec<Slot>) {
    let state = pool.depot.enter();
    assert!(state.in_magazines() <= state.slots.live(SLOT));
}

/// The magazines of two threads, of which one is modelled.
struct Both(Pool, [Arc<Magazine>; 2]);

// SAFETY: one thread uses these magazines, and others by way of the depot.
unsafe impl Send for Both {}
// SAFETY: as above.
unsafe impl Sync for Both {}

/// Slots that a thread gives back at its end are free at any moment, and never on their way.
#[test]
fn no_slot_seems_live() {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(|| {
        let pool = Pool::new(1, 2);
        let magazines = [pool.magazine(), pool.magazine()];
        let both = Arc::new(Both(pool, magazines));
        let Both(pool, magazines) = &*both;
        magazines.iter().for_each(|magazine| pool.depot.enlist(magazine));
        let mut slots = pool.take_all();
        // Or all slots would be home.
        let live = slots.split_off(SLOTS - 1);
        slots.into_iter().for_each(|slot| pool.put(&magazines[0], slot));
        let ends = {
            let both = Arc::clone(&both);
            thread::spawn(move || both.0.depot.retire(&both.1[0]))
        };
        let state = pool.depot.enter();
        assert_eq!(state.slots.live(SLOT) - state.in_magazines(), 1);
        drop(state);
        ends.join().unwrap();
        pool.depot.retire(&magazines[1]);
        pool.put_all(live);
        pool.all_are_there();
    });
}

macro_rules! models {
    ($($(#[$doc:meta])* $name:ident: $($argument:expr),*;)*) => {
        $($(#[$doc])* #[test] fn $name() { check($($argument),*); })*
    };
}

models! {
    /// One thread frees what another takes: batches go from here to there.
    a_batch_changes_hands: Some(3), (1, 2), [(3, frees), (0, two)];
    /// The same with batches that are not at once full.
    a_batch_is_filled_and_emptied: Some(3), (2, 2), [(2, frees), (0, two)];
    /// Three threads: one frees, two take, and all end.
    three_threads_exchange: Some(2), (1, 2), [(2, frees), (0, again), (0, two)];
    /// A trim, while another thread takes slots, gives them back and ends.
    a_trim_leaves_what_others_have: Some(3), (1, 2), [(0, trims), (0, again)];
    /// The same among three threads.
    three_threads_with_a_trim: Some(2), (1, 2), [(0, trims), (2, frees), (0, again)];
    /// A look into the magazines of two threads, which end during it.
    a_count_sees_those_who_live: Some(2), (1, 2), [(0, counts), (2, frees), (0, again)];
    /// A thread whose magazine grows, while another counts.
    a_count_sees_a_magazine_grow: Some(3), (1, 3), [(0, counts), (2, hoards)];
    /// Threads that keep more than two batches, and end with it.
    more_is_kept: Some(3), (1, 3), [(2, hoards), (0, two)];
    /// The same, with a trim in one of them.
    what_is_kept_is_trimmed: Some(3), (1, 3), [(2, hoards_and_trims), (1, frees)];
}
