//! The words of the lock. What users see is in `tests/statics/roster`.

use core::cell::RefCell;
use core::mem;
use std::thread;

use super::*;
use crate::thread::thread_local;

thread_local! {
    static BORROWS: BorrowState = const { BorrowState::UNUSED };
}
std::thread_local! {
    static KEPT: RefCell<Option<StaticRef<u32, false>>> = const { RefCell::new(None) };
}

fn reading(shared: &'static SharedRoster<u32>) -> StaticRef<u32, false> {
    StaticRef { shared, usage: shared.uses.read().expect("nobody writes") }
}

/// In so many threads, one after the other, whether each reads by a word.
fn by_word(shared: &'static SharedRoster<u32>, threads: usize) -> usize {
    let is_by_word = move || matches!(reading(shared).usage, Use::InWord(_));
    (0..threads).filter(|_| thread::spawn(is_by_word).join().expect("no panic")).count()
}

/// A guard ends with a thread-local, whenever that goes, and then the word is free.
#[test]
fn words_are_free_when_their_threads_have_ended() {
    // SAFETY: no other roster has the thread-local.
    static SHARED: SharedRoster<u32> = unsafe { SharedRoster::new(Config::new(), &BORROWS) };
    for _ in 0..200 {
        let keep = || KEPT.set(Some(reading(&SHARED)));
        thread::spawn(keep).join().expect("no panic");
    }
    assert_eq!(by_word(&SHARED, 16), 16);
    // A guard that is leaked has its word for ever: of eight threads in a row one has none.
    thread::spawn(|| mem::forget(reading(&SHARED))).join().expect("no panic");
    // (Where thread-locals are emulated, all may have the leaking thread's number, which the system gives out again.)
    assert!(by_word(&SHARED, 16) >= 13 || cfg!(not(pool_native_tls)));
    assert!(SHARED.uses.lock.try_write(this_thread()).is_none());
}
