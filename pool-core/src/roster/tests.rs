//! Tests of tables, and of worn slots, which no test outside this crate sees; here a slot has five uses.

use alloc::collections::BTreeSet;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::num::NonZeroU32;

use crate::base::config::Config;
use crate::base::handle::{Handle, LAST_GENERATION, generation_of, is_of_handle};
use crate::roster::word::{first_word, next_word};
use crate::roster::{Roster, Store};

mod model;

impl<T> Roster<T> {
    pub(crate) fn slot_state(&self, slot: u32) -> super::directory::restore::SlotState {
        self.directory.state(slot as usize)
    }
}

const USES: usize = LAST_GENERATION as usize;

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
        assert!(handles.len() <= USES, "{handle:?} does not wear out");
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

#[test]
fn the_last_word_of_a_slot_is_followed_by_none() {
    // Of the tag with all bits set, too, to which a carry would be lost.
    for tag in [0, 1, 0x7F, 0xFF] {
        let mut word = first_word(tag);
        for generation in 1..=LAST_GENERATION {
            let handles = NonZeroU32::new(word | 1).unwrap();
            assert!(is_of_handle(handles) && generation_of(word) == generation);
            assert_eq!(word >> 24, u32::from(tag));
            word = next_word(handles).unwrap_or(0);
        }
        assert_eq!(word, 0);
    }
}

#[test]
fn a_slot_is_used_so_many_times_and_never_again() {
    let mut roster = Roster::new();
    let handles = wear_out(&mut roster, 'a');
    assert!(handles.iter().all(|handle| handle.index() == 0));
    assert!(handles.iter().map(|handle| handle.generation()).eq(1..=LAST_GENERATION));
    assert_eq!(handles.iter().collect::<BTreeSet<_>>().len(), USES);

    for n in 0..10_000 {
        let handle = roster.insert('b');
        assert!(handle.index() > 0);
        if n % 3 == 0 {
            roster.remove(handle);
        }
    }
    assert!(handles.iter().all(|&stale| refuses(&mut roster, stale, 'c')));
    assert!(roster.iter().all(|(handle, &value)| handle.index() > 0 && value == 'b'));
}

#[test]
fn no_stale_handle_comes_true_however_a_slot_was_used() {
    let mut roster = Roster::bounded(3);
    let mut issued = BTreeSet::new();
    for round in 0.. {
        let Ok(handle) = roster.try_insert(round) else { break };
        assert!(issued.insert(handle), "{handle:?} was issued twice");
        match round % 5 {
            0 => assert_eq!(roster.remove(handle), Some(round)),
            1 => roster.clear(),
            2 => roster.retain(|other, _| other != handle),
            3 => assert!(roster.drain().any(|(drained, _)| drained == handle)),
            _ => {
                assert_eq!(roster.detach(handle), Some(round));
                roster.reattach(handle, round);
                assert_eq!(roster.remove(handle), Some(round));
            }
        }
        assert!(roster.is_empty());
        assert!(issued.iter().all(|&stale| !roster.contains(stale)));
    }
    assert_eq!(issued.len(), 3 * USES);
    assert!(issued.iter().all(|&stale| refuses(&mut roster, stale, 0)));
}

#[test]
fn a_constructor_that_gives_up_ages_the_slot() {
    extern crate std;
    use alloc::boxed::Box;
    use core::panic::AssertUnwindSafe;
    use std::panic::{catch_unwind, resume_unwind};

    let mut roster = Roster::<u8>::bounded(1);
    let mut seen = BTreeSet::new();
    for _ in 0..USES {
        let give_up = |handle| {
            assert!(seen.insert(handle));
            resume_unwind(Box::new("no"))
        };
        assert!(catch_unwind(AssertUnwindSafe(|| roster.insert_with(give_up))).is_err());
    }
    assert!(seen.iter().all(|&stale| refuses(&mut roster, stale, 0)));
    let exhausted = roster.try_insert_with(|_| unreachable!()).unwrap_err();
    let message = exhausted.to_string();
    assert!(
        message.ends_with("its only slot is retired (worn out by 5 uses each): call `renew()`")
    );
    assert!(roster.renew());
    assert!(!seen.contains(&roster.insert(1)) && !roster.renew());
}

#[test]
fn an_entry_that_is_only_looked_at_wears_nothing() {
    let mut roster = Roster::<u8>::bounded(1);
    let next = roster.vacant_entry().handle();
    for _ in 0..3 * USES {
        assert_eq!(roster.vacant_entry().handle(), next);
    }
    assert_eq!((roster.insert(1), next.generation()), (next, 1));
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
        assert_eq!(roster.tag() == Some(9), is_tagged);
    }
}

#[test]
fn a_worn_bounded_roster_says_why_it_is_exhausted() {
    let mut roster = Roster::bounded(2);
    wear_out(&mut roster, "a");
    let other = roster.insert("b");
    assert_eq!(other.index(), 1);

    let exhausted = roster.try_insert("c").unwrap_err();
    assert_eq!(exhausted.capacity(), 2);
    let message = exhausted.to_string();
    assert!(message.contains("all 2 slots") && message.contains("1 of them retired"), "{message}");
    assert_eq!(exhausted.into_inner(), "c");
    roster.remove(other);
    assert!(roster.try_insert("d").is_ok());
}

#[test]
fn growth_goes_on_past_retired_slots() {
    let mut roster = Roster::with_config(Config::new().chunk(2));
    for index in 0..40 {
        let worn = wear_out(&mut roster, index);
        assert!(worn.iter().all(|handle| handle.index() == index));
    }
    assert_eq!((roster.capacity(), roster.len()), (64, 0));
    let handles: Vec<_> = (0..200).map(|n| roster.insert(n)).collect();
    assert!(handles.iter().map(|handle| handle.index()).eq(40..240));
    assert!(roster.values().copied().eq(0..200));
}

#[test]
fn shrinking_keeps_generations() {
    let mut roster = Roster::with_config(Config::new().chunk(2));
    let mut issued = BTreeSet::new();
    for round in 1..=LAST_GENERATION {
        let handles: Vec<_> = (0..100).map(|n| roster.insert(n)).collect();
        assert!(handles.iter().all(|handle| handle.generation() == round));
        assert!(handles.iter().all(|&handle| issued.insert(handle)));
        roster.clear();
        roster.shrink_to_fit();
        assert_eq!((roster.capacity(), roster.stats().chunks), (0, 0));
        assert!(handles.iter().all(|&stale| refuses(&mut roster, stale, 0)));
    }
    let handles: Vec<_> = (0..100).map(|n| roster.insert(n)).collect();
    assert!(handles.iter().map(|handle| handle.index()).eq(100..200));
    assert!(issued.iter().all(|&stale| refuses(&mut roster, stale, 0)));
}

#[test]
fn a_bounded_roster_that_shrank_stays_as_worn() {
    let mut roster = Roster::bounded(65);
    for _ in 0..64 {
        wear_out(&mut roster, 'a');
    }
    roster.shrink_to_fit();
    assert_eq!(roster.capacity(), 0);
    let only = roster.insert('b');
    assert_eq!((only.index(), roster.capacity()), (64, 65));
    let message = roster.try_insert('c').unwrap_err().to_string();
    assert!(message.contains("64 of them retired"), "{message}");
}

#[test]
fn clear_and_drain_age_every_slot() {
    let mut roster = Roster::bounded(100);
    for round in 1..=LAST_GENERATION {
        roster.extend(0..100);
        assert!(roster.handles().all(|handle| handle.generation() == round));
        if round % 2 == 0 { roster.clear() } else { assert_eq!(roster.drain().count(), 100) }
    }
    let message = roster.try_insert(0).unwrap_err().to_string();
    assert!(message.contains("all 100 slots are retired"), "{message}");
    assert!(roster.try_reserve(1).unwrap_err().to_string().contains("100 of them retired"));
}

#[test]
fn what_is_detached_at_its_last_use_returns_once_more() {
    let mut roster = Roster::bounded(1);
    for _ in 1..LAST_GENERATION {
        let handle = roster.insert(0);
        roster.remove(handle);
    }
    let last = roster.insert(1);
    assert_eq!((last.generation(), roster.detach(last)), (LAST_GENERATION, Some(1)));
    assert!(!roster.try_insert(2).unwrap_err().to_string().contains("retired"));
    roster.shrink_to_fit();
    roster.reattach(last, 2);
    assert_eq!(roster.remove(last), Some(2));
    assert!(refuses(&mut roster, last, 3));
    assert!(roster.try_insert(3).unwrap_err().to_string().contains("its only slot is retired"));
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
    roster.reattach(detached, 'f');
    assert!(roster.values().eq(&['b', 'f']));
}

#[test]
fn nothing_is_found_in_a_roster_without_memory() {
    let mut roster = Roster::new();
    for tag in 0..=u8::MAX {
        assert!(forgeries(tag, 2).all(|forged| refuses(&mut roster, forged, 'a')));
    }
}

#[test]
fn reserved_room_does_not_count_on_retired_slots() {
    let mut roster = Roster::with_config(Config::new().chunk(2));
    for _ in 0..64 {
        wear_out(&mut roster, 0);
    }
    assert_eq!(roster.capacity(), 64);
    roster.shrink_to_fit();
    roster.reserve(100);
    let reserved = roster.capacity();
    roster.extend(0..100);
    assert_eq!(roster.capacity(), reserved);

    let mut bounded = Roster::bounded(10);
    for _ in 0..4 {
        wear_out(&mut bounded, 0);
    }
    for _ in 0..2 {
        for capacity in [bounded.capacity(), 10] {
            assert_eq!(bounded.capacity(), capacity);
            let message = bounded.try_reserve(7).unwrap_err().to_string();
            assert!(message.contains("4 of at most 10 are occupied"), "{message}");
            assert!(message.contains("bounded"), "{message}");
            assert!(bounded.try_reserve(6).is_ok());
        }
        // The worn slots go back to the heap, and are counted all the same.
        bounded.shrink_to_fit();
        assert_eq!(bounded.capacity(), 0);
    }
}

#[test]
fn a_clone_is_as_worn() {
    let mut roster = Roster::bounded(2);
    let worn = wear_out(&mut roster, 'a');
    let mut clone = roster.clone();
    assert_eq!(clone.insert('b').index(), 1);
    assert!(worn.iter().all(|&stale| refuses(&mut clone, stale, 'c')));
    assert!(clone.try_insert('d').unwrap_err().to_string().contains("1 of them retired"));
    assert!(roster.is_empty());
}

#[test]
fn a_limit_need_not_be_a_power_of_two() {
    for (first, limit) in [(0, 1), (1, 1), (1, 2), (1, 3), (1, 100), (2, 65), (64, 100), (200, 100)]
    {
        let mut roster = Roster::with_config(Config::new().chunk(first).max(limit));
        for round in 1..3 {
            let handles: Vec<_> = (0..limit).map(|n| roster.insert(n)).collect();
            let places: Vec<_> = roster.values().map(|value| &raw const *value).collect();
            assert_eq!(places.iter().collect::<BTreeSet<_>>().len(), limit);
            assert!(handles.iter().enumerate().all(|(n, &handle)| roster[handle] == n));
            assert!(handles.iter().all(|handle| handle.generation() == round));
            let message = roster.try_insert(0).unwrap_err().to_string();
            assert!(message.contains("`max`"), "{message}");
            assert_eq!((roster.capacity(), roster.clone().capacity()), (limit, limit));
            roster.clear();
            roster.shrink_to_fit();
            assert_eq!(roster.capacity(), 0);
        }
    }
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
fn a_slot_is_given_back_only_while_it_is_reserved() {
    let mut roster = Roster::with_config(Config::new().chunk(1));
    let reserved = roster.reserve_slot().unwrap();
    roster.reattach(reserved, 'a');
    roster.release(reserved);
    assert!(roster.iter().eq([(reserved, &'a')]));
    roster.remove(reserved);
    let next = roster.insert('b');
    roster.release(reserved);
    assert!(roster.iter().eq([(next, &'b')]));

    let mut other = Roster::from_iter("cd".chars());
    let handles: Vec<_> = other.handles().collect();
    other.release(reserved);
    assert!(other.handles().eq(handles) && other.values().eq(&['c', 'd']));
    Roster::new().release(reserved);
}

#[test]
#[should_panic(expected = "stale: this use of the slot is over")]
fn the_handles_of_a_retired_slot_are_called_stale() {
    let mut roster = Roster::new();
    let worn = wear_out(&mut roster, 'a');
    let _ = roster[worn[USES - 1]];
}

#[test]
#[should_panic(expected = "is of another roster: this one has tag ")]
fn the_handles_of_another_rosters_slot_are_not() {
    let mut roster = Roster::new();
    let worn = wear_out(&mut roster, 'a');
    // With another tag: tests of other threads take tags, too.
    let mut others = (0..100).map(|_| Roster::from_iter(['b']).handles().next().unwrap());
    let other = others.find(|other| other.tag() != worn[0].tag()).unwrap();
    assert_eq!(other.index(), worn[0].index());
    let _ = roster[other];
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

#[test]
fn a_roster_that_shrinks_gives_tables_back() {
    let mut roster: Roster<u8> = (0..200).cycle().take(10_000).collect();
    roster.order();
    let before = roster.directory.bytes();
    roster.retain(|handle, _| handle.index() < 10);
    roster.shrink_to_fit();
    // A generation for each slot that there ever was; of occupancy and order what is left.
    assert!(roster.directory.bytes() < before / 2, "{} of {before}", roster.directory.bytes());
}

#[test]
fn no_number_brings_a_retired_slot_back() {
    let mut roster = Roster::new();
    let mut last = roster.insert('a');
    while last.generation() < LAST_GENERATION {
        roster.remove(last);
        last = roster.insert('a');
    }
    roster.remove(last);
    assert_ne!(roster.insert('b').index(), last.index(), "retired");

    for word in 0..=u32::from(u8::MAX) {
        let bits = (last.index() as u64) << 32 | u64::from(word);
        for handle in [bits, bits | (u64::from(last.tag()) << 24)].map(Handle::from_bits) {
            let Some(handle) = handle else { continue };
            assert_eq!(roster.try_reattach(handle, 'c'), Err('c'), "{handle:?}");
        }
    }
}
