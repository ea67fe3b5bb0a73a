//! Random operations on a frame stack, against a model.

use proptest::collection::vec;
use proptest::prelude::*;
use typed_pool::{FrameStack, LocalFrameStack};

use config::config;
use operations::{Operation, run};

#[path = "model/config.rs"]
mod config;
#[path = "frame_model/operations.rs"]
mod operations;

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        10 => (0_usize..40, 0_u32..4).prop_map(|(size, align)| Operation::Alloc(size, align)),
        2 => (0_usize..3000, 0_u32..13).prop_map(|(size, align)| Operation::Alloc(size, align)),
        2 => (0_usize..40).prop_map(Operation::Slice),
        1 => vec((0_usize..100, 0_u32..6), 0..8).prop_map(Operation::Scope),
        8 => Just(Operation::FreeLast),
        3 => any::<usize>().prop_map(Operation::FreeAny),
        2 => Just(Operation::Mark),
        1 => any::<usize>().prop_map(Operation::Rewind),
        1 => Just(Operation::Reset),
        1 => Just(Operation::Trim),
    ]
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn a_growing_stack_agrees_with_its_model(
        first in 0_usize..600,
        operations in vec(operation(), 1..300),
    ) {
        run(FrameStack::with_capacity(first), usize::MAX, &operations);
        run(LocalFrameStack::with_capacity(first), usize::MAX, &operations);
    }

    #[test]
    fn a_bounded_stack_agrees_with_its_model(
        limit in 0_usize..3000,
        operations in vec(operation(), 1..200),
    ) {
        run(FrameStack::bounded(limit), limit, &operations);
        run(LocalFrameStack::bounded(limit), limit, &operations);
    }
}
