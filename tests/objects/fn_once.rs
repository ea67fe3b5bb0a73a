//! Closures that are called once.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use typed_pool::ByLayout;
use typed_pool::any::BoxFnOnce;

fn live() -> usize {
    ByLayout::stats().map(|pool| pool.live).sum()
}

#[test]
fn arguments_are_what_is_lent() {
    let text = String::from("moved");
    assert_eq!(BoxFnOnce::new(move |(): &mut ()| text).call(&mut ()), "moved");
    assert_eq!(BoxFnOnce::new(|&mut (a, b)| a + b).call(&mut (1, 2)), 3);
    assert_eq!(BoxFnOnce::new(|text: &mut str| text.len()).call(&mut String::from("text")), 4);
    let local = String::from("borrowed");
    let pushed = BoxFnOnce::new(|(texts, text): &mut (Vec<&str>, &str)| texts.push(text));
    let mut lent = (vec!["one"], &*local);
    pushed.call(&mut lent);
    assert_eq!(lent.0, ["one", "borrowed"]);
}

#[test]
fn one_slot_and_two_words() {
    let before = live();
    let captured = [1_u64; 20];
    let job: BoxFnOnce<(), u64> = BoxFnOnce::new(move |()| captured.iter().sum());
    assert_eq!((live(), size_of_val(&job)), (before + 1, 2 * size_of::<usize>()));
    assert_eq!(size_of::<Option<BoxFnOnce<()>>>(), 2 * size_of::<usize>());
    assert_eq!(job.call(&mut ()), 20);
    assert_eq!(live(), before);
}

#[test]
fn uncalled_it_drops_the_closure_and_called_it_drops_it_once() {
    let before = live();
    let owned = Rc::new(());
    let job: BoxFnOnce<()> = BoxFnOnce::new({
        let owned = owned.clone();
        move |()| drop(owned)
    });
    assert_eq!(Rc::strong_count(&owned), 2);
    drop(job);
    assert_eq!(Rc::strong_count(&owned), 1);
    let job: BoxFnOnce<(), Rc<()>> = BoxFnOnce::new({
        let owned = owned.clone();
        move |()| owned
    });
    let returned = job.call(&mut ());
    assert_eq!(Rc::strong_count(&owned), 2);
    drop(returned);
    assert_eq!((Rc::strong_count(&owned), live()), (1, before));
}

#[test]
fn a_closure_may_make_others_and_call_them() {
    let before = live();
    let depth = Rc::new(Cell::new(0));
    fn descend(depth: Rc<Cell<u32>>) -> BoxFnOnce<u32> {
        BoxFnOnce::new(move |left| {
            depth.set(depth.get() + 1);
            if *left > 0 {
                *left -= 1;
                descend(depth).call(left);
            }
        })
    }
    descend(depth.clone()).call(&mut 9);
    assert_eq!((depth.get(), Rc::strong_count(&depth), live()), (10, 1, before));
}

#[test]
fn without_a_size_or_aligned() {
    #[derive(Clone, Copy)]
    #[repr(align(256))]
    struct Aligned(u8);

    let before = live();
    assert_eq!(BoxFnOnce::new(|(): &mut ()| 7).call(&mut ()), 7);
    let aligned = Aligned(7);
    let job = BoxFnOnce::<(), _>::new(move |()| {
        let aligned = aligned;
        assert_eq!((&raw const aligned).addr() % 256, 0);
        aligned.0
    });
    assert_eq!((job.call(&mut ()), live()), (7, before));
}

#[test]
fn a_world_is_lent_to_one_closure_after_another() {
    struct World<'a>(Vec<&'a str>);
    /// As a field of a struct without a lifetime.
    struct Queue(Vec<BoxFnOnce<str, usize>>);

    let (before, counted) = (live(), Rc::new(()));
    let command = |text: &'static str| {
        let counted = counted.clone();
        BoxFnOnce::new(move |world: &mut World<'static>| {
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
        Queue((0..3).map(|n| BoxFnOnce::new(move |text: &mut str| n + text.len())).collect());
    let mut local = String::from("text");
    assert_eq!(
        queue.0.into_iter().map(|of_length| of_length.call(&mut local)).sum::<usize>(),
        3 + 3 * 4
    );
}
