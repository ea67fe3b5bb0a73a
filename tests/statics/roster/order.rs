//! Rosters that threads lend in contradicting orders: a debug build says so before they wait for each other.

use std::thread;

use typed_pool::Pooled;

use super::panic_of;

macro_rules! pooled {
    ($($Name:ident)*) => {$(
        #[derive(Pooled)]
        #[pool(static, strategy = roster)]
        struct $Name;
    )*};
}

/// What `f` panics with, in a thread of its own.
fn panic_in_thread(f: fn()) -> String {
    thread::spawn(move || panic_of(f)).join().expect("it is caught")
}

fn in_thread(f: fn()) {
    thread::spawn(f).join().expect("no panic");
}

#[test]
fn two_orders_of_two_threads_are_a_panic_that_names_both_types() {
    pooled!(Sword Shield);

    in_thread(|| Sword::pool_with(|_| Shield::pool_with(|_| ())));
    for inverse in [
        || Shield::pool_with(|_| Sword::pool_with(|_| ())),
        // A writer may stand between two readers.
        || Shield::pool_read(|_| Sword::pool_read(|_| ())),
        || Shield::pool_with(|_| _ = Sword::pool_insert(Sword)),
        || {
            let _shields = Shield::pool_borrow();
            drop(Sword::pool_borrow_mut());
        },
    ] {
        let text = panic_in_thread(inverse);
        for part in
            ["can deadlock", "order::two_orders", "Shield` and `", "Sword` is borrowed while"]
        {
            assert!(text.contains(part), "{text}: {part}");
        }
    }
    // Nothing is lent any more, and the first order is still good.
    in_thread(|| Sword::pool_with(|_| Shield::pool_with(|_| ())));
    in_thread(|| Shield::pool_clear());
}

#[test]
fn an_order_may_contradict_by_way_of_others() {
    pooled!(One Two Three Four);

    in_thread(|| One::pool_read(|_| Two::pool_read(|_| ())));
    in_thread(|| Two::pool_read(|_| Three::pool_with(|_| Four::pool_with(|_| ()))));
    let text = panic_in_thread(|| Four::pool_read(|_| One::pool_read(|_| ())));
    assert!(text.contains("Four") && text.contains("One"), "{text}");
}

/// There is no other thread to wait for.
#[test]
fn a_thread_may_lend_in_any_order_if_it_is_alone() {
    pooled!(Left Right);

    in_thread(|| {
        Left::pool_with(|_| Right::pool_with(|_| ()));
        Right::pool_with(|_| Left::pool_with(|_| ()));
        Left::pool_with(|_| Right::pool_with(|_| ()));
    });
    let text = panic_in_thread(|| Left::pool_with(|_| Right::pool_with(|_| ())));
    assert!(text.contains("Left") && text.contains("Right"), "{text}");
}

#[test]
fn one_after_the_other_is_no_order() {
    pooled!(Day Night);

    in_thread(|| {
        Day::pool_with(|_| ());
        Night::pool_with(|_| ());
        assert_eq!(panic_of(|| Day::pool_with(|_| panic!("dusk"))), "dusk");
        Night::pool_with(|_| ());
        // A guard that has ended is no longer one that the thread has.
        let days = [Day::pool_borrow(), Day::pool_borrow()];
        drop(days);
        drop(Night::pool_borrow_mut());
    });
    in_thread(|| Night::pool_with(|_| Day::pool_with(|_| ())));
}

/// What a thread has is no stack.
#[cfg(not(any(target_arch = "s390x", target_arch = "arm", target_family = "wasm")))]
#[test]
fn what_was_lent_first_may_be_given_back_first() {
    use corosensei::{Coroutine, CoroutineResult};

    pooled!(Early Middle Late);

    in_thread(|| {
        let mut early = Coroutine::new(|yielder, ()| Early::pool_with(|_| yielder.suspend(())));
        let mut middle = Coroutine::new(|yielder, ()| Middle::pool_with(|_| yielder.suspend(())));
        assert!(matches!(early.resume(()), CoroutineResult::Yield(())));
        assert!(matches!(middle.resume(()), CoroutineResult::Yield(())));
        assert!(matches!(early.resume(()), CoroutineResult::Return(())));
        Late::pool_with(|_| ());
        assert!(matches!(middle.resume(()), CoroutineResult::Return(())));
    });
    let text = panic_in_thread(|| Late::pool_with(|_| Middle::pool_with(|_| ())));
    assert!(text.contains("Late") && text.contains("Middle"), "{text}");
}

/// A destructor that runs because of a panic must not panic.
#[test]
fn a_panic_is_not_answered_by_another() {
    pooled!(Inner Outer);

    struct Undo;

    impl Drop for Undo {
        fn drop(&mut self) {
            Inner::pool_clear();
        }
    }

    in_thread(|| Inner::pool_with(|_| Outer::pool_with(|_| ())));
    let text = panic_in_thread(|| {
        Outer::pool_with(|_| {
            let _undo = Undo;
            panic!("the first");
        });
    });
    assert_eq!(text, "the first");
}
