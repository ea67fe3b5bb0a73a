//! Operations on a roster, against a model: random ones, and all short sequences.

use proptest::collection::vec;
use proptest::prelude::*;
use typed_pool::{Handle, Roster};

use crate::config::config;
use operations::{Operation, Wide, run};

#[path = "../../pool-core/src/roster/tests/operations.rs"]
pub(crate) mod operations;

/// More than a test reaches.
const USES: u32 = u32::MAX;

/// By way of both kinds of formats.
#[cfg(feature = "serde")]
fn restored<T: serde::Serialize + serde::de::DeserializeOwned>(
    roster: &Roster<T>,
) -> Option<Roster<T>> {
    let text = serde_json::to_string(roster).unwrap();
    let by_text: Roster<T> = serde_json::from_str(&text).unwrap();
    let bytes = postcard::to_allocvec(&by_text).unwrap();
    let by_bytes = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(serde_json::to_string(&by_bytes).unwrap(), text);
    Some(by_bytes)
}

#[cfg(not(feature = "serde"))]
fn restored<T>(_: &Roster<T>) -> Option<Roster<T>> {
    None
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    let (index, seed) = (any::<usize>, any::<u64>);
    prop_oneof![
        12 => seed().prop_map(Insert),
        2 => (1_usize..70, seed()).prop_map(|(count, seed)| InsertMany(count, seed)),
        2 => seed().prop_map(InsertWith),
        1 => Just(InsertWithPanic),
        2 => (seed(), any::<Option<bool>>()).prop_map(|(seed, end)| VacantEntry(seed, end)),
        10 => index().prop_map(Remove),
        2 => index().prop_map(RemoveIssued),
        3 => (index(), seed()).prop_map(|(of, to)| Change(of, to)),
        1 => [index(), index(), index()].prop_map(SwapThree),
        1 => (index(), index()).prop_map(|(a, b)| SwapLive(a, b)),
        3 => index().prop_map(Detach),
        2 => (index(), seed()).prop_map(|(of, to)| Reattach(of, to)),
        1 => index().prop_map(ReattachIssued),
        2 => index().prop_map(Release),
        1 => (1_usize..8).prop_map(Retain),
        1 => (1_usize..8, 0_usize..60).prop_map(|(by, until)| RetainWithPanic(by, until)),
        1 => Just(Drain(usize::MAX)),
        2 => (0_usize..80).prop_map(Drain),
        1 => (0_usize..80).prop_map(DrainSomeAndForget),
        1 => (1_usize..8, 0_usize..60).prop_map(|(by, count)| ExtractIf(by, count)),
        1 => Just(Clear),
        1 => (0_usize..300).prop_map(Reserve),
        2 => Just(ShrinkToFit),
        1 => (0_usize..3000).prop_map(ShrinkTo),
        1 => Just(Prefault),
        1 => any::<bool>().prop_map(Clone),
        1 => Just(Restore),
        2 => Just(Index),
    ]
}

/// Sizes about those of words of the bitmaps, and about powers of two.
fn limit() -> impl Strategy<Value = usize> {
    prop_oneof![Just(0), 1_usize..9, 62_usize..67, Just(100), 126_usize..130]
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn a_growing_roster_agrees_with_its_model(operations in vec(operation(), 1..120)) {
        run(Roster::<String>::new(), usize::MAX, 1, &operations);
    }

    #[test]
    fn a_roster_of_bytes_agrees_with_its_model(operations in vec(operation(), 1..120)) {
        run(Roster::<u8>::new(), usize::MAX, 1, &operations);
    }

    #[test]
    fn a_roster_of_nothings_agrees_with_its_model(operations in vec(operation(), 1..120)) {
        run(Roster::<()>::new(), usize::MAX, 1, &operations);
    }

    #[test]
    fn a_roster_of_wide_elements_agrees_with_its_model(operations in vec(operation(), 1..120)) {
        run(Roster::<Wide>::new(), usize::MAX, 1, &operations);
    }

    #[test]
    fn a_bounded_roster_agrees_with_its_model(
        limit in limit(),
        operations in vec(operation(), 1..120),
    ) {
        run(Roster::<[u64; 3]>::bounded(limit), limit, 1, &operations);
        run(Roster::<()>::bounded(limit), limit, 1, &operations);
    }

    #[test]
    fn a_roster_with_capacity_agrees_with_its_model(
        capacity in 0_usize..3000,
        operations in vec(operation(), 1..100),
    ) {
        run(Roster::<[u64; 3]>::with_capacity(capacity), usize::MAX, 1, &operations);
    }
}

proptest! {
    #![proptest_config(config(8))]

    /// Two levels of summaries over the bitmap of vacant slots, and more than one chunk.
    #[test]
    fn a_large_roster_agrees_with_its_model(
        count in 4000_usize..4200,
        operations in vec(operation(), 1..60),
    ) {
        let mut all = vec![Operation::InsertMany(count, 0)];
        all.extend(operations);
        run(Roster::<[u64; 3]>::new(), usize::MAX, 12, &all);
    }
}

/// Each sequence of up to `most` operations after the `first` ones, on three slots.
fn all_after(first: &[Operation], of: &[Operation], most: u32) {
    for length in 1..=most {
        for at in 0..of.len().pow(length) {
            let chosen = (0..length).map(|n| of[at / of.len().pow(n) % of.len()].clone());
            let operations: Vec<_> = first.iter().cloned().chain(chosen).collect();
            run(Roster::<String>::bounded(3), 3, usize::MAX, &operations);
        }
    }
}

/// Random programs miss what needs a few slots, used again in just one order.
#[test]
fn three_slots_agree_with_their_model_in_every_order() {
    use Operation::*;
    let three = [Insert(1), Insert(2), Insert(3)];
    let fewest = [Insert(4), Remove(0), Remove(1), Remove(2)];
    let all = [
        Insert(4),
        InsertWithPanic,
        VacantEntry(5, None),
        Remove(0),
        Remove(1),
        Remove(2),
        RemoveIssued(0),
        Detach(0),
        Detach(1),
        Reattach(0, 6),
        ReattachIssued(0),
        Release(0),
        RetainWithPanic(2, 1),
        DrainSomeAndForget(1),
        Clear,
        ShrinkToFit,
        Clone(true),
        Restore,
        Index,
    ];
    let less = u32::from(config(60).cases < 60);
    all_after(&[], &fewest, 5 - less);
    all_after(&three, &all, 3 - less);
}
