//! Secondary maps beside a rewind, where generations run backwards.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use typed_pool::secondary_map::HandleMap;
use typed_pool::{Handle, Mark, Rewind, Roster, SecondaryMap, SparseSecondaryMap};

/// A world that went back behind an element, whose value a map still has; and a new element in its slot.
fn behind_a_newer<const SPARSE: bool>()
-> (Rewind<&'static str>, HandleMap<&'static str, u32, SPARSE>, Handle<&'static str>) {
    let (mut world, mut map) = (Rewind::new(), HandleMap::new());
    let mark = world.mark();
    let a = world.insert("a");
    world.remove(a);
    let b = world.insert("b");
    assert_eq!(b.index(), a.index());
    map.insert(b, 2);
    world.rewind(mark).unwrap();
    let c = world.insert("c");
    assert!(c.index() == b.index() && c < b);
    (world, map, c)
}

#[test]
fn what_is_live_has_its_place_whatever_the_map_held() {
    fn check<const SPARSE: bool>() {
        let (world, mut map, c) = behind_a_newer::<SPARSE>();
        assert_eq!(map.insert_live(&world, c, 3), Ok(None));
        assert_eq!((map.len(), map.get(c)), (1, Some(&3)));
        assert_eq!(map.insert_live(&world, c, 4), Ok(Some(3)));

        let (world, mut map, c) = behind_a_newer::<SPARSE>();
        assert_eq!(map.get_or_insert_live_with(&world, c, || 3), Some(&mut 3));
        assert_eq!(map.get_or_insert_live_with(&world, c, || panic!("it has one")), Some(&mut 3));
        assert_eq!((map.len(), map[c]), (1, 3));

        // Going back with the map, or tidying it, does as well.
        let (world, mut map, c) = behind_a_newer::<SPARSE>();
        map.tidy(&world);
        assert_eq!((map.insert(c, 3), map.get(c)), (None, Some(&3)));
    }
    check::<false>();
    check::<true>();
}

/// An element with the handle of one that a rewind took back must not find its value.
#[test]
fn the_same_handle_for_another_element_begins_without_a_value() {
    let (mut world, mut map) = (Rewind::new(), SecondaryMap::new());
    let mark = world.mark();
    let a = world.insert("a");
    map.insert(a, 1);
    world.remove(a);
    // That it came and went is no change, and its value goes all the same.
    assert_eq!(world.changes(mark).undone().count(), 0);
    map.apply(world.changes(mark).undone());
    world.rewind(mark).unwrap();
    let b = world.insert("b");
    assert_eq!((b, map.get(b)), (a, None));
}

#[test]
fn a_stale_handle_neither_reads_nor_replaces() {
    let mut roster = Roster::new();
    let old = roster.insert(1);
    roster.remove(old);
    let new = roster.insert(2);
    let mut map = SecondaryMap::from_iter([(new, "new")]);
    assert_eq!(map.insert_live(&roster, old, "old"), Err("old"));
    assert_eq!(map.get_or_insert_live_with(&roster, old, || panic!("it is stale")), None);
    assert_eq!((map.insert(old, "old"), map.remove(old), map.get(old)), (None, None, None));
    assert_eq!(map.insert_live(&roster, Handle::DANGLING, "none"), Err("none"));
    assert_eq!(map[new], "new");
}

/// A state to which the program may go back.
struct Saved {
    mark: Mark,
    live: BTreeSet<Handle<u32>>,
}

/// Frames and rewinds in random order; after each, the maps have values of live elements only, and all of them that were inserted.
#[test]
fn maps_are_true_in_both_directions() {
    for seed in 0..if cfg!(miri) { 3 } else { 200 } {
        let mut random = Rng::with_seed(seed);
        let mut world: Rewind<u32> = (0..random.usize(..30) as u32).collect();
        let mut dense = SecondaryMap::<u32, u64>::new();
        let mut sparse = SparseSecondaryMap::<u32, u64>::new();
        let mut expected = BTreeMap::<Handle<u32>, u64>::new();
        let mut saved = Vec::<Saved>::new();
        for frame in 0..200 {
            if random.usize(..4) == 0 && !saved.is_empty() {
                let at = random.usize(..saved.len());
                let Saved { mark, live } = &saved[at];
                let is_told_before = random.usize(..2) == 0;
                if is_told_before {
                    dense.apply(world.changes(*mark).undone());
                    sparse.apply(world.changes(*mark).undone());
                }
                world.rewind(*mark).unwrap();
                if !is_told_before {
                    dense.tidy(&world);
                    sparse.tidy(&world);
                }
                expected.retain(|handle, _| live.contains(handle));
                saved.truncate(at + 1);
            } else {
                let mark = world.mark();
                saved.push(Saved { mark, live: world.handles().collect() });
                for _ in 0..random.usize(..20) {
                    change(&mut world, &mut random);
                    let handles: Vec<_> = world.handles().collect();
                    if let Some(&handle) = handles.get(random.usize(..handles.len() + 1)) {
                        let before = expected.insert(handle, frame);
                        assert_eq!(dense.insert_live(&world, handle, frame), Ok(before));
                        assert_eq!(sparse.insert_live(&world, handle, frame), Ok(before));
                    }
                }
                dense.apply(world.changes(mark));
                sparse.apply(world.changes(mark));
                expected.retain(|&handle, _| world.contains(handle));
            }
            if random.usize(..6) == 0 && !saved.is_empty() {
                saved.drain(..random.usize(..saved.len()));
                world.confirm(saved[0].mark);
            }
            assert!(dense.iter().eq(expected.iter().map(|(&handle, value)| (handle, value))));
            assert!(sparse.iter().eq(dense.iter()));
            assert_eq!((dense.len(), sparse.len()), (expected.len(), expected.len()));
        }
    }
}

fn change(world: &mut Rewind<u32>, random: &mut Rng) {
    let handles: Vec<_> = world.handles().collect();
    let handle = handles.get(random.usize(..handles.len().max(1))).copied();
    match (random.usize(..6), handle) {
        (0..=2, _) | (_, None) => _ = world.insert(7),
        (3 | 4, Some(handle)) => assert!(world.remove(handle)),
        (_, Some(handle)) => {
            let element = world.detach(handle).unwrap();
            match random.usize(..2) {
                0 => world.reattach(handle, element),
                _ => assert!(world.release(handle)),
            }
        }
    }
}
