//! `PoolBox` has what `Box` has: its associated functions and its traits, for derived pools and
//! for owned ones.

use std::borrow::{Borrow, BorrowMut};
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::error::Error;
use std::fmt::{self, Debug, Display};
use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::marker::PhantomPinned;
use std::panic::{AssertUnwindSafe, RefUnwindSafe, UnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use typed_pool::{Exhausted, FreeList, PoolBox, PoolBoxIn, Pooled};

#[derive(Pooled, Debug, Default, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Monster {
    health: i64,
    name: String,
}

fn monster(health: i64) -> Monster {
    Monster { health, name: format!("monster {health}") }
}

impl Display for Monster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.health)
    }
}

#[test]
fn a_box_of_a_derived_type_is_one_word() {
    assert_eq!(size_of::<PoolBox<Monster>>(), size_of::<usize>());
    assert_eq!(size_of::<Option<PoolBox<Monster>>>(), size_of::<usize>());
    assert_eq!(size_of::<Option<PoolBoxIn<u8, &FreeList<u8>>>>(), 2 * size_of::<usize>());
}

#[test]
fn every_way_to_make_a_box() {
    let made: [PoolBox<Monster>; 6] = [
        Monster::pool_alloc(),
        PoolBox::default(),
        PoolBox::new(Monster::default()),
        PoolBox::from(Monster::default()),
        PoolBox::new_with(Monster::default),
        PoolBox::try_new(Monster::default()).unwrap(),
    ];
    assert!(made.iter().all(|b| **b == Monster::default()));
    assert_eq!(Monster::pool_stats().live, 6);
    let with = Monster::pool_alloc_with(|| monster(3));
    let tried = Monster::pool_try_alloc_with(|| monster(3)).unwrap();
    assert_eq!(with, tried);
    assert_eq!(*Monster::pool_try_alloc().unwrap(), Monster::default());
    for b in made {
        Monster::pool_free(b);
    }
    assert_eq!(Monster::pool_stats().live, 2);
    let into: PoolBox<Monster> = monster(9).into();
    assert_eq!(into.health, 9);
}

#[test]
fn raw_pointers_go_out_and_come_back() {
    let raw = PoolBox::into_raw(PoolBox::new(monster(1)));
    assert_eq!(Monster::pool_stats().live, 1);
    // SAFETY: the pointer has just come from `into_raw`.
    let mut back = unsafe { PoolBox::from_raw(raw) };
    assert_eq!(PoolBox::as_ptr(&back), raw.cast_const());
    assert_eq!(PoolBox::as_mut_ptr(&mut back), raw);
    drop(back);
    assert_eq!(Monster::pool_stats().live, 0);
}

#[test]
fn a_leaked_element_lives_on() {
    let leaked: &'static mut Monster = PoolBox::leak(PoolBox::new(monster(1)));
    leaked.health += 1;
    assert_eq!((leaked.health, Monster::pool_stats().live), (2, 1));
    // SAFETY: a `Monster` is larger than a pointer, and the reference is given up here.
    drop(unsafe { PoolBox::from_raw(leaked) });
    assert_eq!(Monster::pool_stats().live, 0);
}

#[test]
fn a_pinned_element_stays_where_it_is() {
    #[derive(Pooled)]
    struct Anchored(u64, PhantomPinned);

    let pinned = PoolBox::pin(Anchored(7, PhantomPinned));
    let at: *const Anchored = &*pinned;
    let moved = pinned;
    assert_eq!((moved.0, &raw const *moved), (7, at));
    let pinned: Pin<PoolBox<Monster>> = PoolBox::new(monster(1)).into();
    assert_eq!(PoolBox::into_pin(PoolBox::new(monster(1))), pinned);
}

#[test]
fn a_try_new_that_fails_returns_the_value() {
    #[derive(Pooled, Debug)]
    #[pool(capacity = 2, name = "bosses")]
    struct Boss(String);

    let both = [PoolBox::new(Boss("a".into())), PoolBox::new(Boss("b".into()))];
    let error: Exhausted<Boss> = PoolBox::try_new(Boss("c".into())).unwrap_err();
    assert_eq!((error.name(), error.capacity()), ("bosses", 2));
    assert!(format!("{error:?}").contains("bosses"));
    let text = error.to_string();
    assert_eq!(error.into_inner().0, "c");
    assert!(Boss::pool_try_alloc_with(|| unreachable!()).is_err());
    let panic = catch_unwind(|| PoolBox::new(Boss("d".into()))).unwrap_err();
    assert_eq!(*panic.downcast::<String>().unwrap(), text);
    drop(both);
    assert_eq!(PoolBox::new(Boss("f".into())).0, "f");
}

#[test]
fn boxes_compare_hash_and_print_as_their_elements() {
    let (one, two) = (PoolBox::new(monster(1)), PoolBox::new(monster(2)));
    assert!(one < two && one != two && one == one.clone());
    assert_eq!(one.cmp(&two), Ordering::Less);
    assert_eq!(one.partial_cmp(&two), Some(Ordering::Less));
    assert_eq!(one.to_string(), "monster 1 (1)");
    assert_eq!(format!("{one:?}"), format!("{:?}", *one));
    assert_eq!(format!("{one:p}"), format!("{:p}", PoolBox::as_ptr(&one)));
    let state = RandomState::new();
    assert_eq!(state.hash_one(&one), state.hash_one(&*one));

    let set: HashSet<PoolBox<Monster>> = [monster(1), monster(2)].map(PoolBox::new).into();
    assert!(set.contains(&monster(1)), "`Borrow` finds a box by its element");
    let map: HashMap<PoolBox<Monster>, u32> = [(one.clone(), 1)].into();
    assert_eq!(map.get(&*one), Some(&1));
    let tree: BTreeSet<PoolBox<Monster>> = set.into_iter().collect();
    assert_eq!(tree.first().unwrap(), &one);
}

#[test]
fn boxes_lend_their_elements() {
    let mut b = PoolBox::new(monster(1));
    b.health = 2;
    let by_ref: &Monster = b.as_ref();
    assert_eq!(by_ref.health, 2);
    AsMut::<Monster>::as_mut(&mut b).health = 3;
    let borrowed: &Monster = b.borrow();
    assert_eq!(borrowed.health, 3);
    let borrowed: &mut Monster = b.borrow_mut();
    borrowed.health = 4;
    assert_eq!(b.health, 4);
}

#[test]
fn a_clone_is_another_element_of_the_same_pool() {
    let one = PoolBox::new(monster(1));
    let mut other = one.clone();
    other.health = 2;
    assert_eq!((one.health, other.health), (1, 2));
    let at = PoolBox::as_ptr(&other);
    other.clone_from(&one);
    assert_eq!((other.health, PoolBox::as_ptr(&other)), (1, at));

    let pool = FreeList::bounded(2);
    let one = pool.alloc(String::from("text"));
    assert_eq!(one, one.clone());
    let both = (one.clone(), one);
    assert!(catch_unwind(AssertUnwindSafe(|| both.0.clone())).is_err());
}

#[test]
fn boxes_of_iterators_are_iterators() {
    let pool = FreeList::new();
    let mut range = pool.alloc(0..10);
    assert_eq!((range.next(), range.next_back(), range.len()), (Some(0), Some(9), 8));
    assert_eq!(
        (range.nth(1), range.nth_back(1), range.size_hint()),
        (Some(2), Some(7), (4, Some(4)))
    );
    fn is_fused<I: std::iter::FusedIterator>(_: &I) {}
    is_fused(&range);
    assert_eq!(range.sum::<i32>(), 3 + 4 + 5 + 6);
}

#[test]
fn a_box_of_a_future_is_a_future() {
    #[derive(Pooled)]
    struct Countdown(u64);
    impl Future for Countdown {
        type Output = &'static str;
        fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<&'static str> {
            cx.waker().wake_by_ref();
            match self.0.checked_sub(1) {
                Some(less) => {
                    self.0 = less;
                    Poll::Pending
                }
                None => Poll::Ready("liftoff"),
            }
        }
    }

    let mut boxed = pin!(PoolBox::new(Countdown(2)));
    let mut cx = Context::from_waker(Waker::noop());
    assert_eq!(boxed.as_mut().poll(&mut cx), Poll::Pending);
    assert_eq!(boxed.as_mut().poll(&mut cx), Poll::Pending);
    assert_eq!(boxed.as_mut().poll(&mut cx), Poll::Ready("liftoff"));
}

#[test]
fn a_box_of_an_error_is_an_error() {
    #[derive(Debug)]
    struct Outer(fmt::Error);
    impl Display for Outer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("outer")
        }
    }
    impl Error for Outer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }
    let pool = FreeList::new();
    let error = pool.alloc(Outer(fmt::Error));
    assert!(error.source().is_some_and(|source| source.is::<fmt::Error>()));
    fn is_error<E: Error>(_: &E) {}
    is_error(&error);
    let exhausted: Box<dyn Error + Send + Sync> =
        Box::new(FreeList::<u64>::bounded(0).try_alloc(1).map(drop).unwrap_err());
    assert!(exhausted.to_string().contains("it has no slots; make"));
}

#[test]
fn auto_traits_are_those_of_a_box() {
    fn unpin<T: Unpin>() {}
    fn unwind_safe<T: UnwindSafe + RefUnwindSafe>() {}
    fn send<T: Send>() {}
    #[derive(Pooled)]
    struct Anchored(u64, PhantomPinned);

    unpin::<PoolBox<Anchored>>();
    unwind_safe::<PoolBox<Monster>>();
    unwind_safe::<PoolBoxIn<u8, &FreeList<u8>>>();
    unwind_safe::<FreeList<u8>>();
    send::<FreeList<String>>();
    send::<Exhausted<String>>();
    let _ = Anchored(0, PhantomPinned).0;
}
