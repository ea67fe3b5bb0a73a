//! Closures that are called once.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use typed_pool::ByLayout;
use typed_pool::any::{BoxFnOnce, BoxFnOnceMut};

fn live() -> usize {
    ByLayout::stats().map(|pool| pool.live).sum()
}

#[test]
fn with_none_to_six_arguments() {
    let text = String::from("moved");
    assert_eq!(BoxFnOnce::new(move || text).call(()), "moved");
    assert_eq!(BoxFnOnce::new(|a: i32| a).call((1,)), 1);
    assert_eq!(BoxFnOnce::new(|a: i32, b: i32| a + b).call((1, 2)), 3);
    assert_eq!(BoxFnOnce::new(|a: i32, b: i32, c: i32| a + b + c).call((1, 2, 3)), 6);
    let four = |a: i32, b: i32, c: i32, d: i32| a + b + c + d;
    assert_eq!(BoxFnOnce::new(four).call((1, 2, 3, 4)), 10);
    let five = |a: i32, b: i32, c: i32, d: i32, e: i32| a + b + c + d + e;
    assert_eq!(BoxFnOnce::new(five).call((1, 2, 3, 4, 5)), 15);
    let six = |a: i32, b: i32, c: i32, d: i32, e: i32, f: &str| a + b + c + d + e + f.len() as i32;
    assert_eq!(BoxFnOnce::new(six).call((1, 2, 3, 4, 5, "six")), 18);
    assert_eq!(BoxFnOnce::new(str::len).call(("text",)), 4);
}

#[test]
fn arguments_that_are_known_need_no_types() {
    type Job<'a> = BoxFnOnce<'a, (Vec<u32>, &'static str), usize>;
    let extra = String::from("borrowed");
    let job = Job::new(|numbers, text| numbers.len() + text.len() + extra.len());
    assert_eq!(job.call((vec![1, 2], "abc")), 13);
}

#[test]
fn one_slot_and_two_words() {
    let before = live();
    let captured = [1_u64; 20];
    let job: BoxFnOnce<(), u64> = BoxFnOnce::new(move || captured.iter().sum());
    assert_eq!((live(), size_of_val(&job)), (before + 1, 2 * size_of::<usize>()));
    assert_eq!(size_of::<Option<BoxFnOnce<()>>>(), 2 * size_of::<usize>());
    assert_eq!(job.call(()), 20);
    assert_eq!(live(), before);
}

#[test]
fn uncalled_it_drops_the_closure_and_called_it_drops_it_once() {
    let before = live();
    let owned = Rc::new(());
    let job: BoxFnOnce<()> = BoxFnOnce::new({
        let owned = owned.clone();
        move || drop(owned)
    });
    assert_eq!(Rc::strong_count(&owned), 2);
    drop(job);
    assert_eq!(Rc::strong_count(&owned), 1);
    let job: BoxFnOnce<(), Rc<()>> = BoxFnOnce::new({
        let owned = owned.clone();
        move || owned
    });
    let returned = job.call(());
    assert_eq!(Rc::strong_count(&owned), 2);
    drop(returned);
    assert_eq!((Rc::strong_count(&owned), live()), (1, before));
}

#[test]
fn a_panic_gives_the_slot_back_and_drops_what_was_captured() {
    let before = live();
    let owned = Rc::new(());
    let job: BoxFnOnce<(u32,)> = BoxFnOnce::new({
        let owned = owned.clone();
        move |number| {
            let _owned = owned;
            assert!(number > 100, "a closure");
        }
    });
    assert!(catch_unwind(AssertUnwindSafe(|| job.call((7,)))).is_err());
    assert_eq!((Rc::strong_count(&owned), live()), (1, before));
}

#[test]
fn a_closure_may_make_others_and_call_them() {
    let before = live();
    let depth = Cell::new(0);
    fn descend(depth: &Cell<u32>) -> BoxFnOnce<'_, (u32,)> {
        BoxFnOnce::new(move |left| {
            depth.set(depth.get() + 1);
            if left > 0 {
                descend(depth).call((left - 1,));
            }
        })
    }
    descend(&depth).call((9,));
    assert_eq!((depth.get(), live()), (10, before));
}

#[test]
fn without_a_size_or_aligned() {
    #[derive(Clone, Copy)]
    #[repr(align(256))]
    struct Aligned(u8);

    let before = live();
    assert_eq!(BoxFnOnce::new(|| 7).call(()), 7);
    let aligned = Aligned(7);
    let job = BoxFnOnce::<(), _>::new(move || {
        let aligned = aligned;
        assert_eq!((&raw const aligned).addr() % 256, 0);
        aligned.0
    });
    assert_eq!((job.call(()), live()), (7, before));
}

#[test]
fn a_timer_wheel() {
    type Timer<'a> = BoxFnOnce<'a, (&'a Cell<u32>, u32)>;

    /// Each slot of the wheel has the timers of one tick.
    struct Wheel<'a> {
        slots: Vec<Vec<Timer<'a>>>,
        now: usize,
    }

    impl<'a> Wheel<'a> {
        fn after<F: FnOnce(&'a Cell<u32>, u32) + 'a>(&mut self, ticks: usize, f: F) {
            let slot = (self.now + ticks) % self.slots.len();
            self.slots[slot].push(BoxFnOnce::new(f));
        }

        fn tick(&mut self, fired: &'a Cell<u32>) {
            self.now += 1;
            let slot = self.now % self.slots.len();
            for timer in std::mem::take(&mut self.slots[slot]) {
                timer.call((fired, self.now as u32));
            }
        }
    }

    let before = live();
    let fired = Cell::new(0);
    let mut wheel = Wheel { slots: (0..8).map(|_| Vec::new()).collect(), now: 0 };
    for i in 0..100_usize {
        let weight = [1_u32; 5];
        wheel.after(1 + i % 7, move |fired, now| {
            assert_eq!(now, 1 + (i as u32) % 7);
            fired.set(fired.get() + weight.iter().sum::<u32>());
        });
    }
    assert_eq!(live(), before + 100);
    for _ in 0..4 {
        wheel.tick(&fired);
    }
    assert!(fired.get() > 250 && fired.get() < 500);
    drop(wheel);
    assert_eq!(live(), before, "those that had not fired were dropped");
}

#[test]
fn a_world_is_lent_to_one_closure_after_another() {
    struct World<'a>(Vec<&'a str>);
    /// As a field of a struct without a lifetime.
    struct Queue(Vec<BoxFnOnceMut<str, usize>>);

    let (before, counted) = (live(), Rc::new(()));
    let command = |text: &'static str| {
        let counted = counted.clone();
        BoxFnOnceMut::new(move |world: &mut World<'static>| {
            world.0.push(text);
            assert!(text != "panics", "in the closure");
            drop(counted);
        })
    };
    let mut world = World(Vec::new());
    let queue = ["one", "two", "panics", "never called"].map(command);
    assert_eq!((live(), Rc::strong_count(&counted)), (before + 4, 5));
    let mut commands = queue.into_iter();
    commands.by_ref().take(2).for_each(|command| command.call(&mut world));
    let panics = commands.next().unwrap();
    assert!(catch_unwind(AssertUnwindSafe(|| panics.call(&mut world))).is_err());
    assert_eq!((live(), Rc::strong_count(&counted)), (before + 1, 2));
    drop(commands);
    assert_eq!(
        (world.0, live(), Rc::strong_count(&counted)),
        (vec!["one", "two", "panics"], before, 1)
    );

    let queue =
        Queue((0..3).map(|n| BoxFnOnceMut::new(move |text: &mut str| n + text.len())).collect());
    let mut local = String::from("text");
    assert_eq!(
        queue.0.into_iter().map(|of_length| of_length.call(&mut local)).sum::<usize>(),
        3 + 3 * 4
    );
}
