//! Objects of derived types, each in the pool of its own type.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use typed_pool::{PoolBox, PoolObject, Pooled, StaticPoolObject, unsize};

trait Shape: PoolObject {
    fn area(&self) -> f64;

    fn grow(&mut self, _by: f64) {}
}

#[derive(Pooled)]
struct Square {
    side: f64,
}

impl Shape for Square {
    fn area(&self) -> f64 {
        self.side * self.side
    }

    fn grow(&mut self, by: f64) {
        self.side += by;
    }
}

#[test]
fn each_goes_back_to_the_pool_of_its_type() {
    /// A shape that lies where its alignment allows.
    macro_rules! shape {
        ($($(#[$meta:meta])* $Name:ident $fields:tt $area:expr;)*) => {$(
            #[derive(Pooled)]
            $(#[$meta])*
            struct $Name $fields;

            impl Shape for $Name {
                fn area(&self) -> f64 {
                    assert!((&raw const *self).is_aligned());
                    let area: fn(&Self) -> f64 = $area;
                    area(self)
                }
            }
        )*};
    }
    shape! {
        #[repr(align(128))]
        Aligned(u8) |it| it.0.into();
        #[pool(capacity = 4, static)]
        Last([f64; 3]) |it| it.0[2];
        #[pool(strategy = free_list, pad)]
        Nothing() |_| 0.5;
        #[pool(static, strategy = pointer_stack, rc)]
        Counted(u16) |it| it.0.into();
    }

    let mut shapes: Vec<PoolBox<dyn Shape>> = Vec::new();
    for i in 0..4_u8 {
        shapes.push(unsize!(PoolBox::new(Square { side: i.into() }) => dyn Shape));
        shapes.push(unsize!(PoolBox::new(Aligned(i)) => dyn Shape));
        shapes.push(unsize!(PoolBox::new(Last([0.0, 0.0, i.into()])) => dyn Shape));
        shapes.push(unsize!(PoolBox::new(Nothing()) => dyn Shape));
        shapes.push(unsize!(PoolBox::new(Counted(i.into())) => dyn Shape,));
    }
    shapes[5].grow(10.0);
    let areas: Vec<f64> = shapes[5..10].iter().map(|shape| shape.area()).collect();
    assert_eq!(areas, [121.0, 1.0, 1.0, 0.5, 1.0]);
    let live = || {
        [
            Square::pool_stats(),
            Aligned::pool_stats(),
            Last::pool_stats(),
            Nothing::pool_stats(),
            Counted::pool_stats(),
        ]
        .map(|stats| stats.live)
    };
    assert_eq!(live(), [4; 5]);
    shapes.remove(1);
    assert_eq!(live(), [4, 3, 4, 4, 4]);
    drop(shapes);
    assert_eq!(live(), [0; 5]);
}

#[test]
fn two_words_and_the_same_address() {
    let square = PoolBox::new(Square { side: 1.0 });
    let address = PoolBox::as_ptr(&square).addr();
    let object: PoolBox<dyn Shape> = unsize!(square => dyn Shape);
    assert_eq!(PoolBox::as_ptr(&object).cast::<()>().addr(), address);
    assert_eq!(size_of_val(&object), 2 * size_of::<usize>());
    assert_eq!(size_of::<Option<PoolBox<dyn Shape>>>(), 2 * size_of::<usize>());
}

#[test]
fn as_a_raw_pointer_and_back() {
    let raw: *mut dyn Shape =
        PoolBox::into_raw(unsize!(PoolBox::new(Square { side: 3.0 }) => dyn Shape));
    // SAFETY: `raw` has just come from `into_raw`, and is used no more.
    let object = unsafe { PoolBox::from_raw(raw) };
    assert_eq!((object.area(), Square::pool_stats().live), (9.0, 1));
    drop(object);
    assert_eq!(Square::pool_stats().live, 0);

    let leaked: &mut dyn Shape =
        PoolBox::leak(unsize!(PoolBox::new(Square { side: 3.0 }) => dyn Shape));
    leaked.grow(1.0);
    assert_eq!((leaked.area(), Square::pool_stats().live), (16.0, 1));
    // SAFETY: the reference that `leak` returned, to an element that fills its slot.
    drop(unsafe { PoolBox::from_raw(leaked) });
    assert_eq!(Square::pool_stats().live, 0);
}

thread_local! {
    static DROPPED: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

trait Thing: PoolObject {}

/// Notes that it is dropped, makes another of its kind in the destructor, and may panic.
#[derive(Pooled)]
struct Noted {
    number: u32,
    panics: bool,
    _inner: Option<PoolBox<dyn Thing>>,
}

impl Thing for Noted {}

impl Drop for Noted {
    fn drop(&mut self) {
        DROPPED.with_borrow_mut(|dropped| dropped.push(self.number));
        if self.number < 100 {
            // The slot of this one is still its own.
            let other = noted(100 + self.number, false, None);
            assert_ne!(PoolBox::as_ptr(&other).cast::<()>(), (&raw const *self).cast());
        }
        if self.panics {
            panic!("a destructor");
        }
    }
}

fn noted(number: u32, panics: bool, inner: Option<PoolBox<dyn Thing>>) -> PoolBox<dyn Thing> {
    unsize!(PoolBox::new(Noted { number, panics, _inner: inner }) => dyn Thing)
}

#[test]
fn destructors_run_in_order_use_the_pool_and_may_panic() {
    for panics in [false, true] {
        let object = noted(1, panics, Some(noted(2, false, None)));
        assert_eq!(catch_unwind(AssertUnwindSafe(|| drop(object))).is_err(), panics);
        assert_eq!(DROPPED.take(), [1, 101, 2, 102]);
        assert_eq!(Noted::pool_stats().live, 0);
    }
}

#[test]
fn the_expression_may_panic_or_leave() {
    let object = || -> Option<PoolBox<dyn Thing>> {
        let none: Option<PoolBox<Noted>> = None;
        Some(unsize!(none? => dyn Thing))
    };
    assert!(object().is_none());
    let panics =
        || unsize!(PoolBox::new_with(|| -> Noted { panic!("a constructor") }) => dyn Thing);
    assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
    assert_eq!(Noted::pool_stats().live, 0);
}

#[test]
fn objects_of_static_pools_leave_their_thread() {
    trait Job: StaticPoolObject + Send {
        fn run(&mut self) -> u64;
    }

    #[derive(Pooled)]
    #[pool(static)]
    struct Sum(Vec<u64>);

    impl Job for Sum {
        fn run(&mut self) -> u64 {
            self.0.drain(..).sum()
        }
    }

    #[derive(Pooled)]
    #[pool(static, capacity = 8)]
    struct Count(Cell<u64>);

    impl Job for Count {
        fn run(&mut self) -> u64 {
            self.0.get()
        }
    }

    let jobs: Vec<PoolBox<dyn Job>> = vec![
        unsize!(PoolBox::new(Sum(vec![1, 2, 3])) => dyn Job),
        unsize!(PoolBox::new(Count(Cell::new(7))) => dyn Job),
    ];
    let run = || jobs.into_iter().map(|mut job| job.run()).collect::<Vec<_>>();
    assert_eq!(thread::spawn(run).join().unwrap(), [6, 7]);
    assert_eq!((Sum::pool_stats().live, Count::pool_stats().live), (0, 0));

    // The object's type says it, if the trait does not.
    trait Look: StaticPoolObject {}
    impl Look for Sum {}
    let object = unsize!(PoolBox::new(Sum(Vec::new())) => dyn Look + Send + Sync);
    thread::scope(|scope| {
        scope.spawn(|| &object);
    });
    thread::spawn(|| drop(object)).join().unwrap();
    assert_eq!(Sum::pool_stats().live, 0);
}

#[test]
fn a_generic_trait_with_a_lifetime_and_an_associated_type() {
    trait Source<'a, T>: PoolObject {
        type Item;

        fn next(&mut self, from: &'a [T]) -> Option<Self::Item>;
    }

    #[derive(Pooled)]
    struct First(usize);

    impl<'a, T: Copy> Source<'a, T> for First {
        type Item = T;

        fn next(&mut self, from: &'a [T]) -> Option<T> {
            self.0 += 1;
            from.get(self.0 - 1).copied()
        }
    }

    fn source<'a, T: Copy>() -> PoolBox<dyn Source<'a, T, Item = T>> {
        unsize!(PoolBox::new(First(0)) => dyn Source<'a, T, Item = T>)
    }

    let numbers = vec![1, 2];
    let mut object = source();
    assert_eq!(
        [object.next(&numbers), object.next(&numbers), object.next(&numbers)],
        [Some(1), Some(2), None]
    );
}

#[test]
fn names_of_the_user_s_do_not_matter() {
    #[allow(non_upper_case_globals, dead_code, reason = "to be in the way")]
    const element: u8 = 0;
    #[allow(non_camel_case_types, dead_code, reason = "to be in the way")]
    struct pointer;
    let coerced = PoolBox::new(Square { side: 1.0 });
    let __coerced = unsize!(coerced => dyn Shape);
    let __element = unsize!(__coerced => dyn Shape);
    assert_eq!(__element.area(), 1.0);
}
