//! Initialisers of all kinds, in memory of the heap.

use std::fmt;
use std::pin::Pin;

use typed_pool::{Init, init, try_init};

use super::on_heap::InPlace as _;
use super::part::{Ledger, Part, element};
use super::schedule::{each_seed, interleave, panic_on_purpose, pause, some_of};

element!(LEDGER, Thing);

struct Nest {
    pair: [Thing; 2],
    alone: Thing,
}

/// Builds, looks at what was built, and drops it.
fn build<T, E>(init: impl Init<T, E>, check: fn(&T)) {
    match fastrand::bool() {
        true => drop(Box::init(init).map(|built: Box<T>| check(&built))),
        false => drop(Box::pin_init(init).map(|built: Pin<Box<T>>| check(&built))),
    }
}

fn check_all(things: &[Thing; 3]) {
    things.iter().for_each(Thing::check);
}

fn check_nest(nest: &Nest) {
    nest.pair.iter().for_each(Thing::check);
    nest.alone.check();
}

const OPERATIONS: &[fn()] = &[
    || build(init::value(Thing::new()), Thing::check),
    || build(init::with(Thing::new), Thing::check),
    || build(init::default(), Thing::check),
    || build(Thing::initialiser(), Thing::check),
    || build(Thing::fallible(), Thing::check),
    || {
        let fails = |thing: &mut Thing| {
            thing.change();
            if fastrand::bool() { Err(()) } else { Ok(()) }
        };
        build(init::chain(Thing::fallible(), fails), Thing::check);
    },
    || {
        let convert = |()| {
            pause();
            Thing::new().check();
        };
        build(init::map_err(Thing::fallible(), convert), Thing::check);
    },
    || build(init::array(|_| Thing::initialiser()), check_all),
    || build(init::array(|_| Thing::fallible()), check_all),
    || build(init::from_fn(|_| Thing::new()), check_all),
    || {
        let nest = try_init!(Nest {
            pair <- init::array(|_| Thing::initialiser()),
            alone <- Thing::fallible(),
        } ? ());
        build(nest, check_nest);
    },
    || {
        let nest = init!(Nest { pair <- init::from_fn(|_| Thing::new()), alone: Thing::new() });
        build(nest, check_nest);
    },
];

#[test]
fn suspended() {
    each_seed(|| {
        interleave(|| some_of(OPERATIONS));
        LEDGER.check();
    });
}
