//! Guards of static rosters: each is a use of the lock. (`tests/rosters/guards.rs` has what they have in common with a
//! thread's.)

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Page(String);

#[test]
fn other_threads_wait_for_a_guard() {
    let page = Page::pool_insert(Page("a page".into()));
    let (done, is_done) = mpsc::channel();
    let soon = Duration::from_millis(50);

    let mut pages = Page::pool_borrow_mut();
    let reader = thread::spawn(move || {
        done.send(Page::pool_borrow()[page].0.len()).expect("the test waits");
    });
    assert_eq!(is_done.recv_timeout(soon), Err(RecvTimeoutError::Timeout), "it reads");
    pages[page].0.push('!');
    drop(pages);
    assert_eq!(is_done.recv(), Ok("a page!".len()));
    reader.join().expect("no panic");
}

/// A panic poisons nothing.
#[test]
fn a_thread_that_panics_with_a_guard_gives_the_roster_back() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Kept(u8);

    for writes in [true, false] {
        let panicked = thread::spawn(move || {
            let mut kept = writes.then(Kept::pool_borrow_mut);
            let _reads = (!writes).then(Kept::pool_borrow);
            kept.iter_mut().for_each(|kept| _ = kept.insert(Kept(1)));
            panic!("on purpose");
        });
        assert!(panicked.join().is_err());
        assert_eq!(Kept::pool_borrow_mut().values().map(|kept| kept.0).sum::<u8>(), 1);
    }
}
