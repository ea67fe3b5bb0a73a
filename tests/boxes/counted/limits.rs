//! Limits and figures: boxes and shared elements take their slots from one pool.

use std::panic::catch_unwind;

use typed_pool::{PoolArc, PoolBox, PoolRc, Pooled};

/// Bytes of a slot for a `T` with its two counts.
fn with_counts<T>() -> usize {
    #[repr(C)]
    struct WithCounts<T>([usize; 2], T);
    size_of::<WithCounts<T>>()
}

#[test]
fn a_limit_holds_for_both_together() {
    #[derive(Pooled, Debug, Default)]
    #[pool(capacity = 2, name = "both", rc)]
    struct Both(u64);

    let boxed = PoolBox::new(Both(1));
    let shared = PoolRc::new(Both(2));
    assert!(PoolBox::try_new(Both(3)).is_err() && Both::pool_try_vacant().is_err());
    let error = PoolRc::try_new(Both(5)).unwrap_err();
    assert_eq!((error.capacity(), error.pool()), (2, "both"));
    assert_eq!(error.into_inner().0, 5);
    assert!(PoolRc::try_new_with(Both::default).is_err());
    let panic = catch_unwind(|| PoolRc::new(Both(5))).unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    assert_eq!(
        *message,
        "the pool of `both` is exhausted: all 2 slots are occupied; free some, or raise `capacity` in \
         `#[pool(..)]`"
    );
    let panic = catch_unwind(|| PoolRc::<Both>::new_cyclic(|_| unreachable!())).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>(), Some(message));

    let stats = Both::pool_stats();
    assert_eq!((stats.name, stats.live, stats.high_water), ("both", 2, 2));
    assert_eq!((stats.capacity, stats.limit, stats.chunks), (2, Some(2), 1));
    assert_eq!(stats.slot_bytes, with_counts::<Both>());

    let weak = PoolRc::downgrade(&shared);
    drop(shared);
    assert_eq!(Both::pool_stats().live, 2, "the slot waits for the weak pointer");
    let full = PoolBox::try_new(Both(3)).unwrap_err().to_string();
    assert!(full.contains("all 2 slots are occupied; free some"), "{full}");
    drop(weak);
    assert_eq!(Both::pool_stats().live, 1);
    let boxes = [boxed, PoolBox::new(Both(3))];
    assert_eq!(boxes.map(|both| both.0), [1, 3]);
    assert_eq!(Both::pool_stats().live, 0);
}

#[test]
fn a_box_is_shared_where_it_is() {
    macro_rules! check {
        ($($Counted:ident $pool:tt;)*) => {$({
            #[derive(Pooled, Debug)]
            #[pool $pool]
            struct Element(u64);

            let mut boxed = PoolBox::new(Element(6));
            boxed.0 += 1;
            let (at, live) = (PoolBox::as_ptr(&boxed), Element::pool_stats().live);
            let shared = $Counted::from(boxed);
            let weak = $Counted::downgrade(&shared);
            assert_eq!(($Counted::as_ptr(&shared), shared.0), (at, 7));
            assert_eq!(($Counted::strong_count(&shared), $Counted::weak_count(&shared)), (1, 1));
            assert_eq!(Element::pool_stats().live, live, "the same slot");
            drop(shared);
            assert!(weak.upgrade().is_none());
            assert_eq!(Element::pool_stats().live, live);
            drop(weak);
            assert_eq!(Element::pool_stats().live, live - 1);
        })*};
    }
    check! {
        PoolRc(rc);
        PoolRc(rc, strategy = pointer_stack);
        PoolRc(rc, capacity = 3);
        PoolRc(rc, static);
        PoolArc(rc, static);
        PoolArc(rc, static, strategy = free_list);
        PoolArc(rc, static, max = 100);
        PoolArc(rc, static, capacity = 3);
        PoolArc(rc, static, capacity = 3, strategy = free_list);
    }
}

/// A vacant slot holds its link where the counts were.
#[test]
fn elements_may_be_smaller_than_a_link() {
    #[derive(Pooled, Debug)]
    #[pool(rc)]
    struct Small(u8);

    let shared: Vec<_> = (0..100).map(|n| PoolRc::new(Small(n))).collect();
    assert!(shared.iter().zip(0..).all(|(small, n)| small.0 == n));
    drop(shared);
    let boxes: Vec<_> = (0..100).map(|n| PoolBox::new(Small(n))).collect();
    assert!(boxes.iter().zip(0..).all(|(small, n)| small.0 == n));
    assert_eq!(Small::pool_stats().slot_bytes, with_counts::<Small>());
}

/// Counts, then the element: at its alignment, and found again from a raw pointer.
#[test]
fn elements_may_be_aligned_as_they_like() {
    #[derive(Pooled, Debug)]
    #[pool(rc)]
    #[repr(align(64))]
    struct Line(u8);

    let lines: Vec<_> = (0..20).map(|n| PoolBox::into_raw(PoolBox::new(Line(n)))).collect();
    assert!(lines.iter().all(|line| line.addr() % 64 == 0));
    // SAFETY: each has just come from `into_raw`, and is used no more.
    let boxes = lines.into_iter().map(|line| unsafe { PoolBox::from_raw(line) });
    let shared: Vec<_> = boxes.map(PoolRc::from).collect();
    assert!(shared.iter().zip(0..).all(|(line, n)| line.0 == n));
    assert_eq!(Line::pool_stats().slot_bytes, with_counts::<Line>());
}

#[test]
fn a_pool_without_a_name_is_called_by_its_type() {
    #[derive(Pooled, Debug)]
    #[pool(max = 1, strategy = pointer_stack, rc)]
    struct Nameless(#[expect(dead_code, reason = "printed")] u64);

    let kept = PoolRc::new(Nameless(1));
    let error = PoolRc::try_new(Nameless(2)).unwrap_err();
    assert!(error.pool().ends_with("::Nameless"), "{}", error.pool());
    assert!(error.to_string().contains("raise `max`"));
    drop(kept);
}

#[test]
fn reserve_makes_room_for_both_and_trim_gives_both_back() {
    #[derive(Pooled)]
    #[pool(rc)]
    struct Element([u64; 3]);

    Element::pool_reserve(1000);
    let stats = Element::pool_stats();
    assert_eq!((stats.capacity, stats.chunks), (1000, 1));
    assert!(stats.bytes >= 1000 * with_counts::<Element>());
    let shared: Vec<_> = (0..500).map(|n| PoolRc::new(Element([n; 3]))).collect();
    let boxes: Vec<_> = (0..500).map(|n| PoolBox::new(Element([n; 3]))).collect();
    assert!(shared.iter().zip(&boxes).zip(0..).all(|((s, b), n)| s.0 == [n; 3] && b.0 == [n; 3]));
    assert_eq!(Element::pool_stats().bytes, stats.bytes, "no other list");
    drop((shared, boxes));
    assert_eq!(Element::pool_trim(), stats.bytes);
    let stats = Element::pool_stats();
    assert_eq!((stats.bytes, stats.chunks, stats.live, stats.high_water), (0, 0, 0, 1000));
}

#[test]
fn in_a_static_of_fixed_size_all_slots_are_alike() {
    #[derive(Pooled, Debug)]
    #[pool(static, capacity = 3, rc)]
    struct Three(u64);

    let one = PoolBox::new(Three(1));
    let two = PoolArc::new(Three(2));
    let three = PoolRc::new(Three(3));
    assert_eq!(PoolArc::try_new(Three(4)).unwrap_err().into_inner().0, 4);
    assert!(PoolBox::try_new(Three(4)).is_err() && PoolRc::try_new(Three(4)).is_err());
    let stats = Three::pool_stats();
    assert_eq!((stats.live, stats.high_water, stats.capacity), (3, 3, 3));
    assert_eq!(stats.limit, Some(3));

    let weak = PoolArc::downgrade(&two);
    drop(two);
    assert!(PoolBox::try_new(Three(4)).is_err(), "the slot waits for the weak pointer");
    drop(weak);
    let four = PoolBox::new(Three(4));
    assert_eq!((one.0, three.0, four.0), (1, 3, 4));
    drop((one, three, four));
    assert_eq!(Three::pool_stats().live, 0);
}

#[test]
fn a_generic_type_has_counts_for_each_instance() {
    #[derive(Pooled)]
    #[pool(static, capacity = 2, rc, instances(Pair<u32>, Pair<u64>))]
    struct Pair<T>([T; 2]);

    let narrow = PoolArc::new(Pair([1_u32, 2]));
    let wide = [(); 2].map(|()| PoolArc::new(Pair([3_u64, 4])));
    let clones = [wide[0].clone(), wide[1].clone(), wide[1].clone()];
    assert_eq!(PoolArc::strong_count(&narrow), 1);
    assert_eq!(wide.each_ref().map(PoolArc::strong_count), [2, 3]);
    assert_eq!((narrow.0[1], clones[2].0[0]), (2, 3));
}

#[test]
fn a_static_pool_that_grows_has_one_limit() {
    #[derive(Pooled, Debug)]
    #[pool(static, max = 6, name = "both", rc)]
    struct Both(u64);

    let boxes: Vec<_> = (0..3).map(|n| PoolBox::new(Both(n))).collect();
    let shared: Vec<_> = (0..3).map(|n| PoolArc::new(Both(n))).collect();
    assert!(PoolBox::try_new(Both(3)).is_err());
    let error = PoolArc::try_new(Both(4)).unwrap_err();
    assert_eq!((error.pool(), error.capacity(), error.into_inner().0), ("both", 6, 4));
    let stats = Both::pool_stats();
    assert_eq!((stats.live, stats.limit, stats.slot_bytes), (6, Some(6), with_counts::<Both>()));
    assert!(boxes.iter().zip(&shared).all(|(b, shared)| b.0 == shared.0));
    drop((boxes, shared));
    assert!(Both::pool_stats().bytes > 0 && Both::pool_trim() > 0);
    assert_eq!((Both::pool_stats().live, Both::pool_stats().chunks), (0, 0));
}

/// Slots that another thread has freed, and those of a thread that has ended, are all there.
#[test]
fn no_slot_is_stranded() {
    #[derive(Pooled)]
    #[pool(static, rc)]
    struct Element([u64; 4]);

    for round in 0..20 {
        let make = || (0..5000).map(|n| PoolArc::new(Element([n; 4]))).collect::<Vec<_>>();
        let made = std::thread::spawn(make).join().unwrap();
        assert_eq!(Element::pool_stats().live, 5000);
        let clones = made.clone();
        let freed = std::thread::spawn(move || drop(made));
        assert!(clones.iter().zip(0..).all(|(element, n)| element.0 == [n; 4]));
        freed.join().unwrap();
        std::thread::spawn(move || drop(clones)).join().unwrap();
        assert_eq!(Element::pool_stats().live, 0);
        // Never-used slots leave the depot by the batch.
        assert!(Element::pool_stats().high_water < 5000 + 256, "round {round}");
    }
    Element::pool_trim();
    assert_eq!(Element::pool_stats().chunks, 0);
}
