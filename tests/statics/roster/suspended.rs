//! Closures that are suspended (stackful coroutines), and end in another thread or never. `coroutines/lent` has all else.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use corosensei::{Coroutine, CoroutineResult, Yielder};
use typed_pool::Pooled;

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
