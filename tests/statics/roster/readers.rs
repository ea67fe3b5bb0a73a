//! Readers of static rosters that do not meet, each in a word of the lock's; others, which are counted; and removals that wait for them.

use std::cell::RefCell;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use typed_pool::{Handle, Pooled, RosterRef};

use super::panic_of;

const SOON: Duration = Duration::from_millis(50);

fn read_often<T: Pooled<typed_pool::RosterHandles> + Send + Sync>() {
    (0..if cfg!(miri) { 50 } else { 1000 }).for_each(|_| T::pool_read(|_| ()));
}

#[test]
fn writers_wait_for_them_and_they_for_writers() {
    const ROUNDS: u64 = if cfg!(miri) { 20 } else { 300 };

    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Pair([u64; 2]);

    let pair = Pair::pool_insert(Pair([0; 2]));
    let is_over = AtomicBool::new(false);
    let write = || {
        for round in 0..ROUNDS {
            if round % 10 == 0 {
                read_often::<Pair>();
            }
            Pair::pool_get_mut(pair, |pair| {
                pair.0[0] += 1;
                thread::yield_now();
                pair.0[1] += 1;
            });
            let other = Pair::pool_insert(Pair([round; 2]));
            assert!(Pair::pool_remove(other).is_some());
        }
    };
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    let halves = Pair::pool_get(pair, |pair| pair.0).expect("it stays");
                    assert_eq!(halves[0], halves[1], "read while it was written");
                }
            });
        }
        let writers = [(); 2].map(|()| scope.spawn(write));
        writers.into_iter().for_each(|writer| writer.join().expect("no panic"));
        is_over.store(true, Ordering::Relaxed);
    });
    assert_eq!(Pair::pool_get(pair, |pair| pair.0), Some([2 * ROUNDS; 2]));
}

#[test]
fn a_writer_that_waits_is_woken_by_the_last() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Page(u32);

    let page = Page::pool_insert(Page(1));
    read_often::<Page>();
    let (first, last) = (Page::pool_borrow(), Page::pool_borrow());
    let (done, is_done) = mpsc::channel();
    let writer = thread::spawn(move || {
        Page::pool_borrow_mut()[page].0 = 2;
        done.send(()).expect("the test waits");
    });
    assert_eq!(is_done.recv_timeout(SOON), Err(RecvTimeoutError::Timeout), "it writes");
    // While it waits, this thread may still read, and a write is a panic.
    assert_eq!(Page::pool_get(page, |page| page.0), Some(1));
    assert_eq!(Page::pool_stats().live, 1);
    assert!(panic_of(|| _ = Page::pool_remove(page)).contains("is in use"));
    drop(first);
    assert_eq!(is_done.recv_timeout(SOON), Err(RecvTimeoutError::Timeout), "it writes");
    assert_eq!(Page::pool_borrow()[page].0, 1);
    drop(last);
    assert_eq!(is_done.recv(), Ok(()));
    writer.join().expect("no panic");
    assert_eq!(Page::pool_borrow()[page].0, 2);
}

/// More threads than the lock has words.
#[test]
fn there_may_be_any_number_of_them() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Seat(u32);

    const THREADS: usize = if cfg!(miri) { 8 } else { 300 };
    let seat = Seat::pool_insert(Seat(5));
    for _ in 0..2 {
        read_often::<Seat>();
        let all = Arc::new(Barrier::new(THREADS + 1));
        let threads = [(); THREADS].map(|()| {
            let all = all.clone();
            thread::spawn(move || {
                let seats = Seat::pool_borrow();
                // No thread gets past this unless all are reading.
                all.wait();
                assert_eq!(seats[seat].0, 5);
            })
        });
        all.wait();
        Seat::pool_with(|seats| assert_eq!(seats.len(), 1));
        threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
    }
}

macro_rules! rosters {
    ($($name:ident)*) => {
        $(#[allow(dead_code, reason = "there are none")]
        #[derive(Pooled)]
        #[pool(static, strategy = roster)]
        struct $name {})*

        const READ: &[fn()] = &[$(read_often::<$name>),*];

        /// All at once, from the first on.
        fn read_all() {
            $(let $name = $name::pool_borrow();)*
            $(assert!($name::pool_try_borrow_mut().is_err(), stringify!($name));)*
            $(assert!($name::pool_try_borrow().is_ok());)*
            // In the order in which they began.
            drop(($($name,)*));
        }

        fn write_all() {
            $($name::pool_with(|all| all.clear());)*
        }
    };
}

#[test]
#[allow(non_snake_case, reason = "each guard is called as its type")]
fn a_thread_may_read_any_number_of_rosters() {
    rosters!(A B C D E F G H I J K L);
    READ.iter().for_each(|read| read());
    read_all();
    thread::spawn(write_all).join().expect("no panic");
    write_all();
}

#[test]
fn a_deferred_removal_happens_when_the_last_ends() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Texture(#[expect(unused, reason = "it has a size")] u32);

    // The first read has the word, and the others are counted. They end in every order.
    for is_word_first in [true, false] {
        let texture = Texture::pool_insert(Texture(1));
        let by_word = vec![Texture::pool_borrow()];
        let counted = vec![Texture::pool_borrow(), Texture::pool_borrow()];
        Texture::pool_remove_later(texture);
        let (first, last) = if is_word_first { (by_word, counted) } else { (counted, by_word) };
        drop(first);
        assert!(Texture::pool_contains(texture), "not yet");
        drop(last);
        assert!(!Texture::pool_contains(texture));
    }
}

/// A word in which something is read for ever is no other thread's use.
#[test]
fn a_guard_that_is_leaked_is_not_mistaken_for_another_threads() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Leaked(u32);

    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Other(u32);

    let leaked: Handle<Leaked> = Leaked::pool_insert(Leaked(7));
    let other = Other::pool_insert(Other(8));
    read_often::<Leaked>();
    read_often::<Other>();
    // It goes on: where std emulates thread-locals, a thread's number is the system's, which a later thread may get.
    let (end, is_over) = mpsc::channel::<()>();
    let (has_leaked, is_leaked) = mpsc::channel();
    thread::spawn(move || {
        mem::forget(Leaked::pool_borrow());
        let _ = has_leaked.send(());
        let _ = is_over.recv();
    });
    is_leaked.recv().expect("no panic");
    for _ in 0..3 {
        let read = move || Leaked::pool_get(leaked, |leaked| leaked.0);
        assert_eq!(thread::spawn(read).join().expect("no panic"), Some(7));
        Other::pool_get_mut(other, |other| other.0 += 1);
        read_often::<Other>();
    }
    // It stays lent: who wants to write waits for ever.
    let (done, is_done) = mpsc::channel();
    thread::spawn(move || {
        let _ = Leaked::pool_remove(leaked);
        let _ = done.send(());
    });
    assert_eq!(is_done.recv_timeout(SOON), Err(RecvTimeoutError::Timeout));
    drop(end);
}

/// Whenever that is.
#[test]
fn a_guard_in_a_thread_local_ends_with_its_thread() {
    #[derive(Pooled)]
    #[pool(strategy = roster, static)]
    struct Asset(#[expect(dead_code, reason = "it is there to be kept")] u64);

    thread_local! {
        static GUARD: RefCell<Option<RosterRef<Asset>>> = const { RefCell::new(None) };
    }
    Asset::pool_insert(Asset(1));
    for _ in 0..3 {
        read_often::<Asset>();
        thread::spawn(|| GUARD.set(Some(Asset::pool_borrow()))).join().unwrap();
        Asset::pool_insert(Asset(2));
    }
    assert_eq!(Asset::pool_read(|assets| assets.len()), 4);
}

/// Two threads borrow A and then B, as they should. The first ends its borrows in the same order; if the end of the first removed
/// what waits, and waited for the second thread, which waits for B, neither would go on.
#[test]
fn an_end_does_not_wait_for_other_readers() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct A(#[expect(dead_code, reason = "it has a size")] u8);

    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct B(#[expect(dead_code, reason = "it has a size")] u8);

    let removed = A::pool_insert(A(1));
    let (a, b) = (A::pool_borrow(), B::pool_borrow());
    A::pool_remove_later(removed);
    let (says, hears) = mpsc::channel();
    let other = thread::spawn(move || {
        let reads = A::pool_borrow();
        says.send(()).expect("the test waits");
        drop(B::pool_borrow_mut());
        assert!(reads.contains(removed), "while it is borrowed");
        drop(reads);
        assert!(!A::pool_contains(removed));
        says.send(()).expect("the test waits");
    });
    hears.recv().expect("it reads");
    assert_eq!(hears.recv_timeout(SOON), Err(RecvTimeoutError::Timeout), "it writes");
    // On a deadlock the process would hang: this thread cannot be waited for, as its guards stay here.
    let (ends, has_ended) = mpsc::channel::<()>();
    let watch = thread::spawn(move || {
        if has_ended.recv_timeout(SOON * 200) == Err(RecvTimeoutError::Timeout) {
            eprintln!("an end of a borrow waits for other readers");
            std::process::abort();
        }
    });
    drop(a);
    drop(b);
    drop(ends);
    watch.join().expect("no panic");
    hears.recv().expect("it goes on");
    other.join().expect("no panic");
}

/// Nor does the removal, where this thread has borrowed nothing.
#[test]
fn a_removal_does_not_wait_for_other_readers() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Texture(#[expect(dead_code, reason = "it has a size")] u8);

    let texture = Texture::pool_insert(Texture(1));
    let reads = Texture::pool_borrow();
    thread::spawn(move || Texture::pool_remove_later(texture)).join().expect("no panic");
    assert!(reads.contains(texture));
    drop(reads);
    assert!(!Texture::pool_contains(texture));
}

/// Threads end their borrows at about the same time. Each may be in the way of the other's removal.
#[test]
fn whoever_ends_last_removes_what_waits() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Texture(#[expect(dead_code, reason = "it has a size")] u8);

    let rounds = if cfg!(miri) { 5 } else { 2000 };
    let both = Barrier::new(2);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..rounds {
                    let texture = Texture::pool_insert(Texture(1));
                    both.wait();
                    Texture::pool_read(|_| {
                        Texture::pool_remove_later(texture);
                        both.wait();
                    });
                    both.wait();
                    assert!(!Texture::pool_contains(texture));
                }
            });
        }
    });
}
