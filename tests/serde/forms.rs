//! The written forms, to the letter.

use std::collections::BTreeMap;

use serde_json::{json, to_value};
use typed_pool::{Handle, Roster, SecondaryMap, SparseSecondaryMap};

use super::walk::{from_json, there_and_back, to_json, walk};

/// A handle by its parts.
fn handle<T>(index: u32, generation: u32, tag: u8) -> Handle<T> {
    let word = u32::from(tag) << 24 | generation << 1 | 1;
    Handle::from_bits(u64::from(index) << 32 | u64::from(word)).unwrap()
}

#[test]
fn handles() {
    let seventeen = handle::<u8>(17, 3, 5);
    assert_eq!(to_value(seventeen).unwrap(), json!("17:3:5"));
    let by_handle = BTreeMap::from([(seventeen, 1)]);
    assert_eq!(to_value(&by_handle).unwrap(), json!({"17:3:5": 1}));
    assert_eq!(serde_json::from_value(json!({"17:3:5": 1})).ok(), Some(by_handle));

    let bytes = postcard::to_allocvec(&seventeen).unwrap();
    assert_eq!(bytes, postcard::to_allocvec(&seventeen.to_bits()).unwrap());
    assert_eq!(postcard::from_bytes(&bytes), Ok(seventeen));

    for extreme in [handle::<u8>(0, 1, 0), handle(u32::MAX, 8_388_607, 255)] {
        let json = serde_json::to_string(&extreme).unwrap();
        assert_eq!(serde_json::from_str::<Handle<u8>>(&json).unwrap(), extreme);
        let bytes = postcard::to_allocvec(&extreme).unwrap();
        assert_eq!(postcard::from_bytes(&bytes), Ok(extreme));
    }
    assert_eq!(serde_json::from_str::<Option<Handle<fn(u8)>>>("null").unwrap(), None);
}

impl Monsters {
    fn tag(&self) -> u8 {
        self.orc.tag()
    }
}

/// A roster with a slot in each state.
struct Monsters {
    roster: Roster<String>,
    orc: Handle<String>,
    absent: Handle<String>,
}

fn monsters() -> Monsters {
    let mut roster = Roster::bounded(100);
    let [first, absent, goblin, orc] =
        ["first", "absent", "goblin", "orc"].map(|name| roster.insert(name.to_owned()));
    assert_eq!(roster.order().index_of(orc), Some(3));
    let _ = roster.detach(absent);
    roster.remove(first);
    roster.remove(goblin);
    let troll = roster.insert("troll".to_owned());
    assert_eq!(troll.index(), 0);
    Monsters { roster, orc, absent }
}

#[test]
fn rosters() {
    let monsters = monsters();
    // In the dense order; then the slot whose element is detached, and the vacant one.
    let (elements, others) = ([(3, 1, "orc"), (0, 2, "troll")], [(1, 1, true), (2, 2, false)]);
    let written = json!([monsters.tag(), 100, true, elements, others]);
    assert_eq!(to_json(&monsters.roster), written);
    for mut roster in there_and_back(&monsters.roster) {
        assert_eq!(roster[monsters.orc], "orc");
        assert_eq!(roster.order().index_of(monsters.orc), Some(0));
        assert_eq!(roster.try_reattach(monsters.absent, "back".to_owned()), Ok(()));
        assert_eq!(roster.stats().high_water, 4);
        assert_eq!(roster.stats().limit, Some(100));
        walk(roster, || "new".to_owned());
    }
}

#[test]
fn empty_rosters() {
    let nothing = json!([null, null, false, [], []]);
    assert_eq!(to_json(&Roster::<u8>::new()), nothing);
    assert_eq!(to_json(&from_json::<u8>(nothing).unwrap()), to_json(&Roster::<u8>::new()));

    // With memory, and so with a tag, which has to stay the same.
    let mut roster = Roster::<u8>::with_capacity(1000);
    let mut copies = there_and_back(&roster);
    let handles = copies.each_mut().map(|copy| copy.insert(0));
    assert_eq!(handles, [roster.insert(0); 2]);
}

#[test]
fn limits_hold_and_are_grown_up_to() {
    let limited = |limit: u32| from_json::<u8>(json!([1, limit, false, [[0, 1, 9]], []])).unwrap();
    assert_eq!(limited(u32::MAX).stats().limit, None, "as of all rosters");
    let mut roster = limited(3000);
    assert!(roster.capacity() < 3000, "no more than needed");
    roster.extend(1..=255);
    (255..2999).for_each(|_| {
        roster.insert(0);
    });
    assert_eq!(to_json(&roster)[1], 3000);
    let error = roster.try_insert(0).unwrap_err().to_string();
    assert!(error.contains("all 3000"), "{error}");
    assert!(error.contains("raise the limit that was saved with it"), "{error}");
}

#[test]
fn retired_slots_stay_so() {
    let last = 8_388_607;
    let saved = json!([0, null, false, [[1, last, "a"]], [[0, 0, false]]]);
    let mut roster: Roster<char> = from_json(saved).unwrap();
    let aged = roster.handles().next().unwrap();
    assert_eq!((aged.index(), aged.generation()), (1, last));
    let mut full = to_json(&roster);
    full[1] = json!(2);
    let error = from_json::<char>(full).unwrap().try_insert('b').unwrap_err().to_string();
    assert!(error.contains("all 2 slots are occupied, 1 of them retired"), "{error}");
    assert_eq!(roster.remove(aged), Some('a'));
    assert_eq!(to_json(&roster)[4], json!([[0, 0, false], [1, 0, false]]));
    for mut roster in there_and_back(&roster) {
        assert_eq!(roster.insert('b').index(), 2);
        assert!(!roster.contains(aged));
    }
}

#[test]
fn elements_with_handles() {
    let nothings: Roster<()> = (0..100).map(|_| ()).collect();
    let nested: Roster<Option<Vec<Handle<()>>>> =
        [None, Some(nothings.handles().collect())].into_iter().collect();
    for copy in there_and_back(&nested) {
        walk(copy, || None);
    }
}

#[test]
fn secondary_maps() {
    let mut map = SecondaryMap::from_iter([(handle::<u8>(1, 1, 5), "a".to_owned())]);
    map.insert(handle(3, 2, 9), "b".to_owned());
    map.insert(handle(7, 1, 5), "c".to_owned());
    map.remove(handle(7, 1, 5));
    let json = to_value(&map).unwrap();
    assert_eq!(json, json!([["1:1:5", "a"], ["3:2:9", "b"]]));
    let by_json: SecondaryMap<u8, String> = serde_json::from_value(json).unwrap();
    let bytes = postcard::to_allocvec(&map).unwrap();
    let by_bytes: SecondaryMap<u8, String> = postcard::from_bytes(&bytes).unwrap();
    let mut sparse: SparseSecondaryMap<u8, String> = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(postcard::to_allocvec(&sparse).unwrap(), bytes);
    for copy in [by_json, by_bytes, sparse.drain().collect()] {
        assert_eq!((copy.len(), &copy), (2, &map));
    }
    let empty = SecondaryMap::<u8, u8>::new();
    assert_eq!(to_value(&empty).unwrap(), json!([]));
}
