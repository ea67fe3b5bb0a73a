//! Random operations on random layouts, against a model.

use std::alloc::Layout;

use proptest::collection::vec;
use proptest::prelude::*;
use typed_pool::{RawFreeList, RawPointerStack};

use super::common::layout;
use super::operations::{Operation, run_both};
use crate::config::config;

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        16 => any::<u8>().prop_map(Operation::Alloc),
        12 => any::<usize>().prop_map(Operation::Free),
        1 => Just(Operation::FreeAll),
        1 => Just(Operation::Trim),
    ]
}

/// A size that is a multiple of an alignment.
fn element() -> impl Strategy<Value = Layout> {
    (0_u32..8, 1_usize..40).prop_map(|(align, multiple)| layout(multiple << align, 1 << align))
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn a_raw_free_list_agrees_with_its_model(
        element in element(),
        count in 1_usize..20,
        operations in vec(operation(), 1..200),
    ) {
        run_both::<RawFreeList>(element, count, &operations);
    }

    #[test]
    fn a_raw_pointer_stack_agrees_with_its_model(
        element in element(),
        count in 1_usize..20,
        operations in vec(operation(), 1..200),
    ) {
        run_both::<RawPointerStack>(element, count, &operations);
    }
}
