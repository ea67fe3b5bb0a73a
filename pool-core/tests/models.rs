//! Models of what threads share in static pools, for loom: every interleaving and every outcome of the
//! weak orders, within the bounds given.
//!
//! `RUSTFLAGS="--cfg loom" cargo test --release -p pool-core --test models`. What the models are
//! worth is shown by bugs that they must find: `.ci/loom seeded` applies each patch of `tests/seeds`.

#![cfg(loom)]
#![allow(missing_docs, reason = "no library")]

/// The files themselves, compiled with loom's atomics.
#[path = "../src"]
#[allow(dead_code, unreachable_pub, unused_imports, unused_macros, reason = "parts of a library")]
mod src {
    pub(crate) mod base;
    pub(crate) mod memory;
    pub(crate) mod strategy;

    pub(crate) mod derived {
        pub(crate) mod fixed {
            pub(crate) mod free;
        }
        pub(crate) mod magazines {
            pub(crate) mod depot;
            pub(crate) mod magazine;
            #[path = "../../../tests/models/depot.rs"]
            mod models;
        }
    }
    pub(crate) mod pointer {
        pub(crate) mod ref_counts;
    }
    pub(crate) mod thread;
}
use src::{base, derived, memory, pointer, strategy, thread};

extern crate alloc;

#[path = "models/ledger.rs"]
mod ledger;
#[path = "models/rc.rs"]
mod rc;
#[path = "models/shared_lock.rs"]
mod shared_lock;

use std::sync::Arc;
use std::vec::Vec;

use loom::cell::UnsafeCell;
use loom::model::Builder;

use derived::fixed::free::FreeSlots;

/// A pool whose slots loom watches: it fails if a slot has two owners, or an owner that does not see what the last
/// one has done.
struct Pool<const SHARDS: usize, const N: usize> {
    free: FreeSlots<SHARDS, N>,
    slots: [UnsafeCell<u32>; N],
}

impl<const SHARDS: usize, const N: usize> Pool<SHARDS, N> {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            free: FreeSlots::new(),
            slots: core::array::from_fn(|_| UnsafeCell::new(0)),
        })
    }

    fn take(&self, own: usize) -> Option<u32> {
        let number = self.free.pop(own, || ())?;
        self.slots[number as usize - 1].with_mut(|slot| {
            // SAFETY: the slot is ours, or loom says so.
            let owners = unsafe { &mut *slot };
            assert_eq!(*owners, 0);
            *owners = 1;
        });
        Some(number)
    }

    fn put(&self, own: usize, number: u32) {
        self.slots[number as usize - 1].with_mut(|slot| {
            // SAFETY: as above.
            let owners = unsafe { &mut *slot };
            assert_eq!(*owners, 1);
            *owners = 0;
        });
        self.free.push(own, number);
    }

    /// No slot is taken: all can be taken, once each.
    fn all_are_there(&self) {
        let taken: Vec<_> = (0..N).map(|at| self.take(at)).collect();
        assert!(taken.iter().all(Option::is_some));
        assert_eq!(self.take(0), None);
    }
}

/// The work of a thread.
type Role<const SHARDS: usize, const N: usize> = fn(&Pool<SHARDS, N>);

/// Threads with these roles share a pool in which `before` was done; `after` all of them.
///
/// In this order and in the reverse: loom looks for another turn of events where a thread reads
/// what one before has written, and not always where one writes what another has read before.
fn check<const SHARDS: usize, const N: usize, const THREADS: usize>(
    preemptions: Option<usize>,
    before: Role<SHARDS, N>,
    mut roles: [Role<SHARDS, N>; THREADS],
    after: Role<SHARDS, N>,
) {
    for _ in 0..2 {
        let mut builder = Builder::new();
        builder.preemption_bound = preemptions;
        builder.check(move || {
            let pool = Pool::<SHARDS, N>::new();
            before(&pool);
            let threads = roles.map(|role| {
                let pool = Arc::clone(&pool);
                loom::thread::spawn(move || role(&pool))
            });
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            after(&pool);
        });
        roles.reverse();
    }
}

/// Two threads take a slot and give it back, in one shard.
#[test]
fn a_slot_has_one_owner() {
    fn role(pool: &Pool<1, 2>) {
        let slot = pool.take(0).expect("there is one for each");
        pool.put(0, slot);
    }
    check(None, |_| {}, [role; 2], Pool::all_are_there);
}

/// A slot that one thread has taken, another gives back, into its own shard.
#[test]
fn a_slot_changes_hands() {
    const LENT: u32 = 1;
    check::<2, 2, 2>(
        None,
        |pool| assert_eq!(pool.take(0), Some(LENT)),
        [
            |pool| pool.put(1, LENT),
            |pool| {
                let first = pool.take(0).expect("one was never used");
                let second = pool.take(0);
                pool.put(0, first);
                second.into_iter().for_each(|slot| pool.put(0, slot));
            },
        ],
        Pool::all_are_there,
    );
}

/// Three threads at one shard, two of them with two slots at a time: what was taken comes back in
/// another order while somebody holds on to an outdated head.
#[test]
fn an_outdated_head_is_not_exchanged() {
    fn two(pool: &Pool<1, 3>) {
        let (first, second) = (pool.take(0), pool.take(0));
        first.into_iter().for_each(|slot| pool.put(0, slot));
        second.into_iter().for_each(|slot| pool.put(0, slot));
    }
    fn one(pool: &Pool<1, 3>) {
        let slot = pool.take(0);
        slot.into_iter().for_each(|slot| pool.put(0, slot));
    }
    fn all_used(pool: &Pool<1, 3>) {
        let slots: Vec<_> = (0..3).filter_map(|_| pool.take(0)).collect();
        slots.into_iter().for_each(|slot| pool.put(0, slot));
    }
    check(Some(2), all_used, [two, one, two], Pool::all_are_there);
}

/// At any moment one of two slots is free, in one shard or in the other: a thread that asks gets one.
#[test]
fn no_slot_hides() {
    const KEPT: u32 = 1;
    check::<2, 2, 2>(
        None,
        |pool| {
            let slots = [pool.take(0), pool.take(1)];
            assert_eq!(slots, [Some(KEPT), Some(2)]);
            pool.put(1, 2);
        },
        [
            |pool| {
                pool.put(0, KEPT);
                assert!(pool.take(1).is_some(), "two are free, and the other takes one");
            },
            |pool| assert!(pool.take(0).is_some(), "one is free"),
        ],
        |_| {},
    );
}

/// The same when the second slot is one that was never used.
#[test]
fn no_slot_hides_behind_the_last_unused_one() {
    const KEPT: u32 = 1;
    check::<2, 2, 2>(
        None,
        |pool| assert_eq!(pool.take(0), Some(KEPT)),
        [
            |pool| {
                pool.put(0, KEPT);
                assert!(pool.take(1).is_some(), "two are free, and the other takes one");
            },
            |pool| assert!(pool.take(0).is_some(), "one is free"),
        ],
        |_| {},
    );
}

/// One thread uses all slots, one at a time, and leaves them in the other's shard: that finds one, though it
/// only hears that all were used.
#[test]
fn no_slot_hides_once_all_were_used() {
    check::<2, 2, 2>(
        Some(3),
        |_| {},
        [
            |pool| {
                for _ in 0..3 {
                    let slot = pool.take(1).expect("there is one for each");
                    pool.put(0, slot);
                }
            },
            |pool| assert!(pool.take(0).is_some(), "one is free"),
        ],
        |_| {},
    );
}
