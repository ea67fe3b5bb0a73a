//! What every public item of `Roster` promises, except under panics (`panics.rs`) and for handles without
//! an element (`handles.rs`).

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard};

use typed_pool::roster::{Drain, Handles, IntoIter, Iter, IterMut, Values, ValuesMut};
use typed_pool::{Handle, Roster};

fn message(panic: Box<dyn std::any::Any + Send>) -> String {
    *panic.downcast::<String>().expect("a formatted message")
}

/// Every third slot vacant, some of them more than once.
fn churned(count: u64) -> Roster<u64> {
    let mut roster: Roster<u64> = (0..count).collect();
    roster.retain(|_, n| *n % 3 != 0);
    roster.extend(0..count / 6);
    roster.retain(|handle, _| handle.index() % 3 != 0);
    roster
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
fn the_lowest_vacant_slot_is_used_first() {
    for count in [1, 2, 63, 64, 65, 4095, 4096, 4097, 10_000] {
        let mut roster = Roster::new();
        let mut handles: Vec<_> = (0..count).map(|n| roster.insert(n)).collect();
        assert!(handles.iter().map(|handle| handle.index()).eq(0..count));
        fastrand::Rng::with_seed(7).shuffle(&mut handles);
        for handle in handles.drain(count / 2..) {
            roster.remove(handle);
        }
        let occupied: HashSet<_> = handles.iter().map(|handle| handle.index()).collect();
        for vacant in (0..count).filter(|index| !occupied.contains(index)) {
            assert_eq!(roster.insert(vacant).index(), vacant);
        }
        assert_eq!(roster.insert(count).index(), count);
    }
}

#[test]
fn elements_do_not_move() {
    let mut roster = Roster::new();
    let handles: Vec<_> = (0..10_000_u64).map(|n| roster.insert([n; 3])).collect();
    let places: Vec<_> = handles.iter().map(|&handle| &raw const roster[handle]).collect();
    roster.retain(|handle, _| handle.index() % 7 < 2);
    roster.shrink_to_fit();
    roster.reserve(50_000);
    roster.extend((0..20_000).map(|n| [n; 3]));
    for (&handle, &place) in handles.iter().zip(&places) {
        if let Some(element) = roster.get(handle) {
            assert_eq!((*element, &raw const *element), ([handle.index() as u64; 3], place));
        }
    }
    assert_eq!(places.iter().collect::<HashSet<_>>().len(), 10_000);
}

#[test]
fn alignment_is_kept() {
    #[derive(Clone)]
    #[repr(align(128))]
    struct Wide(u8);
    #[derive(Clone)]
    #[repr(align(4096))]
    struct Page;

    let wide: Roster<Wide> = (0..100).map(Wide).collect();
    for roster in [wide.clone(), wide] {
        assert!(roster.values().all(|element| (&raw const *element).is_aligned()));
        assert!(roster.values().zip(0..).all(|(element, n)| element.0 == n));
    }
    let pages: Roster<Page> = std::iter::repeat_n(Page, 10).collect();
    for (handle, page) in pages.clone().iter() {
        assert!((&raw const *page).is_aligned() && pages.contains(handle));
    }
    // Nor does an element of 2^n bytes straddle two cache lines without need.
    let lines: Roster<[u64; 8]> = std::iter::repeat_n([0; 8], 5000).collect();
    let is_aligned = |element: &[u64; 8]| element.as_ptr().addr() % 64 == 0;
    assert!(lines.values().all(is_aligned));
    // Of no size, and so aligned to more than nothing is.
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
fn every_element_is_dropped_once_in_the_order_of_memory() {
    #[derive(Clone)]
    struct Noted<'a>(u64, &'a RefCell<Vec<u64>>);
    impl Drop for Noted<'_> {
        fn drop(&mut self) {
            self.1.borrow_mut().push(self.0);
        }
    }

    let dropped = RefCell::new(Vec::new());
    let mut roster: Roster<_> = (0..1000).map(|n| Noted(n, &dropped)).collect();
    let handles: Vec<_> = roster.handles().collect();
    handles.iter().step_by(2).for_each(|&handle| drop(roster.remove(handle)));
    assert!(dropped.take().into_iter().eq((0..1000).step_by(2)));

    let mut clone = roster.clone();
    drop(roster);
    assert!(dropped.take().into_iter().eq((1..1000).step_by(2)));
    let detached = clone.detach(handles[1]);
    clone.extend((1000..1250).map(|n| Noted(n, &dropped)));
    // In vacant slots, which are the even ones.
    let expected: Vec<_> = (0..500).flat_map(|n| [1000 + n, 2 * n + 1]).collect();
    let expected = expected.into_iter().filter(|&n| n < 1000 || n < 1250).filter(|&n| n != 1);
    drop(clone);
    assert_eq!(dropped.take(), expected.collect::<Vec<_>>());
    drop(detached);
    assert_eq!(dropped.take(), [1]);

    let taken: Vec<_> =
        (0..10).map(|n| Noted(n, &dropped)).collect::<Roster<_>>().into_iter().collect();
    assert_eq!((taken.len(), dropped.borrow().len()), (10, 0));
    let mut rest = taken.into_iter().map(|(_, noted)| noted).collect::<Roster<_>>().into_iter();
    assert_eq!((rest.next().map(|(_, noted)| noted.0), rest.len()), (Some(0), 9));
    drop(rest);
    assert!(dropped.take().into_iter().eq(0..10));
}

#[test]
fn references_to_several_elements_are_to_these() {
    let mut roster = churned(24);
    let handles: Vec<_> = roster.handles().collect();
    for (i, &a) in handles.iter().enumerate() {
        for (j, &b) in handles.iter().enumerate() {
            let before = [roster[a], roster[b]];
            match roster.get_disjoint_mut([a, b]) {
                Some([first, second]) => {
                    assert_eq!([*first, *second], before);
                    *first = first.wrapping_mul(31) ^ *second;
                    *second = second.wrapping_add(*first);
                    let expected = before[0].wrapping_mul(31) ^ before[1];
                    let expected = [expected, before[1].wrapping_add(expected)];
                    assert_eq!([roster[a], roster[b]], expected);
                }
                None => assert_eq!(i, j),
            }
            for (k, &c) in handles.iter().enumerate() {
                let found = roster.get_disjoint_mut([a, b, c]).is_some();
                assert_eq!(found, i != j && j != k && i != k);
            }
        }
    }
    assert!(roster.get_disjoint_mut([]).is_some());
    assert!(roster.handles().eq(handles), "every handle is shown again");
}

#[test]
fn an_index_changes_only_where_an_element_is_taken_out() {
    let mut roster: Roster<u64> = (0..5000).collect();
    let mut order: Vec<_> = roster.order().iter().map(|(handle, _)| handle).collect();
    assert_eq!(order.iter().collect::<HashSet<_>>().len(), 5000);
    let mut rng = fastrand::Rng::with_seed(3);
    for n in 0..10_000 {
        if rng.u8(..) < 140 {
            let index = rng.usize(..order.len());
            let handle = order.swap_remove(index);
            match n % 3 {
                0 => {
                    assert!(roster.detach(handle).is_some() && roster.release(handle));
                }
                1 => {
                    let element = roster.detach(handle).unwrap();
                    assert_eq!(roster.order().handle_at(index), order.get(index).copied());
                    roster.reattach(handle, element);
                    order.push(handle);
                    assert_eq!(roster.order().index_of(handle), Some(order.len() - 1));
                }
                _ => _ = roster.remove(handle),
            }
            assert_eq!(roster.order().handle_at(index), order.get(index).copied());
            assert_eq!(roster.order().handle_at(order.len()), None);
        } else {
            order.push(roster.insert(n));
            assert_eq!(roster.order().index_of(order[order.len() - 1]), Some(order.len() - 1));
        }
        if n % 1000 == 0 {
            roster.shrink_to_fit();
        }
    }
    for mut roster in [roster.clone(), roster] {
        let kept = roster.order();
        assert!(kept.iter().map(|(handle, _)| handle).eq(order.iter().copied()));
        assert!(order.iter().map(|&h| kept.index_of(h)).eq((0..order.len()).map(Some)));
        let last = kept.iter().next_back().map(|(handle, _)| handle);
        assert_eq!((kept.iter().len(), last.as_ref()), (order.len(), order.last()));
    }
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

/// The same order may be read by several threads.
#[test]
fn an_order_can_be_shared() {
    let mut roster = churned(2000);
    let len = roster.len();
    let order = roster.order();
    std::thread::scope(|scope| {
        for first in [0, 1] {
            scope.spawn(move || {
                let handles = (first..len).step_by(2).map(|at| (at, order.handle_at(at).unwrap()));
                assert!(handles.into_iter().all(|(at, handle)| order.index_of(handle) == Some(at)));
            });
        }
    });
}

#[test]
fn iteration_ends_where_the_elements_do() {
    // A word, a class of slots or a chunk that is full, empty, or has its last slot live.
    for count in [1, 2, 3, 4, 8, 63, 64, 65, 128, 4096, 4097] {
        let all: Roster<usize> = (0..count).collect();
        assert!(all.values().copied().eq(0..count));
        assert_eq!(all.values().sum::<usize>(), count * (count - 1) / 2);
        let mut ends = all.clone();
        ends.retain(|_, &mut n| n == 0 || n + 1 == count);
        assert_eq!(ends.values().len(), count.min(2));
        assert!(ends.values().copied().eq([0, count - 1].into_iter().take(count)));
        let mut last = ends.clone();
        last.retain(|_, &mut n| n + 1 == count);
        assert_eq!(
            last.values().fold(Vec::new(), |found, n| [found, vec![*n]].concat()),
            [count - 1]
        );
        assert_eq!(last.drain().map(|(_, n)| n).collect::<Vec<_>>(), [count - 1]);
        assert_eq!((last.iter().len(), last.iter().next()), (0, None));
    }
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
fn elements_ahead_are_prefetched_to_the_last_word() {
    let mut roster: Roster<[u64; 8]> = (0..40_000).map(|at| [at; 8]).collect();
    roster.retain(|handle, _| handle.index() % 128 < 100 || handle.index() >= 39_990);
    let expected: Vec<u64> = (0..40_000).filter(|at| at % 128 < 100 || *at >= 39_990).collect();
    assert!(roster.values().map(|element| element[3]).eq(expected.iter().copied()));
    let folded = roster.values().fold(Vec::new(), |mut folded, element| {
        folded.push(element[3]);
        folded
    });
    assert_eq!(folded, expected);
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
fn a_leaked_drain_leaves_what_it_has_not_given() {
    let mut roster = churned(300);
    let elements: Vec<_> = roster.iter().map(|(handle, &n)| (handle, n)).collect();
    let mut drain = roster.drain();
    assert!(drain.by_ref().take(100).eq(elements[..100].iter().copied()));
    std::mem::forget(drain);
    assert!(roster.iter().map(|(handle, &n)| (handle, n)).eq(elements[100..].iter().copied()));
    assert!(elements[..100].iter().all(|&(handle, _)| !roster.contains(handle)));
    assert_eq!(roster.insert(0).index(), 0);
}

#[test]
fn a_roster_grows_by_doubling() {
    let mut roster = Roster::<[u64; 4]>::new();
    let mut capacities = vec![0];
    for n in 0..100_000 {
        roster.insert([n; 4]);
        if roster.capacity() != *capacities.last().unwrap() {
            capacities.push(roster.capacity());
        }
    }
    assert_eq!(capacities[1], 16);
    assert!(capacities[1..].windows(2).all(|pair| pair[1] == 2 * pair[0]), "{capacities:?}");
    let stats = roster.stats();
    let chunks = capacities.len() - 1;
    assert_eq!((stats.live, stats.chunks, stats.slot_bytes), (100_000, chunks, 32));
    let slots = stats.capacity * 32;
    assert!(stats.bytes >= slots + stats.capacity * 4, "{stats}");
    assert!(stats.bytes <= slots + stats.capacity * (4 + 8 + 1), "{stats}");
    assert_eq!(Roster::from_iter([[0_u64; 4000]]).capacity(), 4);
}

#[test]
fn reserve_makes_room_once() {
    for count in [1, 2, 5, 64, 1000, 5000] {
        let mut roster = Roster::<u64>::with_capacity(count);
        let capacity = roster.capacity();
        assert!((count..count + 64).contains(&capacity));
        roster.reserve(count);
        roster.extend(0..count as u64);
        assert_eq!((roster.capacity(), roster.stats().chunks), (capacity, 1));
        roster.reserve(capacity - count + 1);
        assert_eq!((roster.capacity(), roster.stats().chunks), (2 * capacity, 2));
        roster.reserve(9 * capacity);
        assert!(roster.capacity() >= count + 9 * capacity);
        assert_eq!(roster.stats().chunks, 3);
        assert!(roster.values().copied().eq(0..count as u64));
    }
}

#[test]
fn a_bounded_roster_has_one_chunk_of_so_many_slots() {
    for limit in [1, 2, 3, 63, 64, 65, 100, 4097] {
        let mut roster = Roster::bounded(limit);
        for _ in 0..3 {
            let stats = roster.stats();
            assert_eq!((stats.capacity, stats.limit), (limit, Some(limit)));
            roster.extend(0..limit);
            assert_eq!((roster.capacity(), roster.stats().chunks), (limit, 1));
            assert_eq!(roster.try_insert(7).unwrap_err().into_inner(), 7);
            assert!(roster.try_insert_with(|_| unreachable!()).is_err());
            assert!(roster.values().copied().eq(0..limit));
            assert_eq!(roster.clone().try_insert(7).unwrap_err().capacity(), limit);
            roster.clear();
            roster.shrink_to_fit();
            assert_eq!((roster.capacity(), roster.stats().chunks), (0, 0));
        }
    }
}

#[test]
fn an_exhausted_roster_panics_with_the_type_and_its_capacity() {
    let mut roster = Roster::bounded(2);
    roster.extend(["a", "b"]);
    let attempts: [fn(&mut Roster<&str>); 3] = [
        |roster| _ = roster.insert("c"),
        |roster| _ = roster.insert_with(|_| unreachable!()),
        |roster| roster.extend(["c"]),
    ];
    for attempt in attempts {
        let panic = catch_unwind(AssertUnwindSafe(|| attempt(&mut roster))).unwrap_err();
        let message = message(panic);
        assert!(message.contains("`&str`") && message.contains("all 2 slots"), "{message}");
        assert!(message.contains("bounded") && !message.contains("retired"), "{message}");
    }
    assert!(roster.values().eq(&["a", "b"]));
}

// Where there are 32 bits, no number of slots is too large for a handle, and no element this large.
#[cfg(target_pointer_width = "64")]
#[test]
fn reserve_of_too_much_says_so() {
    type Large = [u8; 1 << 46];

    let mut large = Roster::<Large>::new();
    let text = large.try_reserve(1 << 18).unwrap_err().to_string();
    assert!(text.contains("capacity overflow: at 70368744177664 bytes each, they"), "{text}");
    let overflow = catch_unwind(AssertUnwindSafe(|| large.reserve(1 << 18))).unwrap_err();
    let text = message(overflow);
    assert!(text.contains("capacity overflow") && text.contains("`[u8; 7036874417"), "{text}");
    assert_eq!((large.capacity(), large.stats().chunks), (0, 0));
    large.shrink_to_fit();
    assert!(large.iter().next().is_none());

    for too_much in [u32::MAX as usize + 1, usize::MAX] {
        let mut roster = Roster::<()>::new();
        let text = roster.try_reserve(too_much).unwrap_err().to_string();
        assert!(text.contains("0 of at most 4294967295 are occupied"), "{text}");
        assert!(catch_unwind(|| Roster::<()>::with_capacity(too_much)).is_err());
        roster.extend([(), ()]);
        assert_eq!(roster.len(), 2);
    }

    let mut roster = Roster::<u64>::bounded(4);
    let kept = roster.insert(0);
    let panic = catch_unwind(AssertUnwindSafe(|| roster.reserve(4))).unwrap_err();
    let text = message(panic);
    assert!(text.contains("4 more") && text.contains("1 of at most 4 are occupied"), "{text}");
    assert!(text.contains("`u64`") && text.contains("bounded"), "{text}");
    roster.reserve(3);
    let detached = roster.detach(kept);
    assert!(roster.try_reserve(3).is_ok());
    let text = roster.try_reserve(4).unwrap_err().to_string();
    assert!(text.contains("1 of at most 4 are occupied"), "{text}");
    assert_eq!(detached, Some(0));
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

    // An element that cannot be cloned leaves an empty roster.
    struct Fragile(Rc<Cell<u32>>);
    impl Clone for Fragile {
        fn clone(&self) -> Self {
            self.0.set(self.0.get() - 1);
            assert!(self.0.get() > 0, "no more");
            Self(self.0.clone())
        }
    }
    let left = Rc::new(Cell::new(5));
    let source: Roster<_> = (0..10).map(|_| Fragile(left.clone())).collect();
    let mut other: Roster<_> = (0..12).map(|_| Fragile(left.clone())).collect();
    let before: Vec<_> = other.handles().collect();
    assert!(catch_unwind(AssertUnwindSafe(|| other.clone_from(&source))).is_err());
    assert_eq!((Rc::strong_count(&left), other.len(), other.capacity()), (11, 0, 0));
    other.extend((0..12).map(|_| Fragile(left.clone())));
    assert!(before.iter().all(|&stale| !other.contains(stale)));
}

#[test]
fn a_clone_goes_its_own_way() {
    let mut roster = churned(200);
    let dense: Vec<_> = roster.order().iter().map(|(handle, _)| handle).collect();
    let detached = roster.handles().nth(5).unwrap();
    let _ = roster.detach(detached);
    let elements: Vec<_> = roster.iter().map(|(handle, &n)| (handle, n)).collect();
    let mut clone = roster.clone();

    // The next handle is the same in both, and either's element its own.
    let next = roster.insert(1000);
    assert_eq!(clone.insert(2000), next);
    assert_eq!((roster.remove(next), clone[next]), (Some(1000), 2000));
    roster.reattach(detached, 3000);
    assert!(!clone.contains(detached));
    clone.reattach(detached, 4000);
    assert_eq!((roster.clone()[detached], clone[detached]), (3000, 4000));
    roster.clear();
    assert!(elements.iter().all(|&(handle, n)| clone[handle] == n));
    assert_eq!(clone.len(), elements.len() + 2);
    assert_eq!(clone.order().handle_at(0), Some(dense[0]));
    drop(roster);
    assert_eq!(clone.into_iter().len(), elements.len() + 2);
}

#[test]
fn a_destructor_may_own_another_roster() {
    struct Tree(u32, Roster<Tree>);
    impl Drop for Tree {
        fn drop(&mut self) {
            assert!(self.1.values().all(|child| child.0 + 1 == self.0));
            self.1.retain(|handle, _| handle.index() != 0);
        }
    }

    fn tree(depth: u32) -> Tree {
        let count = if depth == 0 { 0 } else { 3 };
        Tree(depth, std::iter::repeat_with(|| tree(depth - 1)).take(count).collect())
    }
    let mut forest: Roster<_> = (0..6).map(tree).collect();
    let tallest = forest.handles().next_back().unwrap();
    let branch = forest[tallest].1.drain().nth(1).map(|(_, branch)| branch);
    assert_eq!((branch.unwrap().0, forest[tallest].1.len()), (4, 0));
}

#[test]
fn debug_shows_handles_and_elements() {
    let mut roster = Roster::new();
    let (a, b) = (roster.insert('a'), roster.insert('b'));
    let expected = format!("{{{a:?}: 'a', {b:?}: 'b'}}");
    assert_eq!(format!("{roster:?}"), expected);
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

    let shared = Mutex::new(Roster::from_iter([1, 2, 3].map(Cell::new)));
    std::thread::scope(|scope| {
        scope.spawn(|| shared.lock().unwrap().values_mut().for_each(|n| *n.get_mut() += 1));
    });
    let roster = shared.into_inner().unwrap();
    assert!(roster.values().map(Cell::get).eq([2, 3, 4]));
    let counted = Rc::new(());
    let held: Roster<_> = std::iter::repeat_n(counted.clone(), 9).collect();
    assert_eq!(Rc::strong_count(&counted), 10);
    drop(held);
    assert_eq!(Rc::strong_count(&counted), 1);
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

/// A roster, and what only reads it, is covariant in its elements, as `Vec` is.
#[test]
fn a_roster_of_long_lived_elements_is_one_of_short_lived_ones() {
    fn shorter<'a>(roster: Roster<&'static str>, _: &'a str) -> Roster<&'a str> {
        roster
    }

    fn borrowed<'b, 'a: 'b>(roster: &'b Roster<&'static str>) -> &'b Roster<&'a str> {
        roster
    }

    #[allow(clippy::type_complexity, reason = "all of them")]
    fn read<'b, 'a: 'b>(
        iterators: (
            Iter<'b, &'static str>,
            Values<'b, &'static str>,
            Handles<'b, &'static str>,
            IntoIter<&'static str>,
        ),
    ) -> (Iter<'b, &'a str>, Values<'b, &'a str>, Handles<'b, &'a str>, IntoIter<&'a str>) {
        iterators
    }

    let mut roster = Roster::new();
    roster.insert("long");
    assert_eq!(borrowed(&roster).values().next(), Some(&"long"));
    let all = read((roster.iter(), roster.values(), roster.handles(), roster.clone().into_iter()));
    assert_eq!((all.0.len(), all.1.len(), all.2.len(), all.3.len()), (1, 1, 1, 1));
    let local = String::from("short");
    let mut roster = shorter(roster, &local);
    roster.insert(&local);
    assert_eq!(roster.len(), 2);
}

#[test]
#[allow(clippy::forget_non_drop, reason = "whether it has a destructor is its own affair")]
fn an_entry_that_is_not_filled_keeps_nothing() {
    let mut roster = Roster::bounded(1);
    let next = roster.vacant_entry().handle();
    for is_leaked in [false, true, true, false] {
        let entry = roster.vacant_entry();
        assert_eq!(entry.handle(), next);
        if is_leaked {
            std::mem::forget(entry);
        }
    }
    let stats = roster.stats();
    assert_eq!((stats.live, stats.detached), (0, 0));
    assert!(!roster.contains(next) && !roster.release(next));
    assert_eq!(roster.try_reattach(next, "again"), Err("again"));
    let handle = roster.insert("here");
    assert_eq!((handle, handle.generation()), (next, 1));
    assert!(roster.try_vacant_entry().is_err(), "one slot, which is taken");
    roster.remove(handle);
    let entry = roster.vacant_entry();
    let handle = entry.handle();
    assert_eq!(format!("{entry:?}"), format!("VacantEntry {{ handle: {handle:?} }}"));
    let element: &mut &str = entry.insert("there");
    *element = "changed";
    assert_eq!((roster.order().index_of(handle), roster[handle]), (Some(0), "changed"));
    roster.remove(handle);
    assert_eq!(roster.vacant_entry().insert("with an order"), &"with an order");
    assert_eq!(roster.order().handle_at(0), roster.handles().next());
}

#[test]
fn only_a_reference_to_an_element_has_a_handle() {
    #[derive(Clone, PartialEq)]
    struct Pair([u64; 2]);

    let mut roster = Roster::new();
    let handles: Vec<_> = (0..3000).map(|n| roster.insert(Pair([n, n]))).collect();
    let copy = roster.clone();
    let element = Pair([7, 7]);
    assert_eq!(roster.handle_of(&element), None);
    for &handle in &handles {
        assert_eq!(roster.handle_of(&roster[handle]), Some(handle));
        assert_eq!(roster.handle_of(&copy[handle]), None);
    }
    let found = roster.values().find(|pair| pair.0 == [2999; 2]).unwrap();
    assert_eq!(roster.handle_of(found), Some(handles[2999]));

    let numbers: Roster<[u8; 3]> = (0..100).map(|n| [n; 3]).collect();
    for (handle, number) in &numbers {
        assert_eq!(numbers.handle_of(number), Some(handle));
    }
    let nothings: Roster<()> = [(), ()].into_iter().collect();
    assert_eq!(nothings.handle_of(&()), None, "of no size");
    assert_eq!(Roster::new().handle_of(&1), None);
}

#[test]
fn equal_rosters_have_equal_elements_behind_the_same_handles() {
    let mut roster: Roster<String> = ["a", "b", "c"].map(String::from).into_iter().collect();
    let mut other = roster.clone();
    assert_eq!(roster, other);
    // What is not live makes no difference.
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
    let mut asked = 0;
    let mut odd = roster.extract_if(|_, n| {
        asked += 1;
        *n % 2 == 1
    });
    assert_eq!(odd.size_hint(), (0, Some(200)));
    assert_eq!(odd.next().map(|(_, n)| n), Some(1));
    assert_eq!(odd.next().map(|(_, n)| n), Some(3));
    assert_eq!(format!("{odd:?}"), "ExtractIf { .. }");
    drop(odd);
    assert_eq!((asked, roster.len()), (4, 198));
    std::mem::forget(roster.extract_if(|_, _| true));
    assert_eq!(roster.len(), 198);
    let mut all = roster.extract_if(|_, _| true);
    assert_eq!(all.by_ref().count(), 198);
    assert!(all.next().is_none());
    assert!(roster.is_empty());
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
