//! The list of all types with a pool.

use loom::model::Builder;
use loom::thread;
use std::boxed::Box;
use std::sync::Arc;

use crate::base::ledger::record::{Record, Records};

const FACTS: &u32 = &1;

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

struct Types {
    records: &'static Records<u32>,
    of_types: &'static [Record<u32>; 2],
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
            types.records.enlist(&types.of_types[0], FACTS);
            types.records.enlist(&types.of_types[1], FACTS);
        },
        |types| {
            types.records.enlist(&types.of_types[1], FACTS);
            assert!(types.records.iter().all(|record| record.facts().is_some()), "not whole");
        },
        |types| assert_eq!(types.records.iter().count(), 2, "each is there once"),
    );
}
