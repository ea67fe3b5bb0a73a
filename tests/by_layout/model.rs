//! Random operations with random layouts.

use std::thread;

use proptest::collection::vec;
use proptest::prelude::*;
use typed_pool::{ByLayout, SharedByLayout};

use crate::config::config;
use crate::operations::{Operation, run};

fn operation() -> impl Strategy<Value = Operation> {
    let size = || prop_oneof![4 => 0_u16..200, 2 => 0_u16..2100, 1 => any::<u16>()];
    prop_oneof![
        6 => (size(), any::<u8>(), any::<bool>())
            .prop_map(|(size, align, zeroed)| Operation::Allocate { size, align, zeroed }),
        4 => any::<u8>().prop_map(|which| Operation::Free { which }),
        3 => (any::<u8>(), size(), any::<u8>(), any::<bool>())
            .prop_map(|(which, size, align, zeroed)| Operation::Resize { which, size, align, zeroed }),
        1 => Just(Operation::Trim),
    ]
}

fn trim() {
    ByLayout::trim();
}

fn trim_shared() {
    SharedByLayout::trim();
}

proptest! {
    #![proptest_config(config(128))]

    #[test]
    fn of_a_thread(operations in vec(operation(), 0..200)) {
        run(operations, ByLayout, trim);
        prop_assert!(ByLayout::stats().all(|pool| pool.live == 0));
        ByLayout::trim();
        prop_assert!(ByLayout::stats().all(|pool| pool.bytes == 0));
    }

    #[test]
    fn of_the_process(operations in vec(operation(), 0..200)) {
        let _alone = crate::alone();
        thread::scope(|scope| {
            let there = operations.clone();
            scope.spawn(|| run(there, SharedByLayout, trim_shared));
            run(operations, SharedByLayout, trim_shared);
        });
    }
}
