//! Two machines play the same game, one of them from a snapshot in the middle on.

use proptest::collection::vec;
use proptest::prelude::*;
use typed_pool::Roster;

use super::game::{Operation, play};

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        24 => Just(Operation::Insert),
        12 => any::<usize>().prop_map(Operation::Remove),
        2 => any::<usize>().prop_map(Operation::Detach),
        2 => any::<usize>().prop_map(Operation::Reattach),
        1 => any::<usize>().prop_map(Operation::Release),
        1 => Just(Operation::InsertWithPanic),
        1 => any::<usize>().prop_map(Operation::IndexOf),
        1 => any::<usize>().prop_map(Operation::HandleAt),
        1 => (2_u32..5).prop_map(Operation::Retain),
        1 => (0_usize..10).prop_map(Operation::Drain),
        1 => Just(Operation::Clear),
        1 => (0_usize..100).prop_map(Operation::Reserve),
        2 => Just(Operation::Shrink),
    ]
}

proptest! {
    #[test]
    fn a_snapshot_goes_on_alike(
        before in vec(operation(), 0..150),
        after in vec(operation(), 0..150),
        limit in prop_oneof![Just(None), (0_usize..80).prop_map(Some)],
    ) {
        let roster = limit.map_or_else(Roster::new, Roster::bounded);
        play(roster, &before, &after);
    }
}

#[test]
fn thousands_of_elements() {
    let mut roster: Roster<u32> = (0..5000).collect();
    let handles: Vec<_> = roster.handles().collect();
    assert_eq!(roster.order().index_of(handles[4999]), Some(4999));
    roster.retain(|_, n| *n % 3 == 0);
    let operations: Vec<_> = (0..3000)
        .map(|i: usize| if i % 2 == 0 { Operation::Insert } else { Operation::HandleAt(i * 31) })
        .collect();
    play(roster, &[], &operations);
}
