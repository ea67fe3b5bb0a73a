//! Handles that have no element: stale ones, those of other rosters, and forged ones.

use std::any::Any;
use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use proptest::collection::vec;
use proptest::prelude::*;
use typed_pool::{Handle, Roster};

use crate::panic_of;

/// Two rosters of different tags, each with these elements. (Tests of other threads take tags, too.)
fn two_rosters<T: Clone>(elements: &[T]) -> [Roster<T>; 2] {
    let ours: Roster<T> = elements.iter().cloned().collect();
    let mut others = std::iter::repeat_with(|| elements.iter().cloned().collect()).take(100);
    let theirs = others.find(|theirs| tag(theirs) != tag(&ours));
    [ours, theirs.expect("another tag")]
}

fn tag<T>(roster: &Roster<T>) -> u8 {
    roster.handles().next().expect("an element").tag()
}

/// Whether nothing that a handle is good for can be had for it, and nothing changes.
fn refuses<T: Clone + PartialEq>(roster: &mut Roster<T>, handle: Handle<T>, value: T) -> bool {
    let before: Vec<_> = roster.iter().map(|(handle, value)| (handle, value.clone())).collect();
    let is_refused = !roster.contains(handle)
        && roster.get(handle).is_none()
        && roster.get_mut(handle).is_none()
        && roster.order().index_of(handle).is_none()
        && roster.get_disjoint_mut([handle]).is_none()
        && roster.detach(handle).is_none()
        && roster.remove(handle).is_none()
        && !roster.release(handle)
        && roster.try_reattach(handle, value.clone()).is_err_and(|refused| refused == value);
    is_refused && roster.iter().eq(before.iter().map(|(handle, value)| (*handle, value)))
}

fn message_of<T>(roster: &mut Roster<T>, handle: Handle<T>) -> String {
    let read = panic_of(|| _ = &roster[handle]);
    assert_eq!(read, panic_of(|| _ = &mut roster[handle]));
    read
}

#[test]
fn a_handle_has_eight_bytes_with_or_without_option() {
    assert_eq!((size_of::<Handle<String>>(), size_of::<Option<Handle<String>>>()), (8, 8));
    assert_eq!((size_of::<Handle<()>>(), size_of::<Option<Handle<[u64; 99]>>>()), (8, 8));
}

#[test]
fn a_handle_is_a_number_for_any_element() {
    use std::panic::{RefUnwindSafe, UnwindSafe};

    fn is_number<
        H: Copy + Ord + std::hash::Hash + Send + Sync + Unpin + UnwindSafe + RefUnwindSafe,
    >() {
    }
    is_number::<Handle<*const u8>>();
    is_number::<Handle<std::cell::Cell<u8>>>();
    is_number::<Handle<Rc<f32>>>();
    is_number::<Handle<&mut dyn Any>>();
    is_number::<Handle<std::marker::PhantomPinned>>();
}

#[test]
fn handles_are_ordered_by_slot_and_then_by_use() {
    let mut roster = Roster::new();
    let first: Vec<_> = (0..100).map(|n| roster.insert(n)).collect();
    roster.clear();
    let second: Vec<_> = (0..100).map(|n| roster.insert(n)).collect();
    let mut all: Vec<_> = second.iter().chain(&first).copied().collect();
    all.sort();
    let expected = first.iter().zip(&second).flat_map(|(&first, &second)| [first, second]);
    assert!(all.iter().copied().eq(expected));
    assert!(first[1] > second[0] && first[1] < second[1]);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 200);
    let state = RandomState::new();
    assert_eq!(all.iter().map(|handle| state.hash_one(handle)).collect::<HashSet<_>>().len(), 200);
    for handle in all {
        assert_eq!(Handle::from_bits(handle.to_bits()), Some(handle));
        assert_eq!((handle.to_bits() >> 32) as usize, handle.index());
        let shown = format!("{handle:?}");
        let [index, generation] = [handle.index(), handle.generation() as usize];
        assert!(shown.contains(&format!("index: {index}, generation: {generation},")), "{shown}");
    }
}

#[test]
fn a_number_without_bit_0_or_generation_is_no_handle() {
    for bits in [0, 1, u64::from(u32::MAX) << 32, 2, !1, 7 << 32 | 1, 0xFF00_0001] {
        assert_eq!(Handle::<u8>::from_bits(bits), None);
    }
}

/// As they pass through JavaScript, say.
#[test]
fn a_double_keeps_a_handle_or_loses_it_and_makes_no_other() {
    let in_a_double = |bits: u64| Handle::<u8>::from_bits(bits as f64 as u64);
    for (generation, tag) in [(1, 0), (1, 7), (8_388_607, 0), (4_000_001, 129), (8_388_607, 255)] {
        let number = |slot: u64| slot << 32 | tag << 24 | generation << 1 | 1;
        for slot in [0, 1, 2, 3, 1000, 65_537, 2_097_150, 2_097_151] {
            let handle = Handle::from_bits(number(slot));
            assert!(handle.is_some_and(|handle| handle.index() as u64 == slot));
            assert_eq!(in_a_double(number(slot)), handle);
        }
        for slot in [2_097_152, 2_097_153, 4_194_303, 3_000_000_001, u64::from(u32::MAX) - 1] {
            assert!(Handle::<u8>::from_bits(number(slot)).is_some());
            assert_eq!(in_a_double(number(slot)), None);
        }
    }
    assert_eq!(in_a_double(Handle::<u8>::DANGLING.to_bits()), Some(Handle::DANGLING));
}

#[test]
fn the_handles_of_another_roster_are_refused() {
    let [mut ours, mut theirs] = two_rosters(&[1, 2, 3]);
    // So that ours is detached where theirs is live, and the other way about.
    let foreign: Vec<_> = theirs.handles().collect();
    let own: Vec<_> = ours.handles().collect();
    let _ = ours.detach(own[0]);
    let _ = theirs.detach(foreign[1]);
    for (&own, &foreign) in own.iter().zip(&foreign) {
        assert_eq!((own.index(), own.generation()), (foreign.index(), foreign.generation()));
        assert_ne!(own, foreign);
        assert!(refuses(&mut ours, foreign, 7));
        assert!(refuses(&mut theirs, own, 7));
        for (roster, handle) in [(&mut ours, foreign), (&mut theirs, own)] {
            let message = message_of(roster, handle);
            let [own, other] = [tag(roster), handle.tag()];
            let [own, other] =
                [format!("of another roster: this one has tag {own},"), format!("tag {other})")];
            assert!(message.contains(&own) && message.contains(&other), "{message}");
        }
    }
    assert!(ours.get_disjoint_mut([own[1], foreign[2]]).is_none());
    assert!(ours.get_disjoint_mut([foreign[2], own[1]]).is_none());
    assert!(ours.get_disjoint_mut([own[1], own[2], own[1]]).is_none());
    assert!(ours.get_disjoint_mut([]).is_some());
    assert_eq!((ours[own[1]], ours[own[2]]), (2, 3));
    ours.reattach(own[0], 4);
    assert!(ours.values().eq(&[4, 2, 3]));
}

#[test]
fn a_roster_without_memory_has_no_handles() {
    let mut full = Roster::from_iter(["a"]);
    let handle = full.handles().next().unwrap();
    for mut roster in [Roster::new(), Roster::bounded(0), Roster::with_capacity(0)] {
        assert!(refuses(&mut roster, handle, "b"));
        let message = message_of(&mut roster, handle);
        assert!(message.contains("of another roster: this one has given out none"), "{message}");
    }
    full.clear();
    full.shrink_to_fit();
    assert_eq!(full.capacity(), 0);
    assert!(refuses(&mut full, handle, "b"));
    let message = message_of(&mut full, handle);
    assert!(message.contains("stale"), "{message}");
}

#[test]
fn a_missing_element_is_a_panic_that_says_what_the_handle_is() {
    let mut roster = Roster::new();
    let [stale, live, detached] = ["a", "b", "c"].map(|name| roster.insert(name.to_owned()));
    roster.remove(stale);
    let _ = roster.detach(detached);
    let never = Handle::from_bits(live.to_bits() + (500 << 32)).unwrap();
    let future = Handle::from_bits(live.to_bits() + 2).unwrap();
    let vacant = Handle::from_bits(stale.to_bits() + 2).unwrap();
    for (handle, reason) in [
        (stale, "is stale: this use of the slot is over"),
        (detached, "is detached, or its element is being made"),
        (never, "is one that this roster has not given out"),
        (future, "is one that this roster has not given out"),
        (vacant, "is one that this roster has not given out"),
    ] {
        let message = message_of(&mut roster, handle);
        let slot = format!("slot {}, generation {}", handle.index(), handle.generation());
        assert!(message.contains("`alloc::string::String`"), "{message}");
        assert!(message.contains(reason) && message.contains(&slot), "{message}");
    }
    // In the slot of the stale one there is another.
    assert_eq!(roster.insert("d".to_owned()), vacant);
    assert!(message_of(&mut roster, stale).contains("stale"));
    assert!(message_of(&mut roster.clone(), stale).contains("stale"));
    assert_eq!((&*roster[vacant], &*roster[live]), ("d", "b"));
}

#[test]
fn a_handle_that_is_not_of_a_detached_element_is_not_attached_to() {
    let mut roster = Roster::new();
    let [live, stale] = [1_u16, 2].map(|n| roster.insert(n));
    roster.remove(stale);
    for handle in [live, stale] {
        let message = panic_of(|| roster.reattach(handle, 3));
        assert!(message.contains("`u16`") && message.contains("detached"), "{message}");
    }
    assert!(roster.iter().eq([(live, &1)]));
}

#[test]
fn the_slot_of_an_element_that_never_returns_is_released() {
    let mut roster = Roster::bounded(4);
    let away: Vec<_> = (0..4).map(|n| roster.insert(n)).collect();
    away.iter().for_each(|&handle| assert!(roster.detach(handle).is_some()));
    let stats = roster.stats();
    assert_eq!((stats.live, stats.detached, stats.capacity), (0, 4, 4));
    assert!(stats.to_string().contains("0 of 4 slots live, 4 detached,"), "{stats}");
    let hint = "4 of them detached: `release` those whose element is gone";
    for text in [
        roster.try_insert(7).unwrap_err().to_string(),
        roster.try_insert_with(|_| 7).unwrap_err().to_string(),
        roster.try_reserve(1).unwrap_err().to_string(),
        panic_of(|| roster.insert(7)),
    ] {
        assert!(text.contains(hint), "{text}");
    }
}

#[test]
fn a_detached_element_comes_back_even_after_a_panic() {
    let mut roster = Roster::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| roster.insert(Rc::new(name)));
    let value = roster[b].clone();
    let found = roster.with_detached(b, |element, others| {
        assert!(
            others.detached().eq([b]) && !others.contains(b) && others.insert(Rc::new("d")) != b
        );
        *element = Rc::new("e");
        others.with_detached(a, |_, others| others.detached().collect::<Vec<_>>())
    });
    assert_eq!(found, Some(Some(vec![a, b])));
    assert_eq!((*roster[b], Rc::strong_count(&value), roster.detached().count()), ("e", 1, 0));
    let panic = || {
        roster.with_detached(c, |element, _| {
            *element = Rc::new("f");
            panic!("f")
        })
    };
    assert!(catch_unwind(AssertUnwindSafe(panic)).is_err());
    assert_eq!((*roster[c], roster.stats().detached), ("f", 0));
    roster.remove(a);
    assert_eq!(roster.with_detached(a, |_, _| unreachable!()), None::<()>, "stale");

    // If the slot is not kept for it, the element is dropped, and what is there stays.
    let element = roster[b].clone();
    assert_eq!(roster.with_detached(b, |_, others| others.release(b)), Some(true));
    assert!(!roster.contains(b) && roster.detached().next().is_none());
    roster.with_detached(c, |_, others| others.reattach(c, Rc::new("g")));
    assert_eq!((*roster[c], Rc::strong_count(&element)), ("g", 1));
    roster.with_detached(c, |_, others| *others = Roster::new());
    assert!(roster.is_empty());
}

/// Numbers like those of handles, and any others.
fn bits() -> impl Strategy<Value = u64> {
    let like = (0_u64..100, 0_u64..6, any::<u8>(), any::<bool>()).prop_map(
        |(slot, generation, tag, is_handles)| {
            slot << 32 | u64::from(is_handles) | generation << 1 | u64::from(tag) << 24
        },
    );
    prop_oneof![any::<u64>(), like]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_forged_handle_finds_at_most_its_equal(bits in vec(bits(), 1..200)) {
        let mut roster: Roster<u64> = (0..80).collect();
        let tag = u64::from(roster.handles().next().unwrap().tag());
        roster.retain(|_, n| *n % 3 != 0);
        roster.extend(100..110);
        roster.retain(|_, n| *n % 4 != 1);
        let mut detached: BTreeSet<_> = roster.handles().filter(|h| h.index() % 5 == 0).collect();
        detached.iter().for_each(|&handle| assert!(roster.detach(handle).is_some()));
        let mut live: BTreeSet<_> = roster.handles().collect();

        for bits in bits.iter().flat_map(|&bits| [bits, bits & !(0xFF << 24) | tag << 24]) {
            let Some(forged) = Handle::from_bits(bits) else {
                // Bit 0, or the generation, is 0.
                assert!(bits & 1 == 0 || bits >> 1 & 0x7F_FFFF == 0);
                continue;
            };
            assert_eq!(forged.to_bits(), bits);
            let is_live = live.contains(&forged);
            assert_eq!(roster.contains(forged), is_live);
            assert_eq!(roster.get(forged).is_some(), is_live);
            assert_eq!(roster.get_mut(forged).is_some(), is_live);
            assert_eq!(roster.order().index_of(forged).is_some(), is_live);
            assert_eq!(roster.get_disjoint_mut([forged]).is_some(), is_live);
            if bits % 3 == 0 {
                assert_eq!(roster.release(forged), detached.remove(&forged));
            }
            assert_eq!(roster.try_reattach(forged, 0).is_ok(), detached.remove(&forged));
            live.extend(roster.contains(forged).then_some(forged));
            let is_detached = bits % 2 == 0 && roster.detach(forged).is_some();
            if is_detached {
                detached.insert(forged);
            }
            assert_eq!(roster.remove(forged).is_some(), live.remove(&forged) && !is_detached);
        }
        assert!(roster.handles().eq(live));
    }
}

/// Whatever happens to a roster, and to a number that is read.
#[test]
fn the_dangling_handle_is_never_valid() {
    fn finds_nothing<T: Clone + PartialEq>(mut roster: Roster<T>, value: T) {
        const { assert!(Handle::<String>::DANGLING.to_bits() == u64::MAX) }
        let none = Handle::DANGLING;
        assert!(refuses(&mut roster, none, value));
        assert!(roster.handle_of_slot(u32::MAX).is_none());
        assert!(roster.handles().all(|handle| handle != none && handle < none));
    }

    finds_nothing(Roster::new(), 1);
    finds_nothing((0..1000).collect::<Roster<u16>>(), 2000);
    let mut roster: Roster<String> = (0..70).map(|n| n.to_string()).collect();
    for handle in roster.handles().step_by(3).collect::<Vec<_>>() {
        let _ = roster.detach(handle);
    }
    roster.retain(|handle, _| handle.index() % 2 == 0);
    finds_nothing(roster, String::from("other"));
    assert_eq!(Handle::<u8>::from_bits(u64::MAX), Some(Handle::DANGLING));
    let text = panic_of(|| Roster::<u8>::new()[Handle::DANGLING]);
    assert!(text.contains("is `Handle::DANGLING`"));
}
