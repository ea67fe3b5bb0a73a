//! Constructors, destructors and clones that panic, and pointers that go where they do.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};

use typed_pool::{FreeList, PoolArc, PoolRc, Pooled, any, init};

fn panics<R>(f: impl FnOnce() -> R) {
    assert!(catch_unwind(AssertUnwindSafe(f)).is_err());
}

#[test]
fn what_fails_gives_its_slot_back() {
    #[derive(Pooled, Debug)]
    #[pool(capacity = 1, rc)]
    struct Element(u64);

    impl Default for Element {
        fn default() -> Self {
            panic!("no element")
        }
    }

    panics(PoolRc::<Element>::default);
    panics(|| PoolRc::<Element>::init(init!(Element { 0: "x".parse().unwrap() })));
    panics(|| PoolRc::<Element>::new_cyclic(|_| panic!("no element")));
    assert_eq!(Element::pool_stats().live, 0);
    assert_eq!(PoolRc::new(Element(7)).0, 7, "the one slot is there");
}

/// For Miri: a reference to a slot of such a type would be undefined.
#[test]
fn slots_of_a_type_without_values_go_back() {
    #[derive(Pooled)]
    #[pool(rc)]
    struct Unmade(#[expect(dead_code, reason = "has a size")] u64, Infallible);

    drop(Unmade::pool_vacant());
    panics(|| Unmade::pool_alloc_with(|| panic!("no element")));
    panics(|| PoolRc::<Unmade>::new_cyclic(|_| panic!("no element")));
    panics(|| any::Box::<Unmade>::new_with(|| panic!("no element")));
    panics(|| any::Rc::<Unmade>::new_cyclic(|_| panic!("no element")));
    panics(|| any::Rc::<Infallible>::new_cyclic(|_| panic!("no element")));
    let pool = FreeList::<Unmade>::new();
    drop(pool.vacant());
    assert_eq!((Unmade::pool_stats().live, pool.stats().live), (0, 0));
}

#[test]
fn a_destructor_that_panics_gives_its_slot_back() {
    #[derive(Pooled)]
    #[pool(static, capacity = 1, rc)]
    struct Loud(#[expect(dead_code, reason = "has a size")] u64);

    impl Drop for Loud {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }

    for _ in 0..3 {
        let loud = PoolArc::new(Loud(1));
        let other = PoolArc::clone(&loud);
        drop(loud);
        panics(|| drop(other));
        assert_eq!(Loud::pool_stats().live, 0);

        let loud = PoolArc::new(Loud(1));
        let weak = PoolArc::downgrade(&loud);
        panics(|| drop(loud));
        assert_eq!(Loud::pool_stats().live, 1);
        assert!(weak.upgrade().is_none());
        drop(weak);
        assert_eq!(Loud::pool_stats().live, 0);
    }
}

#[test]
fn a_make_mut_that_fails_has_changed_nothing() {
    #[derive(Pooled, Debug)]
    #[pool(capacity = 2, rc)]
    struct Element(u64);

    impl Clone for Element {
        fn clone(&self) -> Self {
            panic!("no clone")
        }
    }

    let mut one = PoolRc::new(Element(1));
    let other = PoolRc::clone(&one);
    panics(|| PoolRc::make_mut(&mut one).0 = 9);
    assert_eq!((one.0, PoolRc::strong_count(&one), Element::pool_stats().live), (1, 2, 1));
    drop(other);
    assert_eq!(PoolRc::strong_count(&one), 1);

    // No slot for it to move to.
    let (weak, full) = (PoolRc::downgrade(&one), PoolRc::new(Element(2)));
    panics(|| PoolRc::make_mut(&mut one).0 = 9);
    assert_eq!((one.0, weak.upgrade().map(|same| same.0)), (1, Some(1)));
    drop(full);
    PoolRc::make_mut(&mut one).0 = 9;
    assert_eq!((one.0, weak.upgrade().is_none()), (9, true));
    drop((one, weak));
    assert_eq!(Element::pool_stats().live, 0);
}
