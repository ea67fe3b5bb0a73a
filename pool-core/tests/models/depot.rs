//! Models of the depot of a static pool that grows, and of the magazines before it: the files themselves,
//! over the very free lists and pointer stacks that stand behind them, with batches of one slot or two.

use core::alloc::Layout;
use core::ptr::{self, NonNull};
use std::sync::Arc;
use std::vec::Vec;

use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::thread;

use super::cache::{Cache as _, Shareable, Sizes};
use super::depot::Depot;
use super::magazine::{Magazine, OwnMagazine};
use super::state::State;
use crate::base::config::Config;
use crate::strategy::{InFreeList, InPointerStack, Slots};

/// How many slots there are: one chunk, as long as a chunk is aligned.
const SLOTS: usize = 4;

/// What each is.
const SLOT: Layout = Layout::new::<[u64; 2]>();

type Lists = InFreeList;
type Stacks = InPointerStack;

/// A pool whose slots loom watches: it fails if a slot has two owners, or an owner that does not see what the last
/// one has done.
struct Pool<K: Shareable> {
    depot: Depot<K>,
    owners: [UnsafeCell<u32>; SLOTS],
}

// SAFETY: the depot is there to be shared, and the owners are what loom watches.
unsafe impl<K: Shareable> Send for Pool<K> {}
// SAFETY: as above.
unsafe impl<K: Shareable> Sync for Pool<K> {}

/// A slot that somebody owns.
struct Slot(NonNull<u8>);

// SAFETY: it is owned.
unsafe impl Send for Slot {}

impl<K: Shareable> Pool<K> {
    fn new(batch: usize, kept: usize) -> Self {
        let owners = core::array::from_fn(|_| UnsafeCell::new(0));
        let sizes = Sizes { batch, max_spare: kept - K::Cache::AT_HAND };
        let slots = Slots::new(Config::new().chunk(SLOTS).max(SLOTS));
        Self { depot: Depot::with_slots(slots, SLOT, sizes), owners }
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

    fn take(&self, magazine: &Magazine<K>) -> Option<Slot> {
        let slot = magazine.slots.pop(SLOT.size()).or_else(|| self.depot.fetch(magazine))?;
        Some(self.own(slot))
    }

    fn put(&self, magazine: &Magazine<K>, Slot(slot): Slot) {
        self.change_owners(slot, 1, 0);
        // SAFETY: the slot is free.
        if !unsafe { magazine.push(slot, SLOT) } {
            // SAFETY: as above.
            unsafe { self.depot.overflow(magazine, slot) };
        }
    }

    /// What a thread does from its first use of the pool to its end.
    fn in_thread<R>(&self, f: impl FnOnce(&Magazine<K>) -> R) -> R {
        let magazine = OwnMagazine::<K>::new();
        self.depot.enlist(&magazine);
        let result = f(&magazine);
        self.depot.retire(&magazine);
        self.depot.enter(|state| {
            let mut others = state.magazines();
            assert!(others.all(|other| !ptr::eq(other, &*magazine)), "it is gone from here on");
        });
        result
    }

    fn take_all(&self) -> Vec<Slot> {
        core::iter::from_fn(|| self.depot.enter(State::acquire))
            .map(|slot| self.own(slot))
            .collect()
    }

    fn put_all(&self, slots: Vec<Slot>) {
        self.in_thread(|magazine| slots.into_iter().for_each(|slot| self.put(magazine, slot)));
    }

    fn elsewhere(&self) -> usize {
        self.depot.enter(|state| state.free_elsewhere())
    }

    /// Nobody has a slot: all can be taken, once each, and all memory goes back.
    fn all_are_there(&self) {
        let slots = self.take_all();
        assert_eq!((slots.len(), self.elsewhere()), (SLOTS, 0));
        self.put_all(slots);
        self.depot.trim(None);
        self.depot.enter(|state| {
            let chunks = state.slots.cursor.chain.iter().count();
            assert_eq!((chunks, state.nodes.bytes()), (0, 0));
        });
    }
}

/// What a thread does, with the slots that it was sent.
type Role<K> = fn(&Pool<K>, Vec<Slot>);

/// Threads with these roles, each sent the given number of slots, share a pool whose other slots lie in the depot's
/// batches as far as they fill some. Of these a thread keeps `kept`.
///
/// In this order and in the reverse, as `check` in `models.rs`.
fn check<K: Shareable, const THREADS: usize>(
    preemptions: Option<usize>,
    (batch, kept): (usize, usize),
    mut roles: [(usize, Role<K>); THREADS],
) {
    for _ in 0..2 {
        let mut builder = Builder::new();
        builder.preemption_bound = preemptions;
        builder.check(move || {
            let pool = Arc::new(Pool::<K>::new(batch, kept));
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
fn two<K: Shareable>(pool: &Pool<K>, _: Vec<Slot>) {
    pool.in_thread(|magazine| {
        let first = pool.take(magazine);
        let second = pool.take(magazine);
        first.into_iter().chain(second).for_each(|slot| pool.put(magazine, slot));
    });
}

/// Frees what others took.
fn frees<K: Shareable>(pool: &Pool<K>, slots: Vec<Slot>) {
    pool.put_all(slots);
}

/// Takes a slot, again and again.
fn again<K: Shareable>(pool: &Pool<K>, _: Vec<Slot>) {
    pool.in_thread(|magazine| {
        for _ in 0..2 {
            let slot = pool.take(magazine);
            slot.into_iter().for_each(|slot| pool.put(magazine, slot));
        }
    });
}

/// Frees what others took, trims, and takes what there is.
fn trims<K: Shareable>(pool: &Pool<K>, slots: Vec<Slot>) {
    pool.in_thread(|magazine| {
        slots.into_iter().for_each(|slot| pool.put(magazine, slot));
        pool.depot.trim(Some(magazine));
        let slots: Vec<_> = core::iter::from_fn(|| pool.take(magazine)).collect();
        slots.into_iter().for_each(|slot| pool.put(magazine, slot));
    });
}

/// Takes what there is, and frees it with what others took: enough to set some aside.
fn hoard<K: Shareable>(pool: &Pool<K>, magazine: &Magazine<K>, slots: Vec<Slot>) {
    let taken: Vec<_> = core::iter::from_fn(|| pool.take(magazine)).collect();
    taken.into_iter().chain(slots).for_each(|slot| pool.put(magazine, slot));
}

fn hoards<K: Shareable>(pool: &Pool<K>, slots: Vec<Slot>) {
    pool.in_thread(|magazine| hoard(pool, magazine, slots));
}

/// The same, before a trim and after.
fn hoards_and_trims<K: Shareable>(pool: &Pool<K>, slots: Vec<Slot>) {
    pool.in_thread(|magazine| {
        hoard(pool, magazine, slots);
        pool.depot.trim(Some(magazine));
        hoard(pool, magazine, Vec::new());
    });
}

/// Looks into everybody's magazine.
fn counts<K: Shareable>(pool: &Pool<K>, _: Vec<Slot>) {
    pool.elsewhere();
}

/// The magazines of two threads, of which one is modelled.
struct Both<K: Shareable>(Pool<K>, [OwnMagazine<K>; 2]);

// SAFETY: one thread uses these magazines, and others by way of the depot.
unsafe impl<K: Shareable> Send for Both<K> {}
// SAFETY: as above.
unsafe impl<K: Shareable> Sync for Both<K> {}

/// What a thread gives back at its end is free at any moment, and never on its way.
fn none_seems_live<K: Shareable>() {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(|| {
        let both = Arc::new(Both(
            Pool::<K>::new(1, 2),
            [OwnMagazine::<K>::new(), OwnMagazine::<K>::new()],
        ));
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
        pool.depot.enter(|state| {
            assert_eq!(state.slots.live(SLOT) - state.free_elsewhere(), 1);
        });
        ends.join().unwrap();
        pool.depot.retire(&magazines[1]);
        pool.put_all(live);
        pool.all_are_there();
    });
}

#[test]
fn no_slot_seems_live_in_a_free_list() {
    none_seems_live::<Lists>();
}

#[test]
fn no_slot_seems_live_in_a_pointer_stack() {
    none_seems_live::<Stacks>();
}

macro_rules! models {
    ($($(#[$doc:meta])* $name:ident: $($argument:expr),*;)*) => {
        mod free_list {
            use super::*;
            type K = Lists;
            $($(#[$doc])* #[test] fn $name() { check::<K, _>($($argument),*); })*
        }

        mod pointer_stack {
            use super::*;
            type K = Stacks;
            $($(#[$doc])* #[test] fn $name() { check::<K, _>($($argument),*); })*
        }
    };
}

models! {
    /// One thread frees what another takes: batches go from here to there.
    a_batch_changes_hands: Some(3), (1, 2), [(3, frees::<K>), (0, two::<K>)];
    /// The same with batches that are not at once full.
    a_batch_is_filled_and_emptied: Some(3), (2, 2), [(2, frees::<K>), (0, two::<K>)];
    /// Three threads: one frees, two take, and all end.
    three_threads_exchange: Some(2), (1, 2), [(2, frees::<K>), (0, again::<K>), (0, two::<K>)];
    /// A trim, while another thread takes slots, gives them back and ends.
    a_trim_leaves_what_others_have: Some(3), (1, 2), [(0, trims::<K>), (0, again::<K>)];
    /// The same among three threads.
    three_threads_with_a_trim: Some(2), (1, 2), [(0, trims::<K>), (2, frees::<K>), (0, again::<K>)];
    /// A look into the magazines of two threads, which end meanwhile.
    a_count_sees_those_who_live: Some(2), (1, 2), [(0, counts::<K>), (2, frees::<K>), (0, again::<K>)];
    /// Threads that keep more than is at hand, and end with it.
    batches_are_set_aside: Some(3), (1, 3), [(2, hoards::<K>), (0, two::<K>)];
    /// The same, with a trim in one of them.
    what_is_set_aside_is_trimmed: Some(3), (1, 3), [(2, hoards_and_trims::<K>), (1, frees::<K>)];
}
