//! Frame stacks: one that all have, and scopes within those that each has.

use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use typed_pool::frame::{FrameScope, Frames, Local, Shared, Sharing};
use typed_pool::{FrameBox, FrameStack, Init, LocalFrameStack, init, try_init};

use super::part::{Ledger, Part, element};
use super::schedule::{attempt, each_seed, in_threads, interleave, leak, panic_on_purpose, pause};

element!(LEDGER, Thing);

fn with_a_box(mut thing: FrameBox<'_, Thing>) {
    pause();
    thing.change();
    let text = format!("{thing} {thing:?}");
    assert!(text.len() > 10);
    if fastrand::bool() {
        FrameBox::into_inner(thing).check();
    }
}

/// What a stack and a scope have in common.
macro_rules! operations {
    ($Stack:ty) => {
        &[
            |stack: &$Stack| with_a_box(stack.alloc(Thing::new())),
            |stack: &$Stack| with_a_box(stack.try_alloc(Thing::new()).unwrap()),
            |stack: &$Stack| with_a_box(stack.alloc_with(Thing::new)),
            |stack: &$Stack| {
                let _ = stack.init(Thing::fallible()).map(with_a_box);
            },
            |stack: &$Stack| {
                let _ = stack.try_init(Thing::fallible()).map(with_a_box);
            },
            |stack: &$Stack| {
                let mut many = stack.alloc_slice_with(fastrand::usize(..6), |_| Thing::new());
                pause();
                many.iter_mut().for_each(Thing::change);
            },
            |stack: &$Stack| {
                // More than there is in the first chunk, in the end.
                let numbers = stack.alloc_slice(&[fastrand::u64(..); 20]);
                pause();
                assert!(numbers.iter().all(|&number| number == numbers[0]));
            },
            |stack: &$Stack| {
                let text = fastrand::u64(..).to_string();
                let copy = stack.alloc_str(&text);
                pause();
                assert_eq!(*copy, *text);
            },
            |stack: &$Stack| {
                let (below, above) = (stack.alloc(Thing::new()), stack.alloc_with(Thing::new));
                pause();
                if fastrand::bool() {
                    stack.free(above);
                }
                below.check();
                stack.free(below);
            },
        ]
    };
}

/// What can be done with a stack that others use, too.
pub(super) fn with_stack<S: Sharing>(stack: &Frames<S>) {
    let operations: &[fn(&Frames<S>)] = operations!(Frames<S>);
    for _ in 0..fastrand::usize(1..=5) {
        attempt(|| match operations.get(fastrand::usize(..=operations.len())) {
            Some(operation) => operation(stack),
            None => with_a_box(stack.try_alloc_with(Thing::new).unwrap()),
        });
        pause();
    }
}

fn with_scope<S: Sharing>(scope: &mut FrameScope<'_, S>, depth: usize) {
    let operations: &[fn(&FrameScope<'_, S>)] = operations!(FrameScope<'_, S>);
    let mut kept = scope.alloc(Thing::new());
    for _ in 0..fastrand::usize(1..=4) {
        attempt(|| operations[fastrand::usize(..operations.len())](scope));
        pause();
        if depth > 0 {
            attempt(|| scope.scope(|inner| with_scope(inner, depth - 1)));
        }
        kept.change();
    }
    if fastrand::bool() {
        scope.free(kept);
    }
}

fn scopes<S: Sharing>(mut stack: Frames<S>) {
    for _ in 0..3 {
        attempt(|| stack.scope(|scope| with_scope(scope, 2)));
        assert_eq!(stack.used(), 0);
        pause();
    }
    attempt(|| with_stack(&stack));
    stack.reset();
    assert_eq!(stack.used(), 0);
}

#[test]
fn suspended() {
    each_seed(|| {
        let (mut local, mut shared) =
            (Rc::new(LocalFrameStack::with_capacity(200)), Arc::new(FrameStack::bounded(1 << 20)));
        let (others, others_too) = (Rc::clone(&local), Arc::clone(&shared));
        interleave(move || with_stack::<Local>(&others));
        interleave(move || with_stack::<Shared>(&others_too));
        LEDGER.check();
        // Its owner is gone.
        Rc::get_mut(&mut local).unwrap().reset();
        Arc::get_mut(&mut shared).unwrap().reset();
        assert_eq!((local.used(), shared.used()), (0, 0));

        interleave(|| {
            let bytes = fastrand::usize(..2000);
            if fastrand::bool() {
                scopes(LocalFrameStack::with_capacity(bytes));
            } else {
                scopes(FrameStack::with_capacity(bytes));
            }
        });
        LEDGER.check();
    });
    let stack = Arc::new(FrameStack::with_capacity(1000));
    in_threads(|| {
        let stack = Arc::clone(&stack);
        interleave(move || with_stack(&*stack));
    });
    LEDGER.check();
    leak(|| scopes(LocalFrameStack::new()), || ());
    LEDGER.check_leaked();
}
