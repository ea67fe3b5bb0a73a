//! Reserved slots as `Box<MaybeUninit<T>>`, moves between heap and pool, many elements at once.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use typed_pool::{PoolBox, Pooled, Vacant};

thread_local! {
    static DROPPED: Cell<u64> = const { Cell::new(0) };
}

/// Counts its destructor's runs.
#[derive(Debug, PartialEq)]
struct Noted(usize);

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

fn message(panic: Box<dyn std::any::Any + Send>) -> String {
    *panic.downcast::<String>().expect("a panic with a formatted message")
}

#[test]
fn a_reserved_slot_is_written_to_and_becomes_a_box() {
    pooled! {
        struct Element(Noted, String);
    }

    let slot: Vacant<Element> = Element::pool_vacant();
    assert_eq!((size_of_val(&slot), Element::pool_stats().live), (size_of::<usize>(), 1));
    let written: PoolBox<Element> = slot.fill(Element(Noted(1), "one".into()));
    assert_eq!((written.0.0, &*written.1), (1, "one"));
    assert_eq!(dropped(|| drop(written)).0, 1);

    let mut slot = Element::pool_try_vacant().unwrap();
    let at = slot.as_mut_ptr();
    // SAFETY: the slot has room for an element.
    unsafe { at.write(Element(Noted(2), "two".into())) };
    // SAFETY: it was written.
    let boxed = unsafe { slot.assume_init() };
    assert_eq!((PoolBox::as_ptr(&boxed), &*boxed.1), (at.cast_const(), "two"));

    let mut slot = Element::pool_vacant();
    // SAFETY: the slot has room for an element.
    unsafe { slot.as_mut_ptr().write(Element(Noted(3), "three".into())) };
    // SAFETY: it was written.
    let other = unsafe { slot.assume_init() };
    assert_eq!((other.0.0, &*boxed.1, Element::pool_stats().live), (3, "two", 2));
    assert_eq!(dropped(|| drop((boxed, other))).0, 2);
    assert_eq!(Element::pool_stats().live, 0);
}

#[test]
fn what_was_written_into_a_slot_that_goes_back_is_not_dropped() {
    pooled! {
        struct Element(Noted);
    }

    let mut slot = Element::pool_vacant();
    // SAFETY: the slot has room for an element.
    unsafe { slot.as_mut_ptr().write(Element(Noted(1))) };
    assert_eq!((dropped(|| drop(slot)).0, Element::pool_stats().live), (0, 0));
    let panicked = catch_unwind(|| {
        let mut slot = Element::pool_vacant();
        // SAFETY: the slot has room for an element.
        unsafe { slot.as_mut_ptr().write(Element(Noted(2))) };
        panic!("before it was said that it is there");
    });
    assert_eq!((panicked.is_err(), Element::pool_stats().live), (true, 0));
    // The next does not find what was left.
    assert_eq!(PoolBox::new(Element(Noted(3))).0.0, 3);
}

#[test]
fn a_full_pool_has_no_slot_to_reserve() {
    pooled! {
        struct Element(Noted);
    }

    let all: Vec<_> = (0..200).map(|_| Element::pool_vacant()).collect();
    let error = Element::pool_try_vacant().unwrap_err();
    assert!(error.to_string().contains("all 200 slots are occupied"), "{error}");
    let panic = message(catch_unwind(Element::pool_vacant).unwrap_err());
    assert_eq!(panic, error.to_string());
    drop(all);
    assert_eq!(Element::pool_stats().live, 0);
}

#[test]
fn many_elements_are_made_at_once() {
    pooled! {
        #[derive(Debug)]
        struct Element(Noted);
    }

    let from_iterator: Vec<PoolBox<Element>> =
        Element::pool_alloc_many((0..100).map(|n| Element(Noted(n))));
    let from_array = Element::pool_alloc_many([100, 101].map(|n| Element(Noted(n))));
    let from_vec = Element::pool_alloc_many(vec![Element(Noted(102))]);
    let all: Vec<_> = [from_iterator, from_array, from_vec].into_iter().flatten().collect();
    assert!(all.iter().map(|element| element.0.0).eq(0..103));
    assert_eq!(Element::pool_stats().live, 103);
    assert!(Element::pool_alloc_many([]).is_empty());
    assert_eq!(dropped(|| drop(all)).0, 103);
    assert_eq!(Element::pool_stats().live, 0);
}

#[test]
fn where_a_slot_is_missing_those_that_were_made_are_dropped() {
    pooled! {
        #[derive(Debug)]
        struct Element(Noted);
    }

    let few = Element::pool_alloc_many((0..50).map(|n| Element(Noted(n))));
    let more = (0..160).map(|n| Element(Noted(n)));
    let (count, panic) =
        dropped(|| catch_unwind(AssertUnwindSafe(|| Element::pool_alloc_many(more))).unwrap_err());
    assert!(message(panic).contains("all 200 slots are occupied"));
    assert_eq!((count, Element::pool_stats().live), (151, 50), "those that were made, and one more");
    let rest = Element::pool_alloc_many((0..150).map(|n| Element(Noted(n))));
    assert_eq!((rest.len(), few.len(), Element::pool_stats().live), (150, 50, 200));
}

#[test]
fn an_iterator_that_panics_leaves_nothing_behind() {
    pooled! {
        struct Element(Noted);
    }

    let values = (0..100).map(|n| if n < 60 { Element(Noted(n)) } else { panic!("at {n}") });
    let (count, panicked) =
        dropped(|| catch_unwind(AssertUnwindSafe(|| Element::pool_alloc_many(values))).is_err());
    assert_eq!((count, panicked, Element::pool_stats().live), (60, true, 0));
}

#[test]
fn an_iterator_may_be_wrong_about_its_length() {
    struct Says(usize, std::ops::Range<usize>);

    impl Iterator for Says {
        type Item = usize;

        fn next(&mut self) -> Option<usize> {
            self.1.next()
        }

        fn size_hint(&self) -> (usize, Option<usize>) {
            (self.0, Some(self.0))
        }
    }

    impl ExactSizeIterator for Says {}

    pooled! {
        struct Element(Noted);
    }

    let fewer = Element::pool_alloc_many(Says(10, 0..3).map(|n| Element(Noted(n))));
    assert_eq!((fewer.len(), Element::pool_stats().live), (3, 3));
    let more = Element::pool_alloc_many(Says(3, 3..10).map(|n| Element(Noted(n))));
    assert_eq!((more.len(), Element::pool_stats().live), (7, 10));
    assert!(fewer.iter().chain(&more).map(|element| element.0.0).eq(0..10));
    let wild = Says(usize::MAX, 10..12).map(|n| Element(Noted(n)));
    assert_eq!(Element::pool_alloc_many(wild).len(), 2);
}

#[test]
fn values_may_use_the_pool_in_which_they_are_to_be() {
    pooled! {
        #[derive(Debug)]
        struct Element(usize, Option<PoolBox<Element>>);
    }

    let values = |count| {
        (0..count).map(|n| Element(n, Some(PoolBox::new(Element(n + 100, None)))))
    };
    let all = Element::pool_alloc_many(values(50));
    assert_eq!(Element::pool_stats().live, 100);
    let sum = |element: &PoolBox<Element>| element.0 + element.1.as_ref().unwrap().0;
    assert!(all.iter().map(sum).eq((0..50).map(|n| 2 * n + 100)));
    drop(all);
    assert_eq!(Element::pool_stats().live, 0);
}
