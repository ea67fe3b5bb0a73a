//! Closures that are called once.

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
