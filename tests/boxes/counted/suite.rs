//! Shared elements, with either kind of pointer and in any pool.

use std::cell::Cell;
use std::collections::{BTreeSet, HashSet};
use std::marker::PhantomPinned;
use std::mem::ManuallyDrop;

use typed_pool::init::TryInitError;
use typed_pool::{Exhausted, init, try_init};

use super::{Counted, CountedWeak, PoolBox, Pooled, alone};

thread_local! {
    static DROPPED: Cell<u64> = const { Cell::new(0) };
}

/// Counts its destructor's runs.
#[derive(Debug, Default, Clone, PartialEq)]
struct Noted(u64);

impl Drop for Noted {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
    }
}

/// How many were dropped in `f`.
fn dropped<R>(f: impl FnOnce() -> R) -> (u64, R) {
    let before = DROPPED.get();
    let result = f();
    (DROPPED.get() - before, result)
}

#[test]
fn the_last_owner_drops_the_element() {
    let _alone = alone();
    pooled! {
        struct Element(Noted);
    }

    assert_eq!(size_of::<Counted<Element>>(), size_of::<usize>());
    assert_eq!(size_of::<Option<Counted<Element>>>(), size_of::<usize>());
    assert_eq!(size_of::<Option<CountedWeak<Element>>>(), size_of::<usize>());

    let first = Counted::new(Element(Noted(7)));
    let second = Counted::clone(&first);
    assert!(Counted::ptr_eq(&first, &second));
    assert_eq!((Counted::strong_count(&first), Counted::weak_count(&first)), (2, 0));
    assert_eq!((first.0.0, second.0.0, Element::pool_stats().live), (7, 7, 1));
    assert_eq!(dropped(|| drop(first)).0, 0);
    assert_eq!((second.0.0, Counted::strong_count(&second)), (7, 1));
    assert_eq!(dropped(|| drop(second)).0, 1);
    assert_eq!(Element::pool_stats().live, 0);
}

#[test]
fn a_weak_pointer_keeps_the_slot_and_not_the_element() {
    let _alone = alone();
    pooled! {
        struct Element(Noted);
    }

    let strong = Counted::new(Element(Noted(7)));
    let weak = Counted::downgrade(&strong);
    let other = weak.clone();
    assert!(weak.ptr_eq(&other));
    assert!(!weak.ptr_eq(&CountedWeak::new()));
    assert_eq!((Counted::strong_count(&strong), Counted::weak_count(&strong)), (1, 2));
    let again = weak.upgrade().unwrap();
    assert_eq!((again.0.0, weak.strong_count(), Counted::weak_count(&again)), (7, 2, 2));
    drop(strong);
    assert_eq!(dropped(|| drop(again)).0, 1);
    assert!(weak.upgrade().is_none());
    assert_eq!(weak.strong_count(), 0);
    drop(weak);
    assert_eq!(Element::pool_stats().live, 1);
    assert_eq!(format!("{other:?}"), "(Weak)");
    assert_eq!(dropped(|| drop(other)).0, 0);
    assert_eq!(Element::pool_stats().live, 0);

    let nothing = CountedWeak::<Element>::default();
    let same = nothing.clone();
    assert!(
        nothing.upgrade().is_none() && nothing.ptr_eq(&same) && same.ptr_eq(&CountedWeak::new())
    );
    assert_eq!(nothing.strong_count(), 0);
    assert_eq!(Element::pool_stats().live, 0);
}

/// Each way once: the model of random programs is too slow for Miri.
#[test]
fn owners_write_take_and_come_back() {
    let _alone = alone();
    pooled! {
        #[derive(Clone, Debug)]
        struct Element(Noted);
    }

    let mut one = Counted::new(Element(Noted(1)));
    Counted::get_mut(&mut one).unwrap().0.0 = 2;
    let mut two = Counted::clone(&one);
    assert!(Counted::get_mut(&mut one).is_none());
    // Another owner: the element is cloned. A weak pointer: it moves, and the pointer finds nothing.
    Counted::make_mut(&mut two).0.0 = 3;
    let weak = Counted::downgrade(&one);
    assert_eq!(dropped(|| Counted::make_mut(&mut one).0.0 = 4).0, 0);
    assert_eq!((one.0.0, two.0.0, weak.upgrade().is_none()), (4, 3, true));
    let shared = one.clone();
    let one = Counted::try_unwrap(one).unwrap_err();
    assert_eq!(dropped(|| Counted::into_inner(shared).is_none()), (0, true));
    assert_eq!(dropped(|| Counted::into_inner(one).map(|element| element.0.0)), (1, Some(4)));

    let raw = Counted::into_raw(two);
    // SAFETY: `raw` owns the element; this pointer is only cloned.
    let held = ManuallyDrop::new(unsafe { Counted::from_raw(raw) });
    let one = Counted::clone(&held);
    // SAFETY: the one pointer that was turned into `raw`.
    drop(unsafe { Counted::<Element>::from_raw(raw) });
    assert_eq!((one.0.0, Counted::strong_count(&one)), (3, 1));
    drop((one, weak));
    assert_eq!(Element::pool_stats().live, 0);
}

#[test]
fn an_element_may_know_itself() {
    let _alone = alone();
    pooled! {
        struct Element(CountedWeak<Element>);
    }

    let made = Counted::new_cyclic(|this| {
        assert!(this.upgrade().is_none());
        assert_eq!(this.strong_count(), 0);
        Element(this.clone())
    });
    assert!(Counted::ptr_eq(&made, &made.0.upgrade().unwrap()));
    drop(made);
    assert_eq!(Element::pool_stats().live, 0);
}

#[test]
fn the_traits_are_those_of_the_element() {
    let _alone = alone();
    pooled! {
        #[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        struct Name(String);
    }

    impl std::fmt::Display for Name {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(&self.0)
        }
    }

    impl std::error::Error for Name {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&std::fmt::Error)
        }
    }

    fn error(error: impl std::error::Error) -> String {
        format!("{error}: {}", error.source().unwrap())
    }
    fn unpin<T: Unpin + std::panic::UnwindSafe>() {}
    unpin::<Counted<Name>>();
    unpin::<CountedWeak<Name>>();

    let name = Counted::new(Name("wolf".into()));
    assert_eq!((name.to_string(), format!("{name:?}")), ("wolf".into(), "Name(\"wolf\")".into()));
    assert_eq!(format!("{name:p}"), format!("{:p}", Counted::as_ptr(&name)));
    assert_eq!(error(Counted::clone(&name)), format!("wolf: {}", std::fmt::Error));
    assert!(name == Counted::from(Name("wolf".into())) && name > Counted::default());
    assert_eq!(AsRef::<Name>::as_ref(&name).0.len(), 4);
    let sorted = BTreeSet::from([name.clone(), Counted::default()]);
    assert_eq!(sorted.first().unwrap().0, "");
    let set = HashSet::from([name]);
    assert!(set.contains(&Name("wolf".into())));
}

#[test]
fn elements_are_compared_by_their_own_eq_even_with_themselves() {
    let _alone = alone();
    pooled! {
        struct Name(Cell<usize>);
    }

    impl PartialEq for Name {
        fn eq(&self, other: &Self) -> bool {
            self.0.set(self.0.get() + 1);
            self.0.get() == other.0.get()
        }
    }
    impl Eq for Name {}

    let name = Counted::new(Name(Cell::new(0)));
    let same = Counted::clone(&name);
    assert!(name == same);
    assert_eq!(name.0.get(), 1, "`eq` was called");
    assert!(Counted::ptr_eq(&name, &same));
    assert_eq!(name.0.get(), 1, "addresses were compared");
}

#[test]
fn elements_are_built_in_their_slots() {
    let _alone = alone();
    pooled! {
        struct Map {
            level: u32,
            cells: [u8; 1024],
        }
    }
    pooled! {
        struct Waiter {
            id: u64,
            _pinned: PhantomPinned,
        }
    }

    let Ok(map) = Counted::<Map>::init(init!(Map { level: 1, cells <- init::zeroed() }));
    let with = Counted::from(PoolBox::new_with(|| Map { level: 2, cells: [2; 1024] }));
    let tried = Map { level: 3, cells: [3; 1024] };
    let tried = Counted::try_init(init::value(tried)).ok().unwrap();
    let made = Counted::try_new(Map { level: 4, cells: [4; 1024] }).map_err(Exhausted::into_inner);
    let made = made.ok().unwrap();
    for (n, map) in [&map, &with, &tried, &made].into_iter().enumerate() {
        assert_eq!(map.level as usize, n + 1);
        assert!(map.cells[0] == map.cells[1023]);
    }
    let failed = Counted::<Map>::try_init(try_init!(Map {
        level: "x".parse::<u32>()?, cells: [0; 1024]
    } ? std::num::ParseIntError));
    assert!(matches!(failed, Err(TryInitError::Init(_))));
    assert_eq!(Map::pool_stats().live, 4);

    let pinned = Counted::pin(Waiter { id: 7, _pinned: PhantomPinned });
    let clone = pinned.clone();
    assert_eq!((pinned.id, clone.id), (7, 7));
}

/// Counts and elements of any size and alignment have bytes of their own, and boxes beside them too.
#[test]
fn slots_are_apart() {
    let _alone = alone();
    macro_rules! check {
        ($Type:ident) => {
            let make = |n: u8| $Type([n; size_of::<$Type>()]);
            let all: Vec<_> = (0..100).map(|n| Counted::new(make(n))).collect();
            let boxes: Vec<_> = (100..200).map(|n| PoolBox::new(make(n))).collect();
            let clones: Vec<_> = all.iter().rev().map(Counted::clone).collect();
            let weak: Vec<_> = all.iter().map(Counted::downgrade).collect();
            let mut at: Vec<_> = all.iter().map(|e| Counted::as_ptr(e).addr()).collect();
            at.extend(boxes.iter().map(|e| PoolBox::as_ptr(e).addr()));
            assert!(at.iter().all(|at| at % align_of::<$Type>() == 0));
            at.sort_unstable();
            assert!(at.windows(2).all(|pair| pair[1] - pair[0] >= size_of::<$Type>()));
            let each = all.iter().map(|e| &**e).chain(boxes.iter().map(|e| &**e));
            assert!(each.zip(0..).all(|(e, n)| e.0.iter().all(|&byte| byte == n)));
            assert!(
                all.iter().all(|e| (Counted::strong_count(e), Counted::weak_count(e)) == (2, 1))
            );
            assert_eq!($Type::pool_stats().live, 200);
            drop((all, boxes, clones, weak));
            assert_eq!($Type::pool_stats().live, 0);
        };
    }

    pooled! {
        struct Nine([u8; 9]);
    }
    pooled! {
        #[repr(align(64))]
        struct Line([u8; 64]);
    }
    check!(Nine);
    check!(Line);
}
