use alloc::collections::BTreeSet;
use core::ptr;
use std::sync::Barrier;
use std::thread;

use super::{Addresses, Entry, NonNull, Ordering, VACANT, thread_pointer};
use crate::base::ledger::{Upkeep, Visit};
use crate::derived::thread_exit::Registration;

fn occupied(addresses: &Addresses) -> usize {
    let is_occupied = |entry: &&Entry| entry.thread.load(Ordering::Relaxed) != VACANT;
    addresses.entries.iter().filter(is_occupied).count()
}

fn place(number: usize) -> NonNull<()> {
    NonNull::without_provenance(number.try_into().unwrap())
}

/// More threads than entries, all at once: each finds its own, or nothing.
#[test]
fn a_thread_finds_what_it_has_entered() {
    static ADDRESSES: Addresses = Addresses::NONE;
    const THREADS: usize = 40;
    let barrier = Barrier::new(THREADS);
    let found = thread::scope(|scope| {
        let threads: [_; THREADS] = core::array::from_fn(|number| {
            let barrier = &barrier;
            scope.spawn(move || {
                assert_eq!(ADDRESSES.find(), None);
                barrier.wait();
                ADDRESSES.enter(place(1 + number));
                barrier.wait();
                let found = ADDRESSES.find();
                assert!(found.is_none() || found == Some(place(1 + number)));
                ADDRESSES.enter(place(1000));
                assert_eq!(ADDRESSES.find(), found);
                barrier.wait();
                ADDRESSES.remove();
                assert_eq!(ADDRESSES.find(), None);
                usize::from(found.is_some())
            })
        });
        threads.map(|thread| thread.join().unwrap()).iter().sum::<usize>()
    });
    assert!(found > 1 && occupied(&ADDRESSES) == 0, "{found}");
}

#[test]
fn the_end_of_a_thread_removes_it() {
    static ADDRESSES: Addresses = Addresses::NONE;
    std::thread_local! {
        static REGISTRATION: Registration = const { Registration::NONE };
    }
    struct Pool;
    impl Upkeep for Pool {
        fn visit(&'static self, visit: Visit) -> Option<&'static dyn Upkeep> {
            match visit {
                Visit::Begin => REGISTRATION.with(|one| ADDRESSES.enter(NonNull::from(one).cast())),
                Visit::End => ADDRESSES.remove(),
                Visit::Flush => {}
            }
            REGISTRATION.with(|one| one.next(visit))
        }
    }
    let entered = thread::spawn(|| {
        assert!(REGISTRATION.with(|one| one.register(&Pool)));
        let here = REGISTRATION.with(|one| NonNull::from(one).cast());
        ADDRESSES.find() == Some(here) && occupied(&ADDRESSES) == 1
    });
    assert!(entered.join().unwrap());
    assert_eq!(occupied(&ADDRESSES), 0);
}

#[test]
fn a_child_knows_its_own_thread_alone() {
    unsafe extern "C" {
        fn fork() -> i32;
        fn waitpid(child: i32, status: *mut i32, options: i32) -> i32;
        fn _exit(code: i32) -> !;
    }
    static ADDRESSES: Addresses = Addresses::NONE;
    let barrier = Barrier::new(4);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                ADDRESSES.enter(place(2));
                barrier.wait();
                barrier.wait();
                ADDRESSES.remove();
            });
        }
        barrier.wait();
        ADDRESSES.enter(place(1));
        let (this, others) = (ADDRESSES.find(), occupied(&ADDRESSES));
        // SAFETY: the child only reads atomics, and ends.
        let child = unsafe { fork() };
        if child == 0 {
            let is_right =
                ADDRESSES.find() == this && occupied(&ADDRESSES) == usize::from(this.is_some());
            // SAFETY: it may be called at any time.
            unsafe { _exit(i32::from(!is_right)) };
        }
        let mut status = -1;
        // SAFETY: the status is there to be written to.
        let waited = unsafe { waitpid(child, &raw mut status, 0) };
        barrier.wait();
        ADDRESSES.remove();
        assert!(child > 0 && waited == child && others > 1);
        assert_eq!(status, 0);
    });
    assert_eq!(occupied(&ADDRESSES), 0);
}

#[test]
fn neighbours_have_different_entries() {
    let entry = |thread| ptr::from_ref(ADDRESSES.entry(thread));
    static ADDRESSES: Addresses = Addresses::NONE;
    for size in (17..=26).map(|log| 1 << log) {
        // One that is used for main threads as well.
        let threads = (0..6).map(|number| thread_pointer() - number * (size + 4096));
        let entries: BTreeSet<_> = threads.map(entry).collect();
        assert!(entries.len() > 3, "{size}: {}", entries.len());
    }
}
