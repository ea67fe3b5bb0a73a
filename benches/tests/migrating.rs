//! The tables of `guide::migrating`, run side by side with the crates that they are about.
//!
//! `same_names` calls each function that has the same name there as here. The other tests are the rows.

#![allow(deprecated, reason = "users of `HopSlotMap` come from there")]

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use generational_arena as ga;
use slab::Slab;
use slotmap::{DefaultKey, DenseSlotMap, HopSlotMap, Key, KeyData, SlotMap};
use thunderdome as td;
use typed_pool::{Handle, Roster, SecondaryMap, SparseSecondaryMap};

/// It has no `reserve`.
trait Reserve {
    fn reserve(&mut self, additional: usize);
}

impl Reserve for td::Arena<u32> {
    fn reserve(&mut self, _: usize) {}
}

fn sorted<'a>(values: impl IntoIterator<Item = &'a u32>) -> Vec<u32> {
    let mut values: Vec<u32> = values.into_iter().copied().collect();
    values.sort_unstable();
    values
}

/// A game of 20,000 moves, in which both must agree about everything but the order.
macro_rules! same_names {
    ($Theirs:ty, $contains:ident, $remove:ident, $drained:expr, $knows_generations:literal) => {{
        let (mut theirs, mut ours) =
            (<$Theirs>::with_capacity(10), Roster::<u32>::with_capacity(10));
        assert!(theirs.capacity() >= 10 && ours.capacity() >= 10);
        let mut keys = Vec::new();
        let mut random = 1_u64;
        for n in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let pick = (random >> 33) as usize;
            match random >> 59 {
                0..=15 => keys.push((theirs.insert(n), ours.insert(n))),
                16 => {
                    let keep = |value: &mut u32| {
                        *value += 1;
                        !value.is_multiple_of(5)
                    };
                    theirs.retain(|_, value| keep(value));
                    ours.retain(|_, value| keep(value));
                }
                17 if n % 50 == 0 => {
                    theirs.clear();
                    ours.clear();
                }
                18 if n % 50 == 0 => {
                    let drained: Vec<u32> = theirs.drain().map($drained).collect();
                    let ours: Vec<u32> = ours.drain().map(|(_, n)| n).collect();
                    assert_eq!(sorted(&drained), sorted(&ours));
                }
                19 => theirs.iter_mut().for_each(|(_, value)| *value += 2),
                _ => {}
            }
            if random >> 59 == 19 {
                ours.iter_mut().for_each(|(_, value)| *value += 2);
            }
            if !$knows_generations {
                // A key that is used again would find another element.
                keys.retain(|&(_, handle)| ours.contains(handle));
            }
            if let Some(&(key, handle)) = keys.get(pick % keys.len().max(1)) {
                assert_eq!(theirs.get(key), ours.get(handle));
                assert_eq!(theirs.$contains(key), ours.contains(handle));
                match (theirs.get_mut(key), ours.get_mut(handle)) {
                    (Some(a), Some(b)) => {
                        *a += 1;
                        *b += 1;
                        assert_eq!(theirs[key], ours[handle]);
                    }
                    (None, None) if n % 64 == 0 => {
                        assert!(catch_unwind(AssertUnwindSafe(|| theirs[key])).is_err());
                        assert!(catch_unwind(AssertUnwindSafe(|| ours[handle])).is_err());
                    }
                    (None, None) => {}
                    _ => panic!("one has it"),
                }
                if random >> 59 > 20 {
                    assert_eq!(theirs.$remove(key), ours.remove(handle));
                }
            }
            assert_eq!((theirs.len(), theirs.is_empty()), (ours.len(), ours.is_empty()));
            if n % 64 == 0 {
                theirs.reserve(100);
                ours.reserve(100);
                assert_eq!(
                    sorted(theirs.iter().map(|(_, value)| value)),
                    sorted(ours.iter().map(|(_, value)| value))
                );
                assert!(theirs.iter().all(|(key, value)| theirs.get(key) == Some(value)));
            }
        }
    }};
}

#[test]
fn functions_of_the_same_name_do_the_same() {
    same_names!(SlotMap<DefaultKey, u32>, contains_key, remove, |(_, n)| n, true);
    same_names!(DenseSlotMap<DefaultKey, u32>, contains_key, remove, |(_, n)| n, true);
    same_names!(HopSlotMap<DefaultKey, u32>, contains_key, remove, |(_, n)| n, true);
    same_names!(Slab<u32>, contains, try_remove, |n| n, false);
    same_names!(td::Arena<u32>, contains, remove, |(_, n)| n, true);
    same_names!(ga::Arena<u32>, contains, remove, |(_, n)| n, true);
}

/// The lines to search and replace, in their order.
#[test]
fn a_file_of_slotmaps() {
    let mut theirs: SlotMap<DefaultKey, (DefaultKey, u32)> = SlotMap::new();
    let root = theirs.insert((DefaultKey::null(), 1));
    let leaf = theirs.insert_with_key(|key| (key, 2));
    let mut their_names: slotmap::SecondaryMap<DefaultKey, &str> = slotmap::SecondaryMap::new();
    their_names.insert(root, "root");

    struct Node(Handle<Node>, u32);
    let mut ours: Roster<Node> = Roster::new();
    let our_root = ours.insert(Node(Handle::DANGLING, 1));
    let our_leaf = ours.insert_with(|handle| Node(handle, 2));
    let mut our_names: SecondaryMap<Node, &str> = SecondaryMap::new();
    our_names.insert(our_root, "root");

    assert!(!theirs.contains_key(theirs[root].0) && !ours.contains(ours[our_root].0));
    assert!(theirs[leaf].0 == leaf && ours[our_leaf].0 == our_leaf);
    assert_eq!(theirs.keys().count(), ours.handles().count());
    assert!(theirs.values().map(|node| node.1).eq(ours.values().map(|node| node.1)));
    assert_eq!(their_names.get(root), our_names.get(our_root));
    let lengths = (SlotMap::<DefaultKey, u8>::with_key().len(), Roster::<u8>::new().len());
    assert_eq!(lengths, (0, 0));
    assert!(SlotMap::<DefaultKey, u8>::with_capacity_and_key(9).capacity() >= 9);
}

#[test]
fn numbers_of_keys() {
    let (mut theirs, mut ours) = (SlotMap::new(), Roster::new());
    let (key, handle) = (theirs.insert('a'), ours.insert('a'));
    assert_eq!(DefaultKey::from(KeyData::from_ffi(key.data().as_ffi())), key);
    assert_eq!(Handle::from_bits(handle.to_bits()), Some(handle));
    assert!(DefaultKey::null().is_null() && !key.is_null());
    assert!(Handle::<char>::DANGLING == Handle::DANGLING && handle != Handle::DANGLING);

    let mut theirs = td::Arena::new();
    let index = theirs.insert('a');
    assert_eq!(td::Index::from_bits(index.to_bits()), Some(index));
    assert_eq!(
        (index.slot(), handle.index(), index.generation(), handle.generation()),
        (0, 0, 1, 1)
    );
    let mut theirs = ga::Arena::new();
    let index = theirs.insert('a');
    let (slot, generation) = index.into_raw_parts();
    assert_eq!(ga::Index::from_raw_parts(slot, generation), index);
}

/// Their closure may fail; ours may not, and `try_` is about room.
#[test]
fn a_constructor_that_fails() {
    let mut theirs = SlotMap::<DefaultKey, u32>::new();
    assert_eq!(theirs.try_insert_with_key(|_| Err("no")), Err("no"));
    let mut ours = Roster::<u32>::new();
    let made = (|| {
        let entry = ours.vacant_entry();
        let handle = entry.handle();
        let value: u32 =
            Err("no").or_else(|error| if handle.index() == 9 { Ok(1) } else { Err(error) })?;
        entry.insert(value);
        Ok::<_, &str>(handle)
    })();
    assert_eq!((made, ours.len(), theirs.len()), (Err("no"), 0, 0));
}

/// generational-arena's `try_insert` never grows; ours grows, unless the roster is bounded.
#[test]
fn insertion_without_growth() {
    let mut theirs = ga::Arena::with_capacity(2);
    let mut ours = Roster::bounded(2);
    let mut grows = Roster::with_capacity(2);
    for n in 0..2 {
        assert!(theirs.try_insert(n).is_ok() && ours.try_insert(n).is_ok());
    }
    assert_eq!(theirs.try_insert(3), Err(3));
    assert_eq!(ours.try_insert(3).map_err(typed_pool::Exhausted::into_inner), Err(3));
    assert!(theirs.try_insert_with(|_| 3).is_err() && ours.try_insert_with(|_| 3).is_err());
    let room = grows.capacity() as i32;
    assert!((0..=room).all(|n| grows.try_insert(n).is_ok()) && grows.capacity() as i32 > room);
    let index = theirs.insert_with(|index| index.into_raw_parts().0 as i32);
    assert_eq!(theirs[index], index.into_raw_parts().0 as i32);
}

/// Two elements at once, one of them gone.
#[test]
fn two_at_once() {
    let (mut slotmap, mut slab) = (SlotMap::new(), Slab::new());
    let (mut td, mut ga, mut ours) = (td::Arena::new(), ga::Arena::new(), Roster::new());
    let keys = [1, 2].map(|n| slotmap.insert(n));
    let places = [1, 2].map(|n| slab.insert(n));
    let tds = [1, 2].map(|n| td.insert(n));
    let gas = [1, 2].map(|n| ga.insert(n));
    let handles = [1, 2].map(|n| ours.insert(n));
    assert!(slotmap.get_disjoint_mut(keys).is_some() && ours.get_disjoint_mut(handles).is_some());
    assert!(slab.get2_mut(places[0], places[1]).is_some() && slab.get_disjoint_mut(places).is_ok());
    slotmap.remove(keys[0]);
    slab.remove(places[0]);
    td.remove(tds[0]);
    ga.remove(gas[0]);
    ours.remove(handles[0]);
    assert!(slotmap.get_disjoint_mut(keys).is_none() && ours.get_disjoint_mut(handles).is_none());
    assert!(
        slab.get2_mut(places[0], places[1]).is_none() && slab.get_disjoint_mut(places).is_err()
    );
    // These give the other all the same.
    assert_eq!(td.get2_mut(tds[0], tds[1]), (None, Some(&mut 2)));
    assert_eq!(ga.get2_mut(gas[0], gas[1]), (None, Some(&mut 2)));
    assert_eq!((ours.get(handles[0]), ours.get(handles[1])), (None, Some(&2)));
    // The same one twice.
    assert!(
        catch_unwind(AssertUnwindSafe(|| slab.get2_mut(places[1], places[1]).is_some())).is_err()
    );
    assert!(catch_unwind(AssertUnwindSafe(|| td.get2_mut(tds[1], tds[1]).0.is_some())).is_err());
    assert!(catch_unwind(AssertUnwindSafe(|| ga.get2_mut(gas[1], gas[1]).0.is_some())).is_err());
    assert!(slotmap.get_disjoint_mut([keys[1]; 2]).is_none());
    assert!(ours.get_disjoint_mut([handles[1]; 2]).is_none());
}

#[test]
fn draining_and_into_iter() {
    let mut slab: Slab<u32> = Slab::new();
    let mut ours = Roster::from_iter([1, 2]);
    (1..=2).for_each(|n| assert!(slab.insert(n) < 2));
    assert!(slab.clone().into_iter().eq([(0, 1), (1, 2)]), "pairs");
    assert!(slab.drain().eq(ours.drain().map(|(_, n)| n)), "values, and pairs");
    let (ours, ga) = (Roster::from_iter([1, 2]), ga::Arena::from_iter([1, 2]));
    assert!(ga.into_iter().eq(ours.clone().into_values()), "values");
    assert!(ours.into_iter().map(|(_, n)| n).eq([1, 2]), "pairs");
    let mut slotmap: SlotMap<DefaultKey, u32> = SlotMap::new();
    let key = slotmap.insert(1);
    assert!(slotmap.into_iter().eq([(key, 1)]), "pairs");
    let mut td = td::Arena::new();
    let index = td.insert(1);
    assert!(td.into_iter().eq([(index, 1)]), "pairs");
}

#[test]
fn slab_and_its_keys() {
    let (mut theirs, mut ours) = (Slab::new(), Roster::new());
    let entry = theirs.vacant_entry();
    let key = entry.key();
    *entry.insert(1) += 1;
    let entry = ours.vacant_entry();
    let handle = entry.handle();
    *entry.insert(1) += 1;
    assert_eq!((theirs[key], ours[handle]), (2, 2));
    assert_eq!(theirs.vacant_key(), ours.vacant_entry().handle().index());
    assert_eq!(theirs.key_of(&theirs[key]), key);
    assert_eq!(ours.handle_of(&ours[handle]), Some(handle));
    assert!(catch_unwind(AssertUnwindSafe(|| theirs.key_of(&7))).is_err());
    assert_eq!(ours.handle_of(&7), None);
    assert_eq!((theirs.remove(key), ours.remove(handle)), (2, Some(2)));
    assert_eq!((theirs.try_remove(key), ours.remove(handle)), (None, None));
    assert!(catch_unwind(AssertUnwindSafe(|| theirs.remove(key))).is_err());
    // The lowest vacancy first here, the last there.
    let keys: Vec<_> = (0..3).map(|n| theirs.insert(n)).collect();
    let handles: Vec<_> = (0..3).map(|n| ours.insert(n)).collect();
    for n in 0..2 {
        assert_eq!(Some(theirs.remove(keys[n])), ours.remove(handles[n]));
    }
    assert_eq!((theirs.insert(9), ours.insert(9).index()), (1, 0));
    // A key that is used again finds the new element; a handle does not.
    assert_eq!((theirs.get(keys[1]), ours.get(handles[0])), (Some(&9), None));
    let pairs = Slab::from_iter([(5, 'a')]);
    assert_eq!(
        (pairs.get(5), Roster::from_iter(['a']).handles().next().unwrap().index()),
        (Some(&'a'), 0)
    );
}

#[test]
fn by_slot() {
    let (mut td, mut ga, mut ours) = (td::Arena::new(), ga::Arena::new(), Roster::new());
    let (index, unknown, handle) = (td.insert('a'), ga.insert('a'), ours.insert('a'));
    assert_eq!(td.contains_slot(0), Some(index));
    assert_eq!(td.get_by_slot(0), Some((index, &'a')));
    assert_eq!(ga.get_unknown_gen(0), Some((&'a', unknown)));
    assert_eq!(ours.handle_of_slot(0), Some(handle));
    assert_eq!(td.remove_by_slot(0), Some((index, 'a')));
    let removed = ours.handle_of_slot(0).and_then(|handle| Some((handle, ours.remove(handle)?)));
    assert_eq!(removed, Some((handle, 'a')));
    assert_eq!((td.contains_slot(0), ours.handle_of_slot(0)), (None, None));
    // Another key for an element.
    let (index, handle) = (td.insert('b'), ours.insert('b'));
    let newer = td.invalidate(index).unwrap();
    let value = ours.remove(handle).unwrap();
    let other = ours.insert(value);
    assert_eq!((td.get(index), td.get(newer)), (None, Some(&'b')));
    assert_eq!((ours.get(handle), ours.get(other)), (None, Some(&'b')));
}

#[test]
fn detaching() {
    let (mut theirs, mut ours) = (SlotMap::new(), Roster::new());
    let (key, handle) = (theirs.insert(1), ours.insert(1));
    assert_eq!((theirs.detach(key), ours.detach(handle)), (Some(1), Some(1)));
    assert_eq!((theirs.detach(key), ours.detach(handle)), (None, None));
    assert_eq!((theirs.len(), ours.len(), theirs.get(key), ours.get(handle)), (0, 0, None, None));
    theirs.reattach(key, 2);
    ours.reattach(handle, 2);
    assert_eq!((theirs[key], ours[handle]), (2, 2));
    assert!(catch_unwind(AssertUnwindSafe(|| theirs.reattach(key, 3))).is_err());
    assert!(catch_unwind(AssertUnwindSafe(|| ours.reattach(handle, 3))).is_err());
}

/// Both kinds, by functions of the same name.
macro_rules! secondary_maps {
    ($($name:ident, $Theirs:ty, $Ours:ty;)*) => {$(
        #[test]
        fn $name() {
            let (mut theirs, mut ours) = (<$Theirs>::new(), <$Ours>::new());
            let (mut slotmap, mut roster) = (SlotMap::<DefaultKey, ()>::new(), Roster::<()>::new());
            let mut keys = Vec::new();
            let mut random = 1_u64;
            for n in 0..5000_u32 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                if n < 3 || random >> 62 == 0 {
                    keys.push((slotmap.insert(()), roster.insert(())));
                }
                let (key, handle) = keys[(random >> 33) as usize % keys.len()];
                match random >> 59 & 7 {
                    // Each slot of one is a slot of the other only while they are filled alike.
                    0 => assert_eq!(slotmap.remove(key), roster.remove(handle)),
                    1 => assert_eq!(theirs.remove(key), ours.remove(handle)),
                    2 if slotmap.contains_key(key) => {
                        let theirs = theirs.entry(key).unwrap().or_insert(n);
                        assert_eq!(Some(theirs), ours.get_or_insert_with(handle, || n));
                    }
                    3 => {
                        // What belongs to the dead.
                        theirs.retain(|key, _| slotmap.contains_key(key));
                        ours.tidy(&roster);
                        assert_eq!(theirs.len(), ours.len());
                    }
                    _ if slotmap.contains_key(key) => {
                        // One of them may have had a stale one in this slot.
                        let before = (theirs.contains_key(key), ours.contains(handle));
                        assert_eq!(before.0, before.1);
                        assert_eq!(theirs.insert(key, n), ours.insert(handle, n));
                    }
                    _ => {}
                }
                if slotmap.contains_key(key) {
                    assert_eq!(theirs.get(key), ours.get(handle));
                    assert_eq!(theirs.get_mut(key), ours.get_mut(handle));
                }
            }
            theirs.retain(|key, _| slotmap.contains_key(key));
            ours.tidy(&roster);
            let live = |ours: &$Ours| ours.values().copied().collect::<BTreeSet<u32>>();
            assert_eq!(theirs.values().copied().collect::<BTreeSet<_>>(), live(&ours));
            assert_eq!((theirs.iter().count(), theirs.keys().count()), (ours.iter().count(), ours.handles().count()));
            // A newer element's value takes the place of a stale one, which is not inserted again.
            let (key, handle) = (slotmap.insert(()), roster.insert(()));
            theirs.insert(key, 1);
            ours.insert(handle, 1);
            slotmap.remove(key);
            roster.remove(handle);
            let (newer, newest) = (slotmap.insert(()), roster.insert(()));
            assert_eq!((theirs.insert(newer, 2), ours.insert(newest, 2)), (None, None));
            assert_eq!((theirs.insert(key, 3), ours.insert(handle, 3)), (None, None));
            assert_eq!((theirs.get(key), ours.get(handle)), (None, None));
            assert_eq!((theirs[newer], ours[newest]), (2, 2));
            assert!(theirs.entry(key).is_none() && ours.get_or_insert_with(handle, || 0).is_none());
            let count = theirs.len();
            assert_eq!((theirs.drain().count(), ours.drain().count()), (count, count));
        }
    )*};
}

secondary_maps! {
    secondary, slotmap::SecondaryMap<DefaultKey, u32>, SecondaryMap<(), u32>;
    sparse, slotmap::SparseSecondaryMap<DefaultKey, u32>, SparseSecondaryMap<(), u32>;
}
