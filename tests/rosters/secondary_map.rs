//! Secondary maps: stale handles, handles of other rosters, panics, and a model.

use std::collections::BTreeMap;
use std::rc::Rc;

use proptest::collection::vec;
use proptest::prelude::*;
use typed_pool::{Handle, Roster, SecondaryMap, SparseSecondaryMap};

use crate::model::operations::from_both_ends;
use crate::panic_of;
use operations::{Operation, run};

mod operations;

/// Handles to the same slot, the oldest first. Only the last one is live.
fn generations(roster: &mut Roster<u8>, count: usize) -> Vec<Handle<u8>> {
    let mut handles = Vec::new();
    for _ in 0..count {
        if let Some(&last) = handles.last() {
            roster.remove(last);
        }
        handles.push(roster.insert(0));
    }
    assert!(handles.iter().all(|handle| handle.index() == handles[0].index()));
    handles
}

#[test]
fn a_newer_handle_takes_the_slot_and_an_older_one_does_not() {
    let mut map = SecondaryMap::new();
    let handles = generations(&mut Roster::new(), 3);
    let value = Rc::new(());
    assert!(map.insert(handles[1], value.clone()).is_none());
    assert_eq!(map.try_insert(handles[0], value.clone()), Err(value.clone()));
    assert!(map.insert(handles[0], value.clone()).is_none());
    assert_eq!((map.len(), Rc::strong_count(&value)), (1, 2), "the refused are dropped");
    assert!(map.contains(handles[1]) && !map.contains(handles[0]));

    assert!(map.insert(handles[2], value.clone()).is_none());
    assert_eq!((map.len(), Rc::strong_count(&value)), (1, 2), "so is what was replaced");
    assert!(map.contains(handles[2]) && !map.contains(handles[1]));
    assert!(map.remove(handles[1]).is_none());
    assert!(map.insert(handles[2], value.clone()).is_some());
    assert!(map.remove(handles[2]).is_some() && map.is_empty());
    assert_eq!(map.try_insert(handles[0], value), Ok(None), "the map has forgotten");
}

#[test]
fn a_value_is_made_where_there_is_none() {
    let mut map = SecondaryMap::new();
    let handles = generations(&mut Roster::new(), 3);
    map.insert(handles[1], 1);
    assert_eq!(map.get_or_insert_with(handles[1], || panic!("it has one")), Some(&mut 1));
    assert_eq!(map.get_or_insert_with(handles[0], || panic!("it is stale")), None);
    assert_eq!(map.get_or_insert_with(handles[2], || 5), Some(&mut 5));
    assert_eq!((map.remove(handles[2]), map.len()), (Some(5), 0));

    let panic = || map.get_or_insert_with(handles[2], || panic!("no value")).copied();
    assert_eq!(panic_of(panic), "no value");
    assert!(map.is_empty() && map.iter().next().is_none());
}

#[test]
fn messages_name_the_types() {
    let mut roster = Roster::new();
    let handles = generations(&mut roster, 2);
    let mut map = SecondaryMap::<u8, f32>::new();
    let message = |map: &SecondaryMap<u8, f32>, handle| panic_of(|| map[handle]);
    assert_eq!(
        message(&map, handles[0]),
        "no value in the secondary map of `f32`: the handle to a `u8` (slot 0, generation 1) has \
         none: it was never inserted, or has been removed; `get` returns an `Option`"
    );
    map.insert(handles[1], 1.0);
    assert!(
        message(&map, handles[0]).contains("generation 1) is stale: the slot has the value of")
    );
    map[handles[1]] += 1.0;
    assert_eq!(map[handles[1]], 2.0);
    roster.remove(handles[1]);
    for handle in [roster.insert(0), Roster::from_iter([0]).handles().next().unwrap()] {
        assert!(
            message(&map, handle).contains("has none: the slot has the value of another handle")
        );
    }
    assert!(panic_of(|| map[handles[0]] = 0.0).contains("is stale"));
}

#[test]
fn equal_maps_have_equal_values_for_the_same_handles() {
    let roster: Roster<u8> = (0..4).collect();
    let handles: Vec<_> = roster.handles().collect();
    let pairs = [(handles[1], 'a'), (handles[2], 'b')];
    let map = SecondaryMap::from_iter(pairs);
    assert_eq!(map, pairs.into_iter().rev().collect());
    for other in [&pairs[..1], &[pairs[0], (handles[2], 'c')], &[pairs[0], (handles[3], 'b')]] {
        assert_ne!(map, other.iter().copied().collect());
    }
}

#[test]
fn maps_are_shown() {
    let roster: Roster<u8> = (0..4).collect();
    let mut map: SecondaryMap<_, _> = roster.iter().map(|(handle, n)| (handle, *n)).collect();
    for (_, value) in map.iter_mut() {
        *value *= 2;
    }
    assert!(map.values().eq(&[0, 2, 4, 6]));
    let first = roster.handles().next().unwrap();
    let shown = format!("{map:?}");
    assert!(shown.starts_with(&format!("{{{first:?}: 0, ")), "{shown}");
}

/// Panics when it is dropped, if it is told to.
struct Bomb(bool);

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(!self.0, "boom");
    }
}

#[test]
fn a_destructor_that_panics_leaves_a_map_that_counts() {
    let mut roster = Roster::new();
    let handles: Vec<_> = (0..4).map(|_| roster.insert(0_u8)).collect();
    let full = || -> SecondaryMap<u8, Bomb> {
        handles.iter().map(|&handle| (handle, Bomb(handle == handles[1]))).collect()
    };
    let count = |map: &SecondaryMap<u8, Bomb>| (map.len(), map.iter().count());

    type Empty = fn(&mut SecondaryMap<u8, Bomb>);
    let emptied: [(Empty, usize); 3] =
        [(|map| map.retain(|_, _| false), 2), (|map| map.clear(), 0), (|map| drop(map.drain()), 0)];
    for (empty, left) in emptied {
        let mut map = full();
        assert_eq!(panic_of(|| empty(&mut map)), "boom");
        assert_eq!(count(&map), (left, left));
    }
    let mut map = full();
    roster.remove(handles[1]);
    let newer = roster.insert(0);
    assert_eq!(panic_of(|| map.insert(newer, Bomb(false))), "boom");
    assert_eq!((count(&map), map.contains(newer)), ((4, 4), true));
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        8 => any::<bool>().prop_map(Operation::Birth),
        4 => any::<usize>().prop_map(Operation::Death),
        16 => (any::<usize>(), any::<u32>()).prop_map(|(at, value)| Operation::Insert(at, value)),
        4 => (any::<usize>(), any::<u32>()).prop_map(|(at, value)| Operation::GetOrInsert(at, value)),
        4 => any::<usize>().prop_map(Operation::Remove),
        1 => Just(Operation::RetainOdd),
        1 => Just(Operation::RetainLive),
        2 => (0_usize..10, any::<u64>()).prop_map(|(count, ends)| Operation::Drain(count, ends)),
        1 => Just(Operation::Clear),
        1 => Just(Operation::Rebuild),
    ]
}

proptest! {
    #[test]
    fn agrees_with_a_tree(operations in vec(operation(), 0..200)) {
        run(operations);
    }
}

/// It names the highest slot: a map up to there would not fit into memory.
#[test]
fn the_dangling_handle_has_no_value() {
    let mut map = SecondaryMap::<u8, u64>::new();
    assert_eq!(map.try_insert(Handle::DANGLING, 1), Err(1));
    assert_eq!(map.insert(Handle::DANGLING, 1), None);
    assert_eq!(map.get_or_insert_with(Handle::DANGLING, || 1), None);
    assert_eq!((map.get(Handle::DANGLING), map.len()), (None, 0));
    map.extend([(Handle::DANGLING, 2)]);
    assert!(map.remove(Handle::DANGLING).is_none() && map.is_empty());
}

/// A handle to this slot, as one from outside may be.
fn from_outside(slot: u64) -> Handle<u8> {
    Handle::from_bits(slot << 32 | 1 << 1 | 1).unwrap()
}

#[test]
fn values_of_any_slot_are_found() {
    let mut map = SecondaryMap::new();
    for slot in [0xffff_fff0, 0xffff_fffe, 1 << 20, 0x8000_0000] {
        assert_eq!(map.try_insert(from_outside(slot), slot), Ok(None));
    }
    assert_eq!(map.try_insert(from_outside(0xffff_ffff), 1), Err(1), "no roster has it");
    *map.get_or_insert_with(from_outside(1 << 31), || 0).unwrap() += 1;
    assert!(map.values().eq(&[1 << 20, (1 << 31) + 1, 0xffff_fff0, 0xffff_fffe]));
    // With more values, the table reaches further.
    for slot in (0..1 << 14).rev() {
        map.insert(from_outside(slot), slot);
    }
    assert_eq!((map.len(), map[from_outside(1 << 20)]), ((1 << 14) + 4, 1 << 20));
    map.retain(|_, value| *value >= 1 << 20);
    map = map.drain().collect();
    assert!(map.values().eq(&[1 << 20, (1 << 31) + 1, 0xffff_fff0, 0xffff_fffe]));
}

#[test]
fn what_is_dead_is_tidied_away() {
    let mut roster = Roster::from_iter(0..100_u8);
    let mut dense: SecondaryMap<_, _> = roster.iter().map(|(handle, n)| (handle, *n)).collect();
    let mut sparse: SparseSecondaryMap<_, _> = dense.clone().drain().collect();
    roster.retain(|_, n| *n % 3 == 0);
    roster.insert(200);
    dense.tidy(&roster);
    sparse.tidy(&roster);
    assert!(dense.values().copied().eq((0..100).filter(|n| n % 3 == 0)));
    assert!(sparse.iter().eq(dense.iter()));
}

/// So large that few are in a piece of the list.
type Large = [u64; 64];

#[test]
fn a_list_of_many_pieces() {
    let mut map = SparseSecondaryMap::<u8, Large>::new();
    let (mut model, mut random) = (BTreeMap::new(), 1_u64);
    for round in 0..6000 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let slot = (random >> 33) % 500 * 1000;
        // It grows, is about as full for a while, and shrinks.
        if random >> 60 < 16 - round / 400 {
            let before = map.insert(from_outside(slot), [round; 64]);
            assert_eq!(before, model.insert(slot, [round; 64]));
        } else {
            assert_eq!(map.remove(from_outside(slot)), model.remove(&slot));
        }
        if round % 500 == 0 {
            let is_kept = |value: &Large| value[0] % 7 != 0;
            map.retain(|_, value| is_kept(value));
            model.retain(|_, value| is_kept(value));
        }
        assert_eq!(map.len(), model.len());
        if round % 50 == 0 {
            assert!(map.values().eq(model.values()) && map.values().rev().eq(model.values().rev()));
        }
    }
    let mut drain = map.drain();
    while let Some((slot, value)) = model.pop_first() {
        assert_eq!(drain.next(), Some((from_outside(slot), value)));
        let last = model.pop_last().map(|(slot, value)| (from_outside(slot), value));
        assert_eq!(drain.next_back(), last);
    }
}

/// However far it lies, and the map is no longer for that.
#[test]
fn a_loop_goes_over_a_map() {
    let roster: Roster<u8> = (0..9).collect();
    let mut map: SecondaryMap<_, _> = roster.iter().map(|(handle, n)| (handle, *n)).collect();
    for (handle, value) in &mut map {
        *value += handle.index() as u8;
    }
    for (handle, value) in &map {
        assert_eq!(usize::from(*value), 2 * handle.index());
    }
    let mut values = Vec::new();
    for (_, value) in map {
        values.push(value);
    }
    assert!(values.into_iter().eq((0..18).step_by(2)));
}

/// The value that pays for a page whose other values lie in the list.
#[test]
fn the_table_takes_over_from_the_list_without_a_loss() {
    let roster: Roster<u8> = (0..3000).map(|n| n as u8).collect();
    let handles: Vec<_> = roster.handles().collect();
    for start in (0..2900).step_by(7) {
        let mut map = SecondaryMap::new();
        for (at, &handle) in handles[start..].iter().take(80).enumerate() {
            map.insert(handle, at);
            assert_eq!((map.len(), map.iter().count()), (at + 1, at + 1), "from {start} on");
        }
        assert!(map.values().copied().eq(0..map.len()), "from {start} on");
    }
}

#[test]
fn the_only_value_is_found() {
    let is_found = |map: &SecondaryMap<u8, Large>| {
        map.iter().next().map(|(handle, _)| handle) == Some(from_outside(200_000))
            && map.iter().next_back().map(|(_, value)| value[0]) == Some(7)
    };
    let mut map = SecondaryMap::new();
    map.insert(from_outside(200_000), [7; 64]);
    assert!(is_found(&map));
    // One by one, which leaves the pages.
    let mut map = SecondaryMap::new();
    for slot in (0..=200_000).step_by(10) {
        map.insert(from_outside(slot), [7; 64]);
    }
    for slot in (0..200_000).step_by(10) {
        map.remove(from_outside(slot));
    }
    assert!(is_found(&map));
}

#[test]
fn what_finds_nothing_is_told() {
    let map: SecondaryMap<u8, u64> = SecondaryMap::new();
    let message = panic_of(|| map[Handle::DANGLING]);
    assert!(message.ends_with("is `Handle::DANGLING`; `get` returns an `Option`"), "{message}");
}
