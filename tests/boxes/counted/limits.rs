//! Limits and figures, where boxes and shared elements have slots of two kinds, and where of one.

use std::panic::catch_unwind;

use typed_pool::{PoolArc, PoolBox, PoolRc, Pooled};

#[test]
fn a_limit_holds_for_each_by_itself() {
    #[derive(Pooled, Debug, Default)]
    #[pool(capacity = 2, name = "both")]
    struct Both(u64);

    let boxes = [PoolBox::new(Both(1)), PoolBox::new(Both(2))];
    let stats = Both::pool_stats();
    assert_eq!((stats.live, stats.capacity, stats.limit), (2, 2, Some(2)), "as if alone");

    let shared = [PoolRc::new(Both(3)), PoolRc::default()];
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
    assert_eq!((stats.name, stats.live, stats.high_water), ("both", 4, 4));
    let chunks = if cfg!(feature = "passthrough") { 0 } else { 2 };
    assert_eq!((stats.capacity, stats.limit, stats.chunks), (4, Some(4), chunks));
    assert_eq!(stats.slot_bytes, size_of::<Both>());
    drop((boxes, shared));
    assert_eq!(Both::pool_stats().live, 0);
}

#[test]
fn a_pool_without_a_name_is_called_by_its_type() {
    #[derive(Pooled, Debug)]
    #[pool(max = 1, strategy = pointer_stack)]
    struct Nameless(#[expect(dead_code, reason = "printed")] u64);

    let kept = PoolRc::new(Nameless(1));
    let error = PoolRc::try_new(Nameless(2)).unwrap_err();
    assert!(error.pool().ends_with("::Nameless"), "{}", error.pool());
    assert!(error.to_string().contains("raise `max`"));
    drop(kept);
}

#[test]
#[cfg_attr(feature = "passthrough", ignore = "there are no chunks")]
fn trim_gives_back_both_and_reserve_makes_room_for_boxes() {
    #[derive(Pooled)]
    struct Element([u64; 3]);

    Element::pool_reserve(100);
    assert_eq!(Element::pool_stats().capacity, 100);
    let bytes = Element::pool_stats().bytes;
    let shared: Vec<_> = (0..1000).map(|n| PoolRc::new(Element([n; 3]))).collect();
    assert!(shared.iter().zip(0..).all(|(element, n)| element.0 == [n; 3]));
    let stats = Element::pool_stats();
    assert!(stats.bytes >= bytes + 1000 * (size_of::<Element>() + 2 * size_of::<usize>()));
    assert_eq!(Element::pool_trim(), bytes, "no box");
    drop(shared);
    assert!(Element::pool_trim() >= 1000 * size_of::<Element>());
    let stats = Element::pool_stats();
    assert_eq!((stats.bytes, stats.chunks, stats.live, stats.high_water), (0, 0, 0, 1000));
}

#[test]
fn in_a_static_of_fixed_size_all_slots_are_alike() {
    #[derive(Pooled, Debug)]
    #[pool(static, capacity = 3)]
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
    #[pool(static, capacity = 2, instances(Pair<u32>, Pair<u64>))]
    struct Pair<T>([T; 2]);

    let narrow = PoolArc::new(Pair([1_u32, 2]));
    let wide = [(); 2].map(|()| PoolArc::new(Pair([3_u64, 4])));
    let clones = [wide[0].clone(), wide[1].clone(), wide[1].clone()];
    assert_eq!(PoolArc::strong_count(&narrow), 1);
    assert_eq!(wide.each_ref().map(PoolArc::strong_count), [2, 3]);
    assert_eq!((narrow.0[1], clones[2].0[0]), (2, 3));
}

#[test]
fn a_static_pool_that_grows_has_two_of_everything() {
    #[derive(Pooled, Debug)]
    #[pool(static, max = 3, name = "both")]
    struct Both(u64);

    let boxes: Vec<_> = (0..3).map(|n| PoolBox::new(Both(n))).collect();
    assert!(PoolBox::try_new(Both(3)).is_err());
    assert_eq!((Both::pool_stats().live, Both::pool_stats().limit), (3, Some(3)));
    let shared: Vec<_> = (0..3).map(|n| PoolArc::new(Both(n))).collect();
    let error = PoolArc::try_new(Both(4)).unwrap_err();
    assert_eq!((error.pool(), error.capacity(), error.into_inner().0), ("both", 3, 4));
    let stats = Both::pool_stats();
    assert_eq!((stats.live, stats.limit, stats.slot_bytes), (6, Some(6), size_of::<Both>()));
    assert!(boxes.iter().zip(&shared).all(|(b, shared)| b.0 == shared.0));
    drop((boxes, shared));
    let has_chunks = !cfg!(feature = "passthrough");
    assert_eq!((Both::pool_stats().bytes > 0, Both::pool_trim() > 0), (has_chunks, has_chunks));
    assert_eq!((Both::pool_stats().live, Both::pool_stats().chunks), (0, 0));
}

/// Slots that another thread has freed, and those of a thread that has ended, are all there.
#[test]
fn no_slot_is_stranded() {
    #[derive(Pooled)]
    #[pool(static)]
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
