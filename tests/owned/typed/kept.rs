//! Boxes that keep their pool alive: `PoolBoxIn<T, Rc<Pool<T>>>`.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::{Rc, Weak};

use typed_pool::{PoolBoxIn, Vacant, init};

use super::Pool;

type Kept<T> = PoolBoxIn<T, Rc<Pool<T>>>;

#[test]
fn a_box_keeps_its_pool_alive() {
    let pool = Rc::new(Pool::new());
    let weak = Rc::downgrade(&pool);
    let boxes: Vec<Kept<String>> =
        (0..100).map(|n| PoolBoxIn::new_in(format!("number {n}"), pool.clone())).collect();
    assert_eq!((Rc::strong_count(&pool), pool.stats().live), (101, 100));
    drop(pool);
    let mut boxes = boxes.into_iter().rev();
    let last = boxes.next().unwrap();
    drop(boxes);
    assert_eq!((&**last, PoolBoxIn::pool(&last).stats().live), ("number 99", 1));
    drop(last);
    assert_eq!(weak.strong_count(), 0, "it went with its last box");
}

#[test]
fn the_pool_goes_after_the_slot_of_its_last_box() {
    /// Looks at the pool while it is dropped.
    struct Looks(Weak<Pool<Looks>>, Rc<Cell<usize>>);

    impl Drop for Looks {
        fn drop(&mut self) {
            let pool = self.0.upgrade().expect("the box has it");
            self.1.set(pool.stats().live);
        }
    }

    let seen = Rc::new(Cell::new(0));
    let pool = Rc::new(Pool::new());
    let weak = Rc::downgrade(&pool);
    let last = PoolBoxIn::new_in(Looks(weak.clone(), seen.clone()), pool);
    drop(last);
    assert_eq!((seen.get(), weak.strong_count()), (1, 0));

    /// Panics as well.
    struct Fails;

    impl Drop for Fails {
        fn drop(&mut self) {
            panic!("as it was told");
        }
    }

    let pool = Rc::new(Pool::new());
    let weak = Rc::downgrade(&pool);
    let [first, last] = [(); 2].map(|()| PoolBoxIn::new_in((Fails, 7_u64), pool.clone()));
    drop(pool);
    assert!(catch_unwind(AssertUnwindSafe(|| drop(first))).is_err());
    assert_eq!(weak.upgrade().map(|pool| pool.stats().live), Some(1));
    assert!(catch_unwind(AssertUnwindSafe(|| drop(last))).is_err());
    assert_eq!(weak.strong_count(), 0);
}

#[test]
fn a_leaked_element_keeps_its_pool_for_ever() {
    let pool = Rc::new(Pool::new());
    let weak = Rc::downgrade(&pool);
    let leaked: &'static mut String = PoolBoxIn::leak(PoolBoxIn::new_in("leaked".to_owned(), pool));
    leaked.push('!');
    assert_eq!((&**leaked, weak.strong_count()), ("leaked!", 1));
    let pool = weak.upgrade().unwrap();
    assert_eq!(pool.stats().live, 1);

    // For leak checkers: all is brought back.
    // SAFETY: the reference is used no more, and a `String` fills its slot.
    drop(unsafe { PoolBoxIn::from_raw_in(leaked, pool.clone()) });
    let pool = Rc::into_raw(pool);
    // SAFETY: this is the `Rc` that `leak` has left ...
    unsafe { Rc::decrement_strong_count(pool) };
    // SAFETY: ... and this one has just been taken apart.
    unsafe { Rc::decrement_strong_count(pool) };
    assert_eq!(weak.strong_count(), 0);
}

#[test]
fn raw_pointers_go_out_and_come_back() {
    let pool = Rc::new(Pool::new());
    let raw = PoolBoxIn::into_raw(PoolBoxIn::new_in(String::from("raw"), pool.clone()));
    assert_eq!(
        (Rc::strong_count(&pool), pool.stats().live),
        (1, 1),
        "the box has given up its own"
    );
    // SAFETY: it came from `into_raw` of a box of this pool, which has lived since.
    let back = unsafe { PoolBoxIn::from_raw_in(raw, pool.clone()) };
    assert_eq!((&**back, Rc::strong_count(&pool)), ("raw", 2));

    // A box that borrows the pool has slots of the same kind.
    let raw = PoolBoxIn::into_raw(pool.alloc("borrowed".into()));
    // SAFETY: as above.
    let other = unsafe { PoolBoxIn::from_raw_in(raw, pool.clone()) };
    drop(pool);
    assert_eq!((&**back, &**other), ("raw", "borrowed"));
}

#[test]
fn the_element_moves_out_and_the_pool_goes() {
    let pool = Rc::new(Pool::new());
    let weak = Rc::downgrade(&pool);
    assert_eq!(PoolBoxIn::into_inner(PoolBoxIn::new_in(String::from("one"), pool)), "one");
    assert_eq!(weak.strong_count(), 0);
}

#[test]
fn a_clone_is_of_the_same_pool_and_keeps_it_too() {
    let pool = Rc::new(Pool::bounded(2));
    let weak = Rc::downgrade(&pool);
    let one = PoolBoxIn::new_in(String::from("text"), pool);
    let other = one.clone();
    assert!(Rc::ptr_eq(PoolBoxIn::pool(&one), PoolBoxIn::pool(&other)) && one == other);
    assert!(catch_unwind(AssertUnwindSafe(|| other.clone())).is_err());
    drop(one);
    assert_eq!((&**other, weak.strong_count()), ("text", 1));
}

#[test]
fn a_full_pool_gives_the_value_back() {
    let pool = Rc::new(Pool::bounded(1));
    let first = PoolBoxIn::try_new_in(String::from("first"), pool.clone()).unwrap();
    let error = PoolBoxIn::try_new_in(String::from("second"), pool.clone()).unwrap_err();
    assert!(error.to_string().contains("its only slot is occupied"), "{error}");
    assert_eq!((error.into_inner(), Rc::strong_count(&pool)), ("second".into(), 2));
    assert!(Vacant::try_new_in(pool.clone()).is_err());
    let refused = AssertUnwindSafe(|| PoolBoxIn::new_in(String::from("third"), pool.clone()));
    assert!(catch_unwind(refused).is_err());
    drop(first);
    assert_eq!((Rc::strong_count(&pool), pool.stats().live), (1, 0));
}

#[test]
fn a_reserved_slot_keeps_its_pool_alive() {
    let pool = Rc::new(Pool::<[u64; 4]>::new());
    let weak = Rc::downgrade(&pool);
    let (slot, unused) = (Vacant::new_in(pool.clone()), Vacant::new_in(pool));
    drop(unused);
    assert_eq!(weak.upgrade().unwrap().stats().live, 1);
    let Ok(zeros) = slot.init(init::zeroed());
    assert_eq!(*zeros, [0; 4]);
    drop(zeros);
    assert_eq!(weak.strong_count(), 0);
    drop(Vacant::new_in(Rc::new(Pool::<u64>::new())));
    let failed = || Vacant::new_in(Rc::new(Pool::<u64>::new())).fill_with(|| panic!());
    assert!(catch_unwind(failed).is_err());
}

#[test]
fn elements_may_hold_boxes_of_their_own_pool() {
    struct Link(u64, Option<Kept<Link>>);

    let pool = Rc::new(Pool::new());
    let weak = Rc::downgrade(&pool);
    let mut first: Option<Kept<Link>> = None;
    for n in 0..100 {
        first = Some(PoolBoxIn::new_in(Link(n, first), pool.clone()));
    }
    drop(pool);
    let Link(n, rest) = PoolBoxIn::into_inner(first.unwrap());
    assert_eq!((n, weak.upgrade().unwrap().stats().live), (99, 99));
    drop(rest);
    assert_eq!(weak.strong_count(), 0);
}
