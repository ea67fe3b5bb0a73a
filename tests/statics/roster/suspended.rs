//! Closures that are suspended (stackful coroutines) and end in any order.

use std::panic::catch_unwind;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use corosensei::{Coroutine, CoroutineResult, Yielder};
use typed_pool::{Handle, Pooled, Roster};

use super::panic_of;

type Suspended = Coroutine<(), (), ()>;

/// Runs `f` up to where it suspends itself.
fn suspended(f: impl FnOnce(&Yielder<(), ()>) + 'static) -> Suspended {
    let mut coroutine = Coroutine::new(|yielder, ()| f(yielder));
    assert!(matches!(coroutine.resume(()), CoroutineResult::Yield(())));
    coroutine
}

fn finish(mut coroutine: Suspended) {
    assert!(matches!(coroutine.resume(()), CoroutineResult::Return(())));
}

#[track_caller]
fn assert_in_use(f: impl FnOnce()) {
    let text = panic_of(f);
    assert!(text.contains("is in use"), "{text}");
}

/// Another thread neither reads while this one writes, nor writes while this one reads.
fn assert_lock_is_real<T: Pooled<typed_pool::RosterHandles> + Send + Sync>() {
    let (inside, is_inside) = mpsc::channel();
    let (release, is_released) = mpsc::channel::<()>();
    let writer = thread::spawn(move || {
        T::pool_with(|_| {
            inside.send("writes").expect("the test waits");
            let _ = is_released.recv_timeout(Duration::from_millis(50));
            let _ = inside.send("has written");
        });
    });
    assert_eq!(is_inside.recv(), Ok("writes"));
    T::pool_read(|_| assert_eq!(is_inside.try_recv(), Ok("has written")));
    drop(release);
    writer.join().expect("no panic");

    let (inside, is_inside) = mpsc::channel();
    let writer = T::pool_read(|_| {
        let writer = thread::spawn(move || T::pool_with(|_| inside.send(()).is_ok()));
        let before = is_inside.recv_timeout(Duration::from_millis(50));
        assert_eq!(before, Err(RecvTimeoutError::Timeout), "it writes while another reads");
        writer
    });
    assert!(writer.join().expect("no panic"));
}

#[test]
#[cfg_attr(miri, ignore = "a coroutine maps its stack itself")]
fn the_reader_that_ends_last_gives_the_lock_back() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Book(String);

    let text = |roster: &Roster<Book>, book| roster[book].0 == "as it was written";
    for is_first_the_first in [true, false] {
        let book = Book::pool_insert(Book("as it was written".into()));
        let reader = || {
            suspended(move |yielder| {
                Book::pool_read(|books| {
                    assert!(text(books, book));
                    yielder.suspend(());
                    assert!(text(books, book));
                });
            })
        };
        let mut readers = [reader(), reader()];
        if !is_first_the_first {
            readers.reverse();
        }
        let [first, last] = readers;
        finish(first);
        assert_in_use(|| Book::pool_with(Roster::clear));
        assert_in_use(|| Book::pool_clear());
        let (cleared, is_cleared) = mpsc::channel();
        let writer = thread::spawn(move || {
            Book::pool_with(|books| {
                books.clear();
                books.shrink_to_fit();
            });
            cleared.send(()).expect("the test waits");
        });
        let early = is_cleared.recv_timeout(Duration::from_millis(50));
        assert_eq!(early, Err(RecvTimeoutError::Timeout), "it clears what another reads");
        finish(last);
        writer.join().expect("no panic");
        assert_lock_is_real::<Book>();
    }
}

#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Many(u64);

/// Three closures, ended in each order: by their return, by a panic, or because the coroutine is dropped.
#[test]
#[cfg_attr(miri, ignore = "a coroutine maps its stack itself")]
fn a_use_ends_as_its_closure_does() {
    let many = Many::pool_insert(Many(7));
    let reader = move |is_to_panic: bool| {
        suspended(move |yielder| {
            let read = || {
                Many::pool_get(many, |seven| {
                    yielder.suspend(());
                    assert!(!is_to_panic && seven.0 == 7, "it was to");
                });
            };
            match is_to_panic {
                true => assert_eq!(panic_of(read), "it was to"),
                // A coroutine that is dropped unwinds, which must not be caught.
                false => read(),
            }
        })
    };
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut readers = [Some(reader(false)), Some(reader(true)), Some(reader(false))];
        for (at, is_last) in order.into_iter().zip([false, false, true]) {
            match readers[at].take() {
                Some(dropped) if at == 2 => drop(dropped),
                Some(other) => finish(other),
                None => unreachable!("each once"),
            }
            assert_eq!(catch_unwind(|| Many::pool_with(|_| ())).is_ok(), is_last);
        }
        assert_lock_is_real::<Many>();
    }

    let writer = suspended(move |yielder| {
        Many::pool_with(|all| {
            yielder.suspend(());
            all[many].0 += 1;
        });
    });
    assert_in_use(|| Many::pool_read(|_| ()));
    assert_in_use(|| Many::pool_with(|_| ()));
    finish(writer);
    assert_eq!(Many::pool_get(many, |eight| eight.0), Some(8));
    assert_lock_is_real::<Many>();
}

#[test]
#[cfg_attr(miri, ignore = "a coroutine maps its stack itself")]
fn a_closure_that_never_ends_leaves_the_roster_lent() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Kept(u8);

    let kept = Kept::pool_insert(Kept(1));
    // In another thread, which ends before this is resumed.
    let reader = move || {
        std::mem::forget(suspended(|yielder| Kept::pool_read(|_| yielder.suspend(()))));
        assert_in_use(|| Kept::pool_with(|_| ()));
        assert_eq!(Kept::pool_get(kept, |kept| kept.0), Some(1));
    };
    thread::spawn(reader).join().expect("no panic");
    assert_eq!(Kept::pool_get(kept, |kept| kept.0), Some(1));
}

/// A coroutine that goes to another thread, with all that is on its stack.
struct Moved(Suspended);

// SAFETY: on the stacks here are uses of static rosters, which may end in any thread.
unsafe impl Send for Moved {}

#[test]
#[cfg_attr(miri, ignore = "a coroutine maps its stack itself")]
fn a_closure_may_end_in_another_thread() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Sent(#[expect(dead_code, reason = "it has a size")] u8);

    let reader = || Moved(suspended(|yielder| Sent::pool_read(|_| yielder.suspend(()))));
    let finish_elsewhere = |moved: Moved| {
        thread::spawn(move || finish({ moved }.0)).join().expect("no panic");
    };
    Sent::pool_insert(Sent(1));
    finish_elsewhere(Moved(suspended(|yielder| Sent::pool_with(|_| yielder.suspend(())))));
    assert_lock_is_real::<Sent>();

    (0..1000).for_each(|_| Sent::pool_read(|_| ()));
    let by_row = reader();
    // It goes on reading, by the word that was another thread's to clear.
    let inner = reader();
    finish_elsewhere(by_row);
    let again = reader();
    assert_in_use(|| Sent::pool_with(|_| ()));
    finish_elsewhere(inner);
    finish(again.0);
    Sent::pool_with(|_| ());
    assert_lock_is_real::<Sent>();

    // The lock is closed, so this is counted.
    finish_elsewhere(reader());
    assert_lock_is_real::<Sent>();
    Sent::pool_with(|_| ());
}

/// The roster is another coroutine's while a constructor returns, or panics: no abort.
#[test]
#[cfg_attr(miri, ignore = "a coroutine maps its stack itself")]
fn a_constructor_may_end_while_another_coroutine_has_the_roster() {
    macro_rules! check {
        ($($pool:tt)*) => {{
            #[derive(Pooled)]
            #[pool($($pool)*)]
            struct Made(Option<Handle<Made>>);

            for is_to_panic in [false, true] {
                let maker = suspended(move |yielder| {
                    let text = panic_of(|| {
                        Made::pool_insert_with(|itself| {
                            yielder.suspend(());
                            assert!(!is_to_panic, "not to be made");
                            Made(Some(itself))
                        });
                    });
                    assert!(text.contains(["is in use", "not to be made"][usize::from(is_to_panic)]));
                });
                let owner = suspended(|yielder| Made::pool_with(|_| yielder.suspend(())));
                finish(maker);
                finish(owner);
            }
            let made = Made::pool_insert_with(|itself| Made(Some(itself)));
            assert_eq!(Made::pool_get(made, |made| made.0), Some(Some(made)));
            Made::pool_clear();
        }};
    }

    check!(static, strategy = roster);
    check!(strategy = roster);
}
