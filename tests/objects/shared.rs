//! Shared elements of any type, and shared objects: of derived types and by layout.

use std::cell::Cell;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use typed_pool::{
    ByLayout, PoolArc, PoolArcWeak, PoolObject, PoolRc, PoolRcWeak, Pooled, SharedByLayout, any,
    unsize,
};

use crate::alone;

fn live() -> usize {
    ByLayout::stats().map(|pool| pool.live).sum()
}

fn shared_live() -> usize {
    SharedByLayout::stats().map(|pool| pool.live).sum()
}

thread_local! {
    static DROPPED: Cell<u32> = const { Cell::new(0) };
}

trait Enemy: PoolObject {
    fn health(&self) -> i32;
}

#[derive(Pooled)]
#[pool(rc)]
struct Orc {
    health: i32,
    leader: Option<PoolRcWeak<dyn Enemy>>,
}

impl Enemy for Orc {
    fn health(&self) -> i32 {
        let leader = self.leader.as_ref().and_then(PoolRcWeak::upgrade);
        self.health + leader.map_or(0, |leader| leader.health())
    }
}

impl Drop for Orc {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
        if self.health < 0 {
            panic!("a destructor");
        }
    }
}

#[derive(Pooled)]
#[pool(rc)]
#[repr(align(64))]
struct Troll(i32);

impl Enemy for Troll {
    fn health(&self) -> i32 {
        assert_eq!((&raw const *self).addr() % 64, 0);
        self.0
    }
}

#[test]
fn objects_of_derived_types() {
    let orc = PoolRc::new(Orc { health: 5, leader: None });
    let weak: PoolRcWeak<dyn Enemy> = unsize!(PoolRc::downgrade(&orc) => dyn Enemy);
    let troll: PoolRc<dyn Enemy> = unsize!(PoolRc::new(Troll(40)) => dyn Enemy);
    let follower = PoolRc::new(Orc { health: 1, leader: Some(PoolRc::downgrade(&troll)) });
    let horde: Vec<PoolRc<dyn Enemy>> =
        vec![unsize!(orc => dyn Enemy), troll.clone(), unsize!(follower => dyn Enemy)];
    assert_eq!(horde.iter().map(|enemy| enemy.health()).collect::<Vec<_>>(), [5, 40, 41]);
    assert_eq!(size_of_val(&horde[0]), 2 * size_of::<usize>());
    assert_eq!((PoolRc::strong_count(&troll), PoolRc::weak_count(&troll)), (2, 1));
    assert!(PoolRc::ptr_eq(&horde[1], &troll) && !PoolRc::ptr_eq(&horde[0], &troll));
    assert!(PoolRc::ptr_eq(&horde[0], &weak.upgrade().unwrap()));
    drop(troll);
    assert_eq!(horde[2].health(), 41);
    drop(horde);
    assert_eq!((Orc::pool_stats().live, Troll::pool_stats().live, DROPPED.get()), (1, 0, 2));
    assert!(weak.upgrade().is_none() && weak.strong_count() == 0);
    drop(weak);
    assert_eq!(Orc::pool_stats().live, 0);
}

#[test]
fn a_weak_pointer_to_an_object_that_was_never_there() {
    let before = DROPPED.get();
    let mut kept: Option<PoolRcWeak<dyn Enemy>> = None;
    let made = catch_unwind(AssertUnwindSafe(|| {
        PoolRc::<Orc>::new_cyclic(|this| {
            kept = Some(unsize!(this.clone() => dyn Enemy));
            panic!("a constructor");
        })
    }));
    assert!(made.is_err() && kept.as_ref().unwrap().upgrade().is_none());
    assert_eq!(Orc::pool_stats().live, 1);
    drop(kept);
    assert_eq!((Orc::pool_stats().live, DROPPED.get()), (0, before));

    let knows_itself = PoolRc::new_cyclic(|this: &PoolRcWeak<Orc>| Orc {
        health: 3,
        leader: Some(unsize!(this.clone() => dyn Enemy)),
    });
    let leader = knows_itself.leader.as_ref().unwrap().upgrade().unwrap();
    assert!(std::ptr::addr_eq(PoolRc::as_ptr(&leader), PoolRc::as_ptr(&knows_itself)));
    drop((leader, knows_itself));
    assert_eq!(Orc::pool_stats().live, 0);

    let nowhere: PoolRcWeak<dyn Enemy> = unsize!(PoolRcWeak::<Orc>::new() => dyn Enemy);
    assert!(nowhere.upgrade().is_none() && nowhere.clone().upgrade().is_none());
}

#[test]
fn a_destructor_of_an_object_that_panics() {
    let object: PoolRc<dyn Enemy> =
        unsize!(PoolRc::new(Orc { health: -1, leader: None }) => dyn Enemy);
    let weak = PoolRc::downgrade(&object);
    assert!(catch_unwind(AssertUnwindSafe(|| drop(object))).is_err());
    assert!(weak.upgrade().is_none());
    drop(weak);
    let object: PoolRc<dyn Enemy> =
        unsize!(PoolRc::new(Orc { health: -1, leader: None }) => dyn Enemy);
    assert!(catch_unwind(AssertUnwindSafe(|| drop(object))).is_err());
    assert_eq!(Orc::pool_stats().live, 0);
}

#[test]
fn as_a_raw_pointer_and_back() {
    let object: PoolRc<dyn Enemy> = unsize!(PoolRc::new(Troll(7)) => dyn Enemy);
    let raw: *const dyn Enemy = PoolRc::into_raw(object.clone());
    // SAFETY: `raw` has just come from `into_raw`, and is used no more.
    let again = unsafe { PoolRc::from_raw(raw) };
    assert_eq!((again.health(), PoolRc::strong_count(&object)), (7, 2));
    drop((object, again));
    assert_eq!(Troll::pool_stats().live, 0);
}

#[test]
fn objects_of_static_pools_are_shared_between_threads() {
    trait Texture: PoolObject + Send + Sync {
        fn texels(&self) -> usize;
    }

    #[derive(Pooled)]
    #[pool(static, rc, capacity = 8)]
    #[repr(align(32))]
    struct Grass([u8; 40]);

    impl Texture for Grass {
        fn texels(&self) -> usize {
            self.0.len()
        }
    }

    let texture: PoolArc<dyn Texture> = unsize!(PoolArc::new(Grass([0; 40])) => dyn Texture);
    let weak: PoolArcWeak<dyn Texture> = PoolArc::downgrade(&texture);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..200 {
                    let (copy, upgraded) = (texture.clone(), weak.upgrade().unwrap());
                    assert_eq!(copy.texels() + upgraded.texels(), 80);
                }
            });
        }
    });
    thread::spawn(move || drop(texture)).join().unwrap();
    assert!(weak.upgrade().is_none());
    assert_eq!(Grass::pool_stats().live, 1);
    thread::spawn(move || drop(weak)).join().unwrap();
    assert_eq!(Grass::pool_stats().live, 0);
}

/// Shared pointers by layout, of either kind.
macro_rules! suite {
    ($name:ident, $Rc:ident, $Weak:ident, $live:expr, $alone:expr) => {
        mod $name {
            use super::*;

            #[repr(align(64))]
            #[derive(Clone, Debug, PartialEq)]
            struct Line(u8);
            #[repr(align(4096))]
            #[derive(Clone, Debug, PartialEq)]
            struct Page(u8);

            /// (`boxes/counted` has the rest.)
            fn all<T: Clone + Debug + PartialEq>(value: T) {
                let mut shared = any::$Rc::new(value.clone());
                assert_eq!(any::$Rc::as_ptr(&shared).addr() % align_of::<T>(), 0);
                assert_eq!((size_of_val(&shared), &*shared), (size_of::<usize>(), &value));
                let weak = any::$Rc::downgrade(&shared);
                *any::$Rc::make_mut(&mut shared) = value.clone();
                assert!(weak.upgrade().is_none(), "the element has moved");
                let object = unsize!(shared.clone() => dyn Debug + '_);
                assert_eq!(format!("{object:?}"), format!("{value:?}"));
                drop(object);
                assert_eq!(any::$Rc::try_unwrap(shared), Ok(value));
            }

            #[test]
            fn elements_of_every_layout() {
                #[allow(clippy::let_unit_value, reason = "of a thread")]
                let _alone = $alone;
                let before = $live;
                all(());
                all(7_u8);
                all(7_u128);
                all(String::from("text"));
                all([7_u8; 100]);
                all(vec![7; 2100]);
                all([7_u8; 2040]);
                all([7_u8; 5000]);
                all(Line(7));
                all(Page(7));
                let text = String::from("borrowed");
                all(&*text);
                assert_eq!($live, before);
            }

            #[test]
            fn slices_and_their_weak_pointers() {
                #[allow(clippy::let_unit_value, reason = "of a thread")]
                let _alone = $alone;
                let before = $live;
                let shared: any::$Rc<[String]> = unsize!(any::$Rc::new(["a", "b"].map(String::from)) => [String]);
                let weak = any::$Rc::downgrade(&shared);
                assert_eq!(weak.upgrade().map(|shared| shared.concat()), Some("ab".into()));
                drop(shared);
                assert!(weak.upgrade().is_none());
                assert_eq!($live, before + 1);
                drop(weak);
                assert_eq!($live, before);
            }

            #[test]
            fn destructors_run_once_and_may_panic() {
                struct Noted<'a>(&'a Cell<u32>);

                impl Drop for Noted<'_> {
                    fn drop(&mut self) {
                        self.0.set(self.0.get() + 1);
                        let inner = any::$Rc::new(7_u64);
                        assert_eq!(*inner, 7);
                        panic!("a destructor");
                    }
                }

                trait Thing {}
                impl Thing for Noted<'_> {}

                #[allow(clippy::let_unit_value, reason = "of a thread")]
                let _alone = $alone;
                let before = $live;
                let count = Cell::new(0);
                let shared: any::$Rc<dyn Thing + '_> = unsize!(any::$Rc::new(Noted(&count)) => dyn Thing + '_);
                let (other, weak) = (shared.clone(), any::$Rc::downgrade(&shared));
                drop(shared);
                assert_eq!(count.get(), 0);
                assert!(catch_unwind(AssertUnwindSafe(|| drop(other))).is_err());
                assert_eq!((count.get(), $live), (1, before + 1));
                drop(weak);
                let shared = any::$Rc::new(Noted(&count));
                assert!(catch_unwind(AssertUnwindSafe(|| drop(shared))).is_err());
                assert_eq!((count.get(), $live), (2, before));
            }

        }
    };
}

suite!(rc, Rc, RcWeak, live(), ());

suite!(arc, Arc, ArcWeak, shared_live(), alone());
