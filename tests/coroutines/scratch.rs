//! The thread's frame, lent to closures that are suspended.

use std::fmt;

use typed_pool::{Init, frame, init, try_init};

use super::part::{Ledger, Part, element};
use super::schedule::{
    each_seed, interleave, leak, panic_on_purpose, pause, some_of, unwind_at_the_end,
};

element!(LEDGER, Thing);

fn numbers() {
    frame::scratch(|frame| {
        let number = fastrand::u64(..);
        let numbers = frame.alloc_slice(&[number; 100]);
        pause();
        assert!(numbers.iter().all(|&same| same == number));
    });
}

fn things() {
    frame::scratch(|frame| {
        let mut whole = frame.alloc(Thing::new());
        pause();
        let mut other = frame.alloc_with(Thing::new);
        whole.change();
        other.change();
        assert!(format!("{whole} {other:?}").len() > 10);
        drop(whole);
        other.check();
    });
}

fn many() {
    frame::scratch(|frame| {
        let mut many = frame.alloc_slice_with(fastrand::usize(..6), |_| Thing::new());
        pause();
        many.iter_mut().for_each(Thing::change);
    });
}

fn nested() {
    frame::scratch(|frame| {
        let mut thing = frame.alloc_with(Thing::new);
        things();
        pause();
        numbers();
        thing.change();
    });
}

fn scoped() {
    frame::scratch(|frame| {
        frame.scope(|scope| {
            let thing = scope.alloc_with(Thing::new);
            pause();
            thing.check();
        });
        pause();
        frame.reset();
        frame.alloc_with(Thing::new).check();
    });
}

const OPERATIONS: &[fn()] = &[
    numbers,
    things,
    many,
    nested,
    scoped,
    || frame::scratch(|frame| assert!(frame.trim() < 1 << 20)),
    || {
        frame::scratch(|frame| {
            let thing = frame.alloc_with(Thing::new);
            nested();
            thing.check();
            panic_on_purpose();
        });
    },
];

#[test]
fn suspended() {
    each_seed(|| {
        interleave(|| some_of(OPERATIONS));
        LEDGER.check();
        assert_eq!(frame::scratch(|frame| frame.used()), 0);
    });
    unwind_at_the_end(|| some_of(OPERATIONS));
    LEDGER.check();
    leak(|| some_of(OPERATIONS), numbers);
    LEDGER.check_leaked();
}
