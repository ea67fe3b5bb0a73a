//! Secondary maps.

use std::fmt;
use std::mem;

use typed_pool::{Handle, Init, Roster, SecondaryMap, init, try_init};

use super::part::{Ledger, Part, element};
use super::schedule::{attempt, each_seed, interleave, panic_on_purpose, pause};

element!(LEDGER, Thing);

type Map = SecondaryMap<u64, Thing>;

fn any(handles: &[Handle<u64>]) -> Handle<u64> {
    handles[fastrand::usize(..handles.len())]
}

type Operation = fn(&mut Map, &[Handle<u64>]);

const OPERATIONS: &[Operation] = &[
    |map, handles| drop(map.insert(any(handles), Thing::new())),
    |map, handles| map.entry(any(handles)).unwrap().or_insert_with(Thing::new).check(),
    |map, handles| map.entry(any(handles)).unwrap().or_default().change(),
    |map, handles| map.entry(any(handles)).unwrap().or_insert(Thing::new()).check(),
    |map, handles| {
        let entry = map.entry(any(handles)).unwrap().and_modify(Thing::change);
        pause();
        entry.or_insert_with(Thing::new).check();
    },
    |map, handles| drop(map.remove(any(handles))),
    |map, _| {
        map.retain(|_, thing| {
            thing.change();
            fastrand::bool()
        });
    },
    |map, _| map.clear(),
    |map, handles| {
        map.extend(handles.iter().map(|&handle| {
            pause();
            (handle, Thing::new())
        }));
    },
    |map, handles| *map = handles.iter().map(|&handle| (handle, Thing::new())).collect(),
    |map, _| {
        for (_, thing) in map.drain().take(3) {
            pause();
            thing.check();
        }
    },
    |map, _| drop(map.drain()),
    |map, _| {
        for (_, thing) in map.iter_mut() {
            thing.change();
        }
    },
    |map, _| {
        let copy = map.clone();
        assert!(copy.is_empty() || copy != *map, "each has numbers of its own");
        *map = copy;
    },
    |map, _| assert!(!format!("{map:?}").is_empty()),
    |map, _| {
        for (_, thing) in mem::take(map) {
            pause();
            thing.check();
        }
    },
];

#[test]
fn suspended() {
    each_seed(|| {
        interleave(|| {
            let mut roster: Roster<u64> = (0..10).collect();
            let handles: Vec<_> = roster.handles().collect();
            let mut map = Map::new();
            for _ in 0..fastrand::usize(1..=6) {
                let operation = OPERATIONS[fastrand::usize(..OPERATIONS.len())];
                attempt(|| operation(&mut map, &handles));
                map.values().for_each(Thing::check);
                assert_eq!(map.iter().count(), map.len());
            }
            roster.clear();
        });
        LEDGER.check();
    });
}
