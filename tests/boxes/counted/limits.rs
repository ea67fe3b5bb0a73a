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
    assert_eq!((error.capacity(), error.name()), (2, "both"));
    assert_eq!(error.into_inner().0, 5);
    assert!(PoolRc::try_new(Both::default()).is_err());
    let panic = catch_unwind(|| PoolRc::<Both>::new_cyclic(|_| unreachable!())).unwrap_err();
    assert!(panic.downcast_ref::<String>().unwrap().contains("the pool of `both` is exhausted"));

    let stats = Both::pool_stats();
    assert_eq!((stats.name, stats.live, stats.high_water), ("both", 2, 2));
    assert_eq!((stats.capacity, stats.limit, stats.chunks), (2, Some(2), 1));
    assert_eq!(stats.slot_bytes, with_counts::<Both>());

    let weak = PoolRc::downgrade(&shared);
    drop(shared);
    assert_eq!(Both::pool_stats().live, 2, "the slot waits for the weak pointer");
    assert!(PoolBox::try_new(Both(3)).is_err());
    drop(weak);
    assert_eq!(Both::pool_stats().live, 1);
    let boxes = [boxed, PoolBox::new(Both(3))];
    assert_eq!(boxes.map(|both| both.0), [1, 3]);
    assert_eq!(Both::pool_stats().live, 0);
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
