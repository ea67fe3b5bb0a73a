//! Promises of `Roster` that the model (`model.rs`) does not check: memory, order, types. Panics are in `panics.rs`, and handles without
//! an element in `handles.rs`.

use std::cell::{Cell, RefCell};
use std::sync::MutexGuard;

use typed_pool::roster::{Drain, Handles, IntoIter, Iter, IterMut, Order, Values, ValuesMut};
use typed_pool::{Handle, Roster};

/// Every third slot vacant, some of them more than once.
fn churned(count: u64) -> Roster<u64> {
    let mut roster: Roster<u64> = (0..count).collect();
    roster.retain(|_, n| *n % 3 != 0);
    roster.extend(0..count / 6);
    roster.retain(|handle, _| handle.index() % 3 != 0);
    roster
}

/// The model has random programs, for which Miri is too slow.
#[test]
fn each_operation_agrees_with_the_model() {
    use crate::model::operations::{Operation::*, run};

    #[rustfmt::skip]
    let all = [
        InsertMany(70, 1), Insert(2), InsertWith(3), InsertWithPanic, VacantEntry(4, Some(true)),
        VacantEntry(5, Some(false)), VacantEntry(6, None), Remove(3), RemoveIssued(3), Change(7, 8),
        SwapThree([1, 2, 5]), SwapLive(1, 2), Index, Detach(5), Detach(6), Detach(7), Reattach(0, 9),
        ReattachIssued(6), Release(7), Retain(7), RetainWithPanic(5, 20), Clone(true), Restore, ExtractIf(3, 4),
        Reserve(100), Prefault, ShrinkTo(80), DrainSomeAndForget(5), Drain(5),
        InsertMany(10, 2), Drain(usize::MAX), Clear, ShrinkToFit,
    ];
    run(Roster::<String>::new(), usize::MAX, 9, &all);
    run(Roster::<[u64; 3]>::bounded(70), 70, 9, &all);
    run(Roster::<()>::new(), usize::MAX, 9, &all);
}

#[test]
fn a_new_roster_holds_no_memory() {
    let roster = const { Roster::<u64>::new() };
    let stats = roster.stats();
    assert_eq!((stats.live, stats.capacity, stats.chunks, stats.bytes), (0, 0, 0, 0));
    assert_eq!((stats.name, stats.limit, stats.slot_bytes), ("u64", None, 8));
    for empty in [Roster::default(), Roster::with_capacity(0), roster] {
        assert_eq!((empty.stats(), empty.clone().stats()), (stats, stats));
        assert_eq!((empty.iter().next(), empty.clone().order().handle_at(0)), (None, None));
        assert!(empty.into_iter().next().is_none());
    }
    let bounded = Roster::<u64>::bounded(0);
    assert_eq!((bounded.stats().bytes, bounded.stats().limit), (0, Some(0)));
}

#[test]
fn alignment_is_kept() {
    #[derive(Clone)]
    #[repr(align(4096))]
    struct Page;

    let pages: Roster<Page> = std::iter::repeat_n(Page, 10).collect();
    for (handle, page) in pages.clone().iter() {
        assert!((&raw const *page).is_aligned() && pages.contains(handle));
    }
    // Nor does an element of 2^n bytes straddle two cache lines without need.
    let lines: Roster<[u64; 8]> = std::iter::repeat_n([0; 8], 5000).collect();
    assert!(lines.values().all(|element| element.as_ptr().addr() % 64 == 0));
    // An element without size is aligned all the same.
    let nothings: Roster<[u64; 0]> = std::iter::repeat_n([], 100).collect();
    assert!(nothings.values().all(|element| element.as_ptr().is_aligned()));
}

#[test]
fn elements_of_no_size_are_counted_one_by_one() {
    thread_local!(static DROPPED: Cell<usize> = const { Cell::new(0) });
    struct Nothing;
    impl Drop for Nothing {
        fn drop(&mut self) {
            DROPPED.set(DROPPED.get() + 1);
        }
    }

    let mut roster: Roster<Nothing> = std::iter::repeat_with(|| Nothing).take(5000).collect();
    assert_eq!((roster.len(), roster.values().count(), DROPPED.get()), (5000, 5000, 0));
    let first = roster.order().handle_at(0).unwrap();
    assert!(roster.remove(first).is_some() && roster.remove(first).is_none());
    roster.retain(|handle, _| handle.index() % 2 == 0);
    assert_eq!((roster.len(), DROPPED.get()), (2499, 2501));
    drop(roster);
    assert_eq!(DROPPED.get(), 5000);
}

#[test]
fn every_element_is_dropped_in_the_order_of_memory() {
    #[derive(Clone)]
    struct Noted<'a>(u64, &'a RefCell<Vec<u64>>);
    impl Drop for Noted<'_> {
        fn drop(&mut self) {
            self.1.borrow_mut().push(self.0);
        }
    }

    let dropped = RefCell::new(Vec::new());
    let mut roster: Roster<_> = (0..1000).map(|n| Noted(n, &dropped)).collect();
    roster.retain(|handle, _| handle.index() % 2 == 1);
    assert!(dropped.take().into_iter().eq((0..1000).step_by(2)));
    let mut clone = roster.clone();
    drop(roster);
    assert!(dropped.take().into_iter().eq((1..1000).step_by(2)));
    clone.clear();
    assert!(dropped.take().into_iter().eq((1..1000).step_by(2)));
    clone.extend((0..10).map(|n| Noted(n, &dropped)));
    let mut rest = clone.into_iter();
    assert_eq!((rest.next().map(|(_, noted)| noted.0), rest.len()), (Some(0), 9));
    drop(rest);
    assert!(dropped.take().into_iter().eq(0..10));
}

/// A roster that is never asked has no memory for an order, however it grows; one that was asked has 8 bytes a slot.
#[test]
fn an_order_takes_memory_once_it_is_requested() {
    let mut roster: Roster<u64> = (0..1000).collect();
    let mut asked = roster.clone();
    let before = asked.stats();
    assert!(asked.order().iter().map(|(handle, _)| handle).eq(roster.handles()));
    assert_eq!(asked.stats().bytes, before.bytes + 8 * before.capacity);
    for roster in [&mut roster, &mut asked] {
        roster.reserve(100_000);
    }
    let [plain, kept] = [&roster, &asked].map(|roster| roster.stats());
    assert_eq!(kept.bytes, plain.bytes + 8 * plain.capacity);
    assert_eq!(plain.capacity, kept.capacity);
}

/// More elements than a core's own cache holds, which are asked for ahead: in full words, and with gaps.
#[test]
fn a_large_roster_is_walked_as_a_small_one_is() {
    let mut roster: Roster<[u64; 32]> = (0..5000).map(|n| [n; 32]).collect();
    let mut expected: Vec<u64> = (0..5000).collect();
    for (from, to, step) in [(0, 0, 1), (640, 1280, 1), (2000, 5000, 3), (100, 101, 1)] {
        let is_gone = |n: &u64| (from..to).contains(n) && n % step == 0;
        roster.retain(|_, element| !is_gone(&element[0]));
        expected.retain(|n| !is_gone(n));
        let mut stepwise = roster.values();
        let found: Vec<_> = std::iter::from_fn(|| stepwise.next()).map(|e| e[0]).collect();
        assert_eq!(found, expected);
        let mut folded = Vec::new();
        roster.values().for_each(|element| folded.push(element[0]));
        assert_eq!(folded, expected);
    }
}

/// Elements whose chunks begin inside a word of the bitmap, or between two.
fn iterators_agree<const BYTES: usize>() {
    let kept: [fn(usize) -> bool; 8] = [
        |_| true,
        |_| false,
        |at| at % 2 == 0,
        |at| at % 97 == 5,
        |at| !(60..70).contains(&at),
        |at| at / 64 % 2 == 1,
        |at| at / 192 % 2 == 0,
        |at| at >= 500,
    ];
    let slots = [1, 8, 63, 64, 65, 130, 1000];
    for slots in slots.into_iter().filter(|&slots| slots < 1000 || !cfg!(miri)) {
        for kept in kept {
            let mut roster: Roster<[u8; BYTES]> = (0..slots).map(|at| [at as u8; BYTES]).collect();
            roster.retain(|handle, _| kept(handle.index()));
            let detached = roster.handles().nth(3).filter(|_| slots == 130);
            let _detached = detached.map(|handle| roster.detach(handle).unwrap());
            let mut live: Vec<_> = (0..slots).filter(|&at| kept(at)).collect();
            live.retain(|&at| Some(at) != detached.map(|handle| handle.index()));

            let mut iter = roster.iter();
            for (passed, &at) in live.iter().enumerate() {
                assert_eq!(iter.len(), live.len() - passed);
                if passed % 7 == 0 {
                    let rest = iter.clone().fold(Vec::new(), |mut rest, (handle, _)| {
                        rest.push(handle.index());
                        rest
                    });
                    assert_eq!(rest, live[passed..]);
                }
                let (handle, element) = iter.next().unwrap();
                assert_eq!((handle.index(), element), (at, &[at as u8; BYTES]));
                assert!(std::ptr::eq(element, &roster[handle]));
            }
            assert_eq!((iter.len(), iter.next(), iter.next()), (0, None, None));

            let mut retained = Vec::new();
            roster.retain(|handle, _| {
                retained.push(handle.index());
                true
            });
            assert_eq!(retained, live);
            let drained: Vec<_> = roster.drain().map(|(handle, _)| handle.index()).collect();
            assert_eq!(drained, live);
        }
    }
}

#[test]
fn iterators_agree_wherever_chunks_begin() {
    iterators_agree::<0>();
    iterators_agree::<8>();
    iterators_agree::<64>();
    iterators_agree::<300>();
    iterators_agree::<1000>();
    iterators_agree::<10_000>();
}

#[test]
fn what_iter_mut_gives_out_is_held_together() {
    let mut roster = churned(300);
    let handles: Vec<_> = roster.handles().collect();
    let mut all: Vec<(Handle<u64>, &mut u64)> = roster.iter_mut().collect();
    all.reverse();
    for (handle, element) in &mut all {
        **element = handle.to_bits();
    }
    assert!(all.iter().all(|(handle, element)| **element == handle.to_bits()));
    assert!(roster.iter().all(|(handle, &element)| element == handle.to_bits()));
    assert!(roster.handles().eq(handles));
    for (_, element) in &mut roster {
        *element = 5;
    }
    assert!((&roster).into_iter().all(|(_, element)| *element == 5));
}

#[test]
fn a_bounded_roster_has_one_chunk_of_so_many_slots() {
    for limit in [1, 2, 3, 63, 64, 65, 100, 4097] {
        let mut roster = Roster::bounded(limit);
        for _ in 0..2 {
            roster.extend(0..limit);
            assert_eq!((roster.capacity(), roster.stats().chunks), (limit, 1));
            assert_eq!(roster.clone().try_insert(7).unwrap_err().capacity(), limit);
            roster.clear();
            roster.shrink_to_fit();
            assert_eq!((roster.capacity(), roster.stats().chunks), (0, 0));
            assert_eq!((roster.stats().capacity, roster.stats().limit), (limit, Some(limit)));
        }
    }
}

// If pointers have 32 bits, no number of slots is too large for a handle, and no element this large.
#[cfg(target_pointer_width = "64")]
#[test]
fn reserve_of_too_much_says_so() {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    type Large = [u8; 1 << 46];

    let mut large = Roster::<Large>::new();
    let text = large.try_reserve(1 << 18).unwrap_err().to_string();
    assert!(text.contains("capacity overflow: at 70368744177664 bytes each, they"), "{text}");
    assert!(catch_unwind(AssertUnwindSafe(|| large.reserve(1 << 18))).is_err());
    assert_eq!((large.capacity(), large.stats().chunks), (0, 0));
    large.shrink_to_fit();
    assert!(large.iter().next().is_none());

    let mut roster = Roster::<()>::new();
    let text = roster.try_reserve(u32::MAX as usize + 1).unwrap_err().to_string();
    assert!(text.contains("0 of at most 4294967295 are occupied"), "{text}");
    roster.extend([(), ()]);
    assert_eq!(roster.len(), 2);
}

#[test]
fn shrinking_gives_back_the_chunks_at_the_end() {
    let mut roster = Roster::new();
    let handles: Vec<_> = (0..10_000_u64).map(|n| roster.insert([n; 4])).collect();
    let before = roster.stats();
    let late = handles[9_999];
    roster.retain(|handle, _| handle.index() < 3 || handle == late);
    roster.shrink_to_fit();
    assert_eq!((roster.stats().chunks, roster.capacity()), (before.chunks, before.capacity));
    // A slot that is detached holds its chunk just as well.
    assert_eq!(roster.detach(late), Some([9_999; 4]));
    roster.shrink_to_fit();
    assert_eq!(roster.capacity(), before.capacity);
    roster.reattach(late, [1; 4]);
    roster.remove(late);
    roster.shrink_to_fit();
    let after = roster.stats();
    assert_eq!((after.live, after.chunks, after.capacity), (3, 1, 16));
    // All but the generations.
    assert!(after.bytes <= 16 * (32 + 4 + 8 + 1) + 4 * before.capacity + 4096, "{after}");

    let again: Vec<_> = (0..10_000).map(|n| roster.insert([n; 4])).collect();
    assert!(again.iter().map(|handle| handle.index()).eq(3..10_003));
    assert!(
        again.iter().all(|handle| handle.generation() == 1 + u32::from(handle.index() < 10_000))
    );
    assert!(handles[3..].iter().all(|&stale| !roster.contains(stale)));
    assert!(handles[..3].iter().all(|&kept| roster[kept] == [kept.index() as u64; 4]));
}

#[test]
fn a_clone_into_a_roster_keeps_its_memory() {
    let source = churned(200);
    let mut kept: Roster<u64> = (0..5000).collect();
    let stale: Vec<_> = kept.handles().collect();
    let _ = kept.detach(stale[7]);
    let address = &raw const kept[stale[0]];
    let capacity = kept.capacity();
    for _ in 0..2 {
        kept.clone_from(&source);
        assert_eq!((&kept, kept.capacity(), kept.stats().detached), (&source, capacity, 0));
        assert_eq!(kept.stats().high_water, source.stats().high_water);
        assert!(stale.iter().all(|&handle| !kept.contains(handle) || source.contains(handle)));
        let first = kept.handles().next().unwrap();
        assert_eq!((&raw const kept[first]).addr(), address.addr() + 8 * first.index());
        let (mut ours, mut theirs) = (kept.clone(), source.clone());
        assert!((0..9000).all(|n| ours.insert(n) == theirs.insert(n)));
        kept.clear();
    }
    // One that is too small, or would be too large, is a clone.
    let mut small = Roster::bounded(1);
    small.clone_from(&source);
    assert_eq!((&small, small.stats().limit), (&source, None));
    kept.clone_from(&Roster::bounded(1));
    assert_eq!(
        (kept.capacity(), kept.try_insert(1).is_ok(), kept.try_insert(2).is_ok()),
        (1, true, false)
    );
}

#[test]
fn debug_shows_handles_and_elements() {
    let mut roster = Roster::new();
    let (a, b) = (roster.insert('a'), roster.insert('b'));
    let expected = format!("{{{a:?}: 'a', {b:?}: 'b'}}");
    assert_eq!(format!("{roster:?}"), expected);
    let next = roster.vacant_entry().handle();
    let entry = format!("{:?}", roster.vacant_entry());
    assert_eq!(entry, format!("VacantEntry {{ handle: {next:?} }}"));
    let shown = [
        format!("{:?}", roster.iter()),
        format!("{:?}", roster.values_mut()),
        format!("{:?}", roster.drain()),
    ];
    assert_eq!(shown, ["Iter { len: 2, .. }", "ValuesMut { len: 2, .. }", "Drain { len: 2, .. }"]);
}

#[test]
fn a_roster_and_its_iterators_are_sent_and_shared_as_their_elements() {
    fn send<T: Send>() {}
    fn sync<T: Sync>() {}

    send::<Roster<Cell<u8>>>();
    send::<IterMut<'_, Cell<u8>>>();
    send::<ValuesMut<'_, Cell<u8>>>();
    send::<Drain<'_, Cell<u8>>>();
    send::<IntoIter<Cell<u8>>>();
    sync::<Roster<MutexGuard<'_, u8>>>();
    sync::<IterMut<'_, MutexGuard<'_, u8>>>();
    send::<Iter<'_, MutexGuard<'_, u8>>>();
    send::<Values<'_, MutexGuard<'_, u8>>>();
    sync::<Handles<'_, MutexGuard<'_, u8>>>();
    send::<Handles<'_, u8>>();
    send::<Order<'_, MutexGuard<'_, u8>>>();
}

#[test]
fn room_is_rounded_up_by_less_than_4_kib() {
    fn check<T>() {
        let some = [1, 2, 7, 8, 9, 100, 1000, 5000];
        for asked in some.into_iter().filter(|&asked| asked < (1 << 28) / size_of::<T>()) {
            let roster = Roster::<T>::with_capacity(asked);
            let more = roster.capacity() - asked;
            assert!(more < 64 && more * size_of::<T>() < 4096, "{more} more than {asked}");
        }
    }
    check::<u8>();
    check::<[u8; 12]>();
    check::<[u64; 16]>();
    check::<[u8; 5000]>();
    check::<[u8; 1 << 20]>();

    fn first<T>(element: T) -> usize {
        let mut roster = Roster::new();
        roster.insert(element);
        roster.capacity()
    }
    assert_eq!((first([0_u8; 5000]), first([0_u64; 8]), first(1_u8)), (4, 16, 16));
    assert_eq!((first([0_u8; 100]), first([0_u8; 1024])), (8, 4));

    // A larger one is doubled.
    let mut large = Roster::<u64>::with_capacity(1 << 16);
    (0..1 << 16).for_each(|n| _ = large.insert(n));
    large.reserve(1);
    assert_eq!(large.capacity(), 2 << 16);

    // Unless that is not wanted. Before each of many insertions it is as if they had been announced.
    large.extend(0..1 << 16);
    large.reserve_exact(100);
    assert_eq!((large.capacity(), large.stats().chunks), ((2 << 16) + 128, 3));
    if cfg!(miri) {
        return;
    }
    let mut grown = Roster::new();
    for n in 0..1_000_000_u64 {
        grown.reserve(1);
        grown.insert(n);
    }
    assert_eq!((grown.capacity(), grown.stats().chunks), (1 << 20, 17));
}

#[test]
fn a_roster_of_long_lived_elements_is_one_of_short_lived_ones() {
    fn shorter<'b, 'a: 'b>(
        long: (Roster<&'static str>, &'b Roster<&'static str>, IntoIter<&'static str>),
    ) -> (Roster<&'a str>, &'b Roster<&'a str>, IntoIter<&'a str>) {
        long
    }

    fn read<'b, 'a: 'b>(
        long: (Iter<'b, &'static str>, Values<'b, &'static str>, Handles<'b, &'static str>),
    ) -> (Iter<'b, &'a str>, Values<'b, &'a str>, Handles<'b, &'a str>) {
        long
    }

    let long = Roster::from_iter(["long"]);
    let _ = read((long.iter(), long.values(), long.handles()));
    let local = String::from("short");
    let (mut roster, _, _) = shorter((long.clone(), &long, long.clone().into_iter()));
    roster.insert(&local);
    assert_eq!(roster.len(), 2);
}

#[test]
fn only_a_reference_to_an_element_has_a_handle() {
    let roster: Roster<[u64; 2]> = (0..3000).map(|n| [n; 2]).collect();
    assert_eq!(roster.handle_of(&[7, 7]), None, "equal, and elsewhere");
    let numbers: Roster<[u8; 3]> = (0..100).map(|n| [n; 3]).collect();
    assert!(roster.iter().all(|(handle, pair)| roster.handle_of(pair) == Some(handle)));
    assert!(numbers.iter().all(|(handle, number)| numbers.handle_of(number) == Some(handle)));
    assert_eq!(Roster::new().handle_of(&1), None);
}

#[test]
fn equal_rosters_have_equal_elements_behind_the_same_handles() {
    let mut roster: Roster<String> = ["a", "b", "c"].map(String::from).into_iter().collect();
    let mut other = roster.clone();
    assert_eq!(roster, other);
    // Slots that are not live make no difference.
    other.reserve(100);
    drop(other.vacant_entry());
    let kept = other.insert("kept".into());
    let _ = other.detach(kept);
    other.order();
    assert_eq!(roster, other);
    other.values_mut().for_each(|text| text.push('!'));
    assert_ne!(roster, other);
    roster.values_mut().for_each(|text| text.push('!'));
    assert_eq!(roster, other);
    // The same slot and text, in another use.
    let first = roster.handles().next().unwrap();
    let text = roster.remove(first).unwrap();
    assert_ne!(roster, other);
    roster.insert(text);
    assert_ne!(roster, other);
    assert!(roster.values().eq(other.values()));
    roster.clear();
    assert_eq!(roster, Roster::new());
}

#[test]
#[allow(clippy::forget_non_drop, reason = "whether it has a destructor is its own affair")]
fn extract_if_is_lazy() {
    let mut roster: Roster<u32> = (0..200).collect();
    std::mem::forget(roster.extract_if(|_, _| true));
    let mut all = roster.extract_if(|_, _| true);
    assert_eq!((all.by_ref().count(), all.next()), (200, None));
}

#[test]
fn a_bounded_roster_takes_the_place_of_one_that_grows() {
    for bound in 1..200 {
        let mut roster = Roster::bounded(bound);
        roster.insert(0_u64);
        roster.clone_from(&Roster::from_iter([1]));
        roster.extend(0..300);
        assert_eq!(roster.len(), 301);
    }
}
