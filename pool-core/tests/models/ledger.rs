//! What threads read of each other's pools, and the list of all types with a pool.

use loom::model::Builder;
use loom::thread;
use std::boxed::Box;
use std::sync::Arc;

use crate::base::ledger::versioned::Versioned;
use crate::base::ledger::{Facts, Record, Records, Strategy};

const FACTS: &Facts = &Facts::owned(|| "modelled", Strategy::FREE_LIST);

fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

/// Both, each in a thread, and in both orders: loom does not always look for a turn of events where one writes what another has
/// read before (`models.rs`).
fn check_both<T: Send + Sync + 'static>(
    shared: fn() -> T,
    first: fn(&T),
    second: fn(&T),
    after: fn(&T),
) {
    for [first, second] in [[first, second], [second, first]] {
        check(move || {
            let shared = Arc::new(shared());
            let theirs = shared.clone();
            let other = thread::spawn(move || first(&theirs));
            second(&shared);
            other.join().unwrap();
            after(&shared);
        });
    }
}

#[test]
fn what_is_read_is_of_one_moment() {
    check_both(
        Versioned::<2>::new,
        |words| {
            for number in 1..3 {
                assert_eq!(words.own().1, [number - 1; 2]);
                words.write([core::ptr::without_provenance_mut(number); 2], [number; 2]);
            }
        },
        |words| {
            let (pointers, [first, second]) = words.read();
            let pointers = pointers.map(|pointer| pointer.addr());
            assert_eq!((pointers, first), ([first; 2], second), "torn");
        },
        |words| assert_eq!(words.read().1, [2; 2]),
    );
}

struct Types {
    records: &'static Records<Facts>,
    of_types: &'static [Record; 2],
}

#[test]
fn a_record_that_is_found_is_whole() {
    let shared = || Types {
        records: Box::leak(Box::new(Records::new())),
        of_types: Box::leak(Box::new([Record::new(), Record::new()])),
    };
    check_both(
        shared,
        |types| {
            types.records.join(&types.of_types[0], FACTS);
            types.records.join(&types.of_types[1], FACTS);
        },
        |types| {
            types.records.join(&types.of_types[1], FACTS);
            assert!(types.records.iter().all(|record| record.facts().is_some()), "not whole");
        },
        |types| assert_eq!(types.records.iter().count(), 2, "each is there once"),
    );
}
