//! Tests of tables, and of worn slots, which no test outside this crate sees; here a slot has five uses.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::num::NonZeroU32;

use fastrand::Rng;

use crate::base::config::Config;
use crate::base::handle::{Handle, LAST_GENERATION, generation_of, is_of_handle};
use crate::roster::word::{first_word, next_word};
use crate::roster::{Roster, Store};
use operations::{Operation, run};

#[allow(
    dead_code,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    reason = "tests outside this crate have it, too"
)]
mod operations;

impl<T> Roster<T> {
    pub(crate) fn slot_state(&self, slot: u32) -> super::directory::restore::SlotState {
        self.directory.state(slot as usize)
    }
}

const USES: u32 = LAST_GENERATION;

/// Does not compile if a roster has a cell or an atomic, other than behind a pointer: loops of look-ups would be a third
/// slower.
const _: &Roster<u8> = &Roster::new();

/// Every handle of the lowest vacant slot, until it is worn out.
fn wear_out<T: Clone>(roster: &mut Roster<T>, value: T) -> Vec<Handle<T>> {
    let mut handles = Vec::new();
    loop {
        let handle = roster.insert(value.clone());
        handles.push(handle);
        roster.remove(handle);
        assert!(handles.len() <= USES as usize, "{handle:?} does not wear out");
        if handle.generation() == LAST_GENERATION {
            return handles;
        }
    }
}

/// Every handle that there can be to the first `slots` slots, except those with other rosters' tags.
fn forgeries<T>(tag: u8, slots: u32) -> impl Iterator<Item = Handle<T>> {
    (0..slots).flat_map(move |slot| {
        (0..LAST_GENERATION + 3).map(move |generation| {
            let word = (u32::from(tag) << 24) | (generation << 1) | 1;
            Handle::new(slot, NonZeroU32::new(word).unwrap())
        })
    })
}

fn refuses<T>(roster: &mut Roster<T>, handle: Handle<T>, value: T) -> bool {
    let is_detachable = roster.detach(handle).is_some();
    let is_removable = roster.remove(handle).is_some();
    !is_detachable
        && !is_removable
        && !roster.contains(handle)
        && roster.get(handle).is_none()
        && roster.get_mut(handle).is_none()
        && roster.order().index_of(handle).is_none()
        && roster.get_disjoint_mut([handle]).is_none()
        && !roster.release(handle)
        && roster.try_reattach(handle, value).is_err()
}

#[cfg(feature = "serde")]
fn restored<T: serde::Serialize + serde::de::DeserializeOwned>(
    roster: &Roster<T>,
) -> Option<Roster<T>> {
    let text = serde_json::to_string(roster).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}

#[cfg(not(feature = "serde"))]
fn restored<T>(_: &Roster<T>) -> Option<Roster<T>> {
    None
}

fn operation(random: &mut Rng) -> Operation {
    use Operation::*;
    let (at, seed) = (random.usize(..), random.u64(..));
    match random.u8(..53) {
        0..12 => Insert(seed),
        12..22 => Remove(at),
        // The lowest slot wears out soonest.
        22..30 => Remove(0),
        30 => InsertMany(random.usize(1..20), seed),
        31 => InsertWithPanic,
        32 => VacantEntry(seed, Some(false)),
        33 | 34 => Detach(at),
        35..38 => Reattach(at, seed),
        38 => ReattachIssued(at),
        39 | 40 => Release(at),
        41 => RemoveIssued(at),
        42 => Retain(1 + at % 7),
        43 => RetainWithPanic(1 + at % 7, seed as usize % 60),
        44 => DrainSomeAndForget(at % 80),
        45 => Drain(at),
        46 => Clear,
        47 => Reserve(at % 12),
        48 | 49 => ShrinkToFit,
        50 => Clone(seed % 2 == 0),
        51 => Restore,
        _ => Index,
    }
}

#[test]
fn a_roster_that_wears_out_agrees_with_its_model() {
    let mut retired = Vec::new();
    for seed in 0..150 {
        let random = &mut Rng::with_seed(seed);
        let limit = [usize::MAX, 1, 3, 6, 17, 70][random.usize(..6)];
        let first = [0, 1, 2, 64][random.usize(..4)];
        let config = Config::new().chunk(first);
        let config = if limit < usize::MAX { config.max(limit) } else { config };
        let operations: Vec<_> = (0..200).map(|_| operation(random)).collect();
        let worn = run(Roster::<u32>::with_config(config), limit, 4, &operations);
        retired.push((worn, worn == limit));
    }
    assert!(retired.iter().any(|&(worn, _)| worn >= 10), "{retired:?}");
    assert!(retired.iter().any(|&(_, is_spent)| is_spent), "{retired:?}");
}

#[test]
fn a_worn_roster_says_so() {
    // All of its slots, all but one, and that one in use for the last time.
    let mut roster = Roster::bounded(1);
    for _ in 1..USES {
        let handle = roster.insert(0);
        roster.remove(handle);
    }
    let last = roster.insert(1);
    assert_eq!(roster.detach(last), Some(1));
    assert!(!roster.try_insert(2).unwrap_err().to_string().contains("retired"));
    assert!(roster.release(last));
    let spent = "its only slot is retired (worn out by 5 uses each): call `renew()`";
    assert!(roster.try_insert(2).unwrap_err().to_string().ends_with(spent));

    let mut roster = Roster::with_config(Config::new().max(10));
    for n in 0..4 {
        wear_out(&mut roster, n);
    }
    let message = roster.try_reserve(7).unwrap_err().to_string();
    assert!(message.contains("4 of at most 10 are occupied"), "{message}");
    assert!(message.contains("4 of them retired") && message.contains("`max`"), "{message}");
    roster.extend(0..6);
    let message = roster.try_insert(7).unwrap_err().to_string();
    assert!(message.contains("all 10 slots") && message.contains("4 of them retired"), "{message}");
    roster.clear();
    while let Ok(handle) = roster.try_insert(0) {
        roster.remove(handle);
    }
    let message = roster.try_insert(0).unwrap_err().to_string();
    assert!(message.contains("all 10 slots are retired"), "{message}");
}

#[test]
fn the_last_word_of_a_slot_is_followed_by_none() {
    // Of the tag with all bits set, too, to which a carry would be lost.
    for tag in [0, 1, 0x7F, 0xFF] {
        let mut word = first_word(tag);
        for generation in 1..=LAST_GENERATION {
            let handles = NonZeroU32::new(word | 1).unwrap();
            assert!(is_of_handle(handles.get()) && generation_of(word) == generation);
            assert_eq!(word >> 24, u32::from(tag));
            word = next_word(handles).unwrap_or(0);
        }
        assert_eq!(word, 0);
    }
}

#[test]
fn an_empty_roster_is_made_fresh() {
    for is_tagged in [false, true] {
        let tag = is_tagged.then_some(9);
        let mut roster = Roster::<u8>::with_config(Config { tag, ..Config::new().chunk(4) });
        assert!(roster.renew(), "without memory");
        let worn: Vec<_> = (0..3).flat_map(|n| wear_out(&mut roster, n)).collect();
        let kept = roster.insert(3);
        assert_eq!((roster.stats().retired, roster.stats().capacity), (3, 4));
        assert!(roster.stats().to_string().contains("3 retired"));
        let _ = roster.detach(kept);
        assert!(!roster.renew(), "one is detached");
        roster.reattach(kept, 4);
        assert!(!roster.renew() && roster[kept] == 4);
        assert_eq!(roster.order().index_of(kept), Some(0));
        roster.extend(0..100);
        roster.clear();
        // Generations without memory are fresh as well.
        roster.shrink_to_fit();
        assert!(roster.renew());
        assert_eq!((roster.stats().retired, roster.stats().high_water), (0, 0));
        let fresh: Vec<_> = (0..100).map(|n| roster.insert(n)).collect();
        assert!(fresh.iter().map(|handle| handle.index()).eq(0..100));
        assert!(fresh.iter().all(|handle| handle.generation() == 1));
        assert_eq!(roster.order().index_of(fresh[99]), Some(99));
        assert_eq!(worn.iter().any(|&stale| roster.contains(stale)), is_tagged);
        assert!(!is_tagged || roster.tag() == Some(9));
    }
}

#[test]
fn nothing_is_found_for_a_forged_handle() {
    // A slot that is retired, one that is live, one that is detached, vacant ones, one that was
    // given back to the heap, and one that never was.
    let mut roster = Roster::with_config(Config::new().chunk(4));
    wear_out(&mut roster, 'a');
    let (live, detached, used) = (roster.insert('b'), roster.insert('c'), roster.insert('d'));
    let _ = roster.detach(detached);
    roster.remove(used);
    roster.reserve(4);
    roster.shrink_to_fit();
    assert_eq!(roster.capacity(), 4);

    for tag in 0..=u8::MAX {
        for forged in forgeries(tag, 10) {
            if forged != live && forged != detached {
                assert!(refuses(&mut roster, forged, 'e'), "{forged:?}");
            }
        }
    }
    assert!(roster.iter().eq([(live, &'b')]));
    let mut none = Roster::new();
    assert!(forgeries(live.tag(), 2).all(|forged| refuses(&mut none, forged, 'a')));
    roster.reattach(detached, 'f');
    assert!(roster.values().eq(&['b', 'f']));
}

#[test]
fn elements_stay_where_they_are_while_chunks_come_and_go() {
    let mut roster = Roster::with_config(Config::new().chunk(1).max(5000));
    let mut handles: Vec<_> = (0..5000_u32).map(|n| roster.insert(n)).collect();
    let places: Vec<_> = handles.iter().map(|&handle| &raw const roster[handle]).collect();
    assert_eq!(roster.capacity(), 5000);
    while let Some(handle) = handles.pop() {
        assert_eq!(roster.remove(handle), Some(handles.len() as u32));
        if handles.len().is_power_of_two() && handles.len() >= Store::<u32>::GRANULE {
            roster.shrink_to_fit();
            assert_eq!(roster.capacity(), handles.len());
            let found = handles.iter().map(|&handle| &raw const roster[handle]);
            assert!(found.eq(places.iter().copied().take(handles.len())));
        }
    }
}

#[test]
#[should_panic(expected = "stale: this use of the slot is over")]
fn the_handles_of_a_retired_slot_are_called_stale() {
    let mut roster = Roster::new();
    let worn = wear_out(&mut roster, 'a');
    let _ = roster[worn[USES as usize - 1]];
}

#[test]
fn slots_are_reserved_while_their_elements_are_away() {
    let mut roster = Roster::new();
    let counts = |roster: &Roster<u8>| {
        (roster.directory.reserved, roster.directory.has_exceptions(), roster.is_unused())
    };
    let handle = roster.insert_with(|_| 1);
    let other = roster.insert(2);
    assert_eq!(counts(&roster), (0, false, false));
    assert_eq!((roster.detach(handle), roster.detach(other)), (Some(1), Some(2)));
    assert_eq!(counts(&roster), (2, true, false));
    roster.reattach(handle, 3);
    assert_eq!(counts(&roster), (1, true, false));
    roster.reattach(other, 4);
    assert_eq!(counts(&roster), (0, false, false));
    roster.clear();
    assert_eq!(counts(&roster), (0, false, true));
}
