//! The thread's scratch, which all coroutines of a thread have.

use std::fmt;
use std::thread;

use typed_pool::frame::scratch;
use typed_pool::{Init, init, try_init};

use super::part::{Ledger, Part, element};
use super::schedule::{
    each_seed, interleave, is_for_valgrind, leak, panic_on_purpose, pause, some_of,
    unwind_at_the_end,
};

element!(LEDGER, Thing);

fn numbers() {
    let number = fastrand::u64(..);
    let numbers = scratch::alloc_slice(&[number; 100]);
    pause();
    assert!(numbers.iter().all(|&same| same == number));
}

fn things() {
    let mut whole = scratch::alloc(Thing::new());
    pause();
    let mut other = scratch::alloc_with(Thing::new);
    whole.change();
    other.change();
    assert!(format!("{whole} {other:?}").len() > 10);
    drop(whole);
    other.check();
}

/// Out while it is made, too.
fn in_the_making() {
    let mut thing = scratch::alloc_with(Thing::new);
    pause();
    thing.change();
}

fn lent() {
    scratch::with(|stack| {
        let mut many = stack.alloc_slice_with(fastrand::usize(..6), |_| Thing::new());
        pause();
        things();
        many.iter_mut().for_each(Thing::change);
    });
}

fn in_a_frame(operation: fn()) {
    let frame = scratch::frame();
    pause();
    operation();
    drop(frame);
}

const OPERATIONS: &[fn()] = &[
    || in_a_frame(in_the_making),
    || in_a_frame(in_the_making),
    lent,
    || in_a_frame(numbers),
    || in_a_frame(things),
    || in_a_frame(lent),
    || in_a_frame(|| in_a_frame(things)),
    || {
        // The frame that began first ends first.
        let first = scratch::frame();
        let thing = scratch::alloc(Thing::new());
        let second = scratch::frame();
        pause();
        drop(first);
        pause();
        thing.check();
        drop(thing);
        drop(second);
    },
    || {
        // A frame that ends while boxes are out, which it says.
        let frame = scratch::frame();
        let thing = scratch::alloc_with(Thing::new);
        pause();
        drop(frame);
        thing.check();
    },
];

#[test]
fn suspended() {
    let is_empty = || {
        drop(scratch::frame());
        assert_eq!(scratch::with(|stack| stack.used()), 0);
    };
    each_seed(|| {
        interleave(|| some_of(OPERATIONS));
        LEDGER.check();
        is_empty();
    });
    thread::spawn(is_empty).join().unwrap();
    // Of a thread that ends while boxes are out the memory is leaked, as `scratch` says.
    if !is_for_valgrind() {
        unwind_at_the_end(|| some_of(OPERATIONS));
        LEDGER.check();
    }
    leak(|| some_of(OPERATIONS), || in_a_frame(numbers));
    LEDGER.check_leaked();
}
