//! The lock of static rosters, whose readers write into rows of their own.
//!
//! loom knows no `membarrier`, so these locks are opened with full fences, which it stands for.

use core::ptr;
use std::sync::Arc;

use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::thread;

use crate::base::shared_lock::{FREE, LEFT, Row, Rows, SharedLock, Word};

/// What is behind locks: loom fails if one writes while another reads, or does not see what was written.
struct Shared {
    locks: [SharedLock; 2],
    behind: [UnsafeCell<u32>; 2],
    rows: Rows,
}

impl Shared {
    fn new() -> Arc<Self> {
        let locks = [(); 2].map(|()| SharedLock::new());
        Arc::new(Self { locks, behind: [(); 2].map(|()| UnsafeCell::new(0)), rows: Rows::new() })
    }

    /// Reads by the row if the lock is open. Says what it found, and whether it was.
    fn read(&self, row: &Row, at: usize) -> (u32, bool) {
        // SAFETY: nobody writes while this has the lock, or loom says so.
        let found = || self.behind[at].with(|value| unsafe { *value });
        if let Some(word) = self.locks[at].enter(row) {
            let value = found();
            self.leave(at, word);
            return (value, true);
        }
        self.locks[at].count_in(|| false);
        let value = found();
        self.count_out(at);
        (value, false)
    }

    fn leave(&self, at: usize, word: &Word) {
        if self.locks[at].leave(word) {
            self.locks[at].wake(LEFT);
        }
    }

    fn count_out(&self, at: usize) {
        if self.locks[at].count_out() {
            self.locks[at].wake(LEFT);
        }
    }

    fn write(&self, at: usize) {
        self.locks[at].write_against(&self.rows);
        // SAFETY: nobody else has the lock, or loom says so.
        self.behind[at].with_mut(|value| unsafe { *value += 1 });
        if self.locks[at].end_writing() {
            self.locks[at].wake(FREE);
        }
    }

    /// The lock is open from here on: one read is enough in a model.
    fn open(&self, at: usize) {
        self.locks[at].count_in(|| false);
        self.count_out(at);
    }
}

fn check(model: impl Fn() + Sync + Send + 'static) {
    check_within(3, model);
}

/// With less switching from thread to thread, where there are three.
fn check_within(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

#[test]
fn a_writer_waits_for_readers_by_rows() {
    check(|| {
        let shared = Shared::new();
        shared.open(0);
        let theirs = shared.clone();
        let reader = thread::spawn(move || {
            let row = theirs.rows.take().unwrap();
            assert!(theirs.read(row, 0).0 <= 1);
            theirs.rows.put_back(row);
        });
        shared.write(0);
        reader.join().unwrap();
        let row = shared.rows.take().unwrap();
        assert_eq!(shared.read(row, 0).0, 1);
        assert_eq!(shared.read(row, 0), (1, true), "open again");
    });
}

/// Who reads by a row synchronises with nobody but the one who has opened the lock.
#[test]
fn who_opens_shows_what_was_written() {
    check(|| {
        let shared = Shared::new();
        let theirs = shared.clone();
        let writer = thread::spawn(move || {
            theirs.write(0);
            theirs.open(0);
        });
        let row = shared.rows.take().unwrap();
        if let Some(word) = shared.locks[0].enter(row) {
            // SAFETY: as in `Shared::read`.
            assert_eq!(shared.behind[0].with(|value| unsafe { *value }), 1);
            shared.leave(0, word);
        }
        writer.join().unwrap();
    });
}

/// The writer may find what the thread reads next, or its row with another thread.
#[test]
fn a_word_and_a_row_go_from_one_to_the_next() {
    check(|| {
        let shared = Shared::new();
        [0, 1].into_iter().for_each(|at| shared.open(at));
        let theirs = shared.clone();
        let reader = thread::spawn(move || {
            let row = theirs.rows.take().unwrap();
            theirs.read(row, 0);
            theirs.read(row, 1);
        });
        shared.write(0);
        reader.join().unwrap();
    });
}

#[test]
fn a_row_has_one_thread() {
    check(|| {
        let shared = Shared::new();
        shared.open(0);
        let spare = ptr::from_ref(shared.rows.take().unwrap()).addr();
        let read = move |shared: &Shared| {
            if let Some(row) = shared.rows.take() {
                assert_ne!(ptr::from_ref(row).addr(), spare);
                shared.read(row, 0);
                shared.rows.put_back(row);
            }
        };
        let theirs = shared.clone();
        let reader = thread::spawn(move || read(&theirs));
        let theirs = shared.clone();
        let writer = thread::spawn(move || theirs.write(0));
        read(&shared);
        reader.join().unwrap();
        writer.join().unwrap();
    });
}

#[test]
fn two_readers_and_a_writer_end() {
    check_within(2, || {
        let shared = Shared::new();
        shared.open(0);
        let readers = [(); 2].map(|()| {
            let theirs = shared.clone();
            thread::spawn(move || {
                let row = theirs.rows.take().unwrap();
                theirs.read(row, 0);
            })
        });
        shared.write(0);
        readers.into_iter().for_each(|reader| reader.join().unwrap());
    });
}

/// Who reads already goes ahead of a writer that waits, and leaves its word first.
#[test]
fn a_reader_reads_once_more_before_a_writer() {
    check(|| {
        let shared = Shared::new();
        shared.open(0);
        let theirs = shared.clone();
        let writer = thread::spawn(move || theirs.write(0));
        let row = shared.rows.take().unwrap();
        if let Some(word) = shared.locks[0].enter(row) {
            shared.locks[0].count_in(|| true);
            shared.leave(0, word);
            // SAFETY: as in `Shared::read`.
            assert_eq!(shared.behind[0].with(|value| unsafe { *value }), 0);
            shared.count_out(0);
        }
        writer.join().unwrap();
    });
}

/// A use may end in another thread than it began in, and the first thread use the word again.
#[test]
fn a_use_ends_in_another_thread() {
    /// A word of what the thread shares.
    struct Moved(*const Word);

    // SAFETY: several threads may use it.
    unsafe impl Send for Moved {}

    check(|| {
        let shared = Shared::new();
        [0, 1].into_iter().for_each(|at| shared.open(at));
        let row = shared.rows.take().unwrap();
        let moved = Moved(shared.locks[0].enter(row).unwrap());
        let theirs = shared.clone();
        let ending = thread::spawn(move || {
            let moved = moved;
            // SAFETY: as in `Shared::read`.
            assert_eq!(theirs.behind[0].with(|value| unsafe { *value }), 0);
            // SAFETY: this thread shares it.
            theirs.leave(0, unsafe { &*moved.0 });
        });
        let theirs = shared.clone();
        let writer = thread::spawn(move || [0, 1].map(|at| theirs.write(at)));
        shared.read(row, 1);
        ending.join().unwrap();
        writer.join().unwrap();
    });
}

/// Who waits is woken, whoever it is.
#[test]
fn two_writers_and_a_reader_end() {
    check_within(2, || {
        let shared = Shared::new();
        let writers = [(); 2].map(|()| {
            let theirs = shared.clone();
            thread::spawn(move || theirs.write(0))
        });
        shared.open(0);
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        shared.open(0);
        // SAFETY: as in `Shared::read`.
        assert_eq!(shared.behind[0].with(|value| unsafe { *value }), 2);
    });
}
