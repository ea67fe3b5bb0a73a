//! Operations on a secondary map, and a tree as its model.
//!
//! For tests, and for `fuzz/`.

use std::collections::BTreeMap;

use typed_pool::secondary_map::HandleMap;
use typed_pool::{Handle, Roster};

use super::from_both_ends;

#[derive(Clone, Debug)]
pub(crate) enum Operation {
    /// A new element in one of the two rosters.
    Birth(bool),
    /// Removes the element with this handle, counted modulo all handles so far.
    Death(usize),
    Insert(usize, u32),
    /// What is there is doubled.
    GetOrInsert(usize, u32),
    Remove(usize),
    RetainOdd,
    RetainLive,
    /// So many, from the front where a bit is 1, from the back where it is 0; the rest is dropped with the iterator.
    Drain(usize, u64),
    Clear,
    /// As it is to give memory back.
    Rebuild,
}

/// The handle with `times` the slot number, and so many more, as if the roster had that many more elements.
fn stretched(handle: Handle<u8>, (times, more): (u64, u64)) -> Handle<u8> {
    let (word, slot) = (handle.to_bits() as u32, handle.index() as u64);
    Handle::from_bits((slot * times + more) << 32 | u64::from(word)).unwrap()
}

fn shrunk(handle: Handle<u8>, (times, more): (u64, u64)) -> Handle<u8> {
    let (word, slot) = (handle.to_bits() as u32, handle.index() as u64);
    Handle::from_bits(((slot - more) / times) << 32 | u64::from(word)).unwrap()
}

/// With slots next to each other, or apart, so that some or all values lie in the list, or in a map that has only that.
pub(crate) fn run(operations: Vec<Operation>) {
    match operations.len() % 6 {
        0 => run_on::<false>(operations, (1, 0)),
        1 => run_on::<false>(operations, (200, 0)),
        2 => run_on::<false>(operations, (1000, 0)),
        3 => run_on::<false>(operations, (10_000_000, 0)),
        // Where few values are enough for the table to reach them, with several in a page.
        4 => run_on::<false>(operations, (1, 2560)),
        _ => run_on::<true>(operations, (7, 0)),
    }
}

fn run_on<const SPARSE: bool>(operations: Vec<Operation>, place: (u64, u64)) {
    let mut rosters = [Roster::<u8>::new(), Roster::new()];
    // Each handle, with the roster that it is from.
    let mut handles = vec![(0, stretched(rosters[0].insert(0), place))];
    let mut map = HandleMap::<u8, u32, SPARSE>::new();
    // By slot, as the map has it; a roster's handles to one slot are ordered by their age.
    let mut model = BTreeMap::<usize, (usize, Handle<u8>, u32)>::new();
    for operation in operations {
        match operation {
            Operation::Birth(other) => {
                let of = usize::from(other);
                handles.push((of, stretched(rosters[of].insert(0), place)));
            }
            Operation::Death(at) => {
                let (of, handle) = handles[at % handles.len()];
                rosters[of].remove(shrunk(handle, place));
            }
            Operation::Insert(at, value) => {
                let (of, handle) = handles[at % handles.len()];
                let expected = match model.get(&handle.index()) {
                    Some(&(from, newer, _)) if from == of && newer > handle => Err(value),
                    Some(&(_, same, before)) if same == handle => Ok(Some(before)),
                    _ => Ok(None),
                };
                assert_eq!(map.try_insert(handle, value), expected);
                if expected.is_ok() {
                    model.insert(handle.index(), (of, handle, value));
                }
            }
            Operation::GetOrInsert(at, value) => {
                let (of, handle) = handles[at % handles.len()];
                let found = map.get_or_insert_with(handle, || value);
                match model.get_mut(&handle.index()) {
                    Some(&mut (from, newer, _)) if from == of && newer > handle => {
                        assert_eq!(found, None);
                    }
                    Some((_, same, before)) if *same == handle => {
                        assert_eq!(found, Some(&mut *before));
                        *before = before.wrapping_mul(2);
                        found.into_iter().for_each(|found| *found = *before);
                    }
                    _ => {
                        assert_eq!(found.copied(), Some(value));
                        model.insert(handle.index(), (of, handle, value));
                    }
                }
            }
            Operation::Remove(at) => {
                let (_, handle) = handles[at % handles.len()];
                let is_there = model.get(&handle.index()).is_some_and(|of| of.1 == handle);
                let expected = is_there.then(|| model.remove(&handle.index()).unwrap().2);
                assert_eq!(map.remove(handle), expected);
            }
            Operation::RetainOdd => {
                map.retain(|_, value| {
                    *value /= 3;
                    *value % 2 == 1
                });
                model.retain(|_, (_, _, value)| {
                    *value /= 3;
                    *value % 2 == 1
                });
            }
            Operation::RetainLive => {
                let is_live = |of: &Roster<u8>, handle| of.contains(shrunk(handle, place));
                map.retain(|handle, _| rosters.iter().any(|roster| is_live(roster, handle)));
                model.retain(|_, &mut (of, handle, _)| is_live(&rosters[of], handle));
            }
            Operation::Drain(count, ends) => {
                let mut drain = map.drain();
                for n in 0..count {
                    let is_front = ends.rotate_right(n as u32) & 1 == 1;
                    let of = if is_front { model.pop_first() } else { model.pop_last() };
                    let taken = if is_front { drain.next() } else { drain.next_back() };
                    assert_eq!(taken, of.map(|(_, (_, handle, value))| (handle, value)));
                    assert_eq!(drain.len(), model.len());
                }
                drop(drain);
                model.clear();
            }
            Operation::Clear => {
                map.clear();
                model.clear();
            }
            Operation::Rebuild => map = map.drain().collect(),
        }
        assert_eq!(map.len(), model.len());
        assert_eq!(map.iter().len(), model.len());
        let expected = || model.values().map(|(_, handle, value)| (*handle, value));
        assert!(map.iter().eq(expected()));
        assert!(map.iter().rev().eq(expected().rev()));
        let ends = map.len() as u64 ^ 0xF0F0_3C5A_0001_FFFE;
        assert!(from_both_ends(map.iter(), ends).eq(expected()));
        for &(_, handle) in &handles {
            let of = model.get(&handle.index()).filter(|of| of.1 == handle);
            assert_eq!(map.get(handle), of.map(|of| &of.2));
        }
    }
    assert!(map.handles().eq(map.iter().map(|(handle, _)| handle)));
    assert!(map.values_mut().map(|value| *value).eq(model.values().map(|of| of.2)));
    let copy = map.clone();
    assert_eq!(&copy, &map);
    for ends in [0, 0xAAAA_AAAA_AAAA_AAAA, 0x0FF0_3333_5A5A_1EC7] {
        let of = || model.values();
        let pairs = from_both_ends(map.iter_mut(), ends);
        assert!(pairs.map(|(handle, value)| (handle, *value)).eq(of().map(|of| (of.1, of.2))));
        assert!(from_both_ends(map.handles(), ends).eq(of().map(|of| of.1)));
        assert!(from_both_ends(map.values(), ends).eq(of().map(|of| &of.2)));
        let values = from_both_ends(map.values_mut(), ends);
        assert!(values.map(|value| *value).eq(of().map(|of| of.2)));
        let all = from_both_ends(copy.clone().drain(), ends);
        assert!(all.eq(of().map(|of| (of.1, of.2))));
    }
    assert_eq!(map.drain().collect::<HandleMap<_, _, SPARSE>>(), copy);
}
