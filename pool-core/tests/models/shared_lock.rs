//! The lock of static rosters, whose readers write into words. The order of ends and looks is a fence's here, as naps end only when woken:
//! a model fails if a sleeper is missed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::thread;

use crate::base::atomic::fence_in_models;
use crate::base::shared_lock::{SharedLock, UNIT, Use};

/// Numbers of threads. There are two words: the first and the last have the same.
const MAIN: usize = 1;
const OTHER: usize = 2;
const THIRD: usize = 3;

/// Data behind a lock: loom fails if one writes while another reads, or does not see what was written.
struct Shared {
    lock: SharedLock,
    behind: UnsafeCell<u32>,
    /// Removals that wait, and those that were done.
    removals: [AtomicUsize; 2],
}

impl Shared {
    fn new() -> Arc<Self> {
        let (lock, behind) = (SharedLock::new(), UnsafeCell::new(0));
        Arc::new(Self { lock, behind, removals: [AtomicUsize::new(0), AtomicUsize::new(0)] })
    }

    fn begin(&self, thread: usize) -> Use<'_> {
        self.lock.enter(thread).unwrap_or_else(|| self.count(thread, false))
    }

    fn count(&self, thread: usize, reads_already: bool) -> Use<'_> {
        self.lock.wait_until(|| self.lock.try_count(reads_already));
        Use::Counted(thread)
    }

    fn look(&self) -> u32 {
        // SAFETY: no thread writes while this has the lock, or loom says so.
        self.behind.with(|value| unsafe { *value })
    }

    fn read(&self, thread: usize) -> u32 {
        let usage = self.begin(thread);
        let value = self.look();
        self.end(usage, thread);
        value
    }

    fn write(&self, thread: usize) {
        let alone = self.lock.try_write(thread).unwrap_or_else(|| {
            self.lock.write(thread);
            Use::Alone
        });
        // SAFETY: no other thread has the lock, or loom says so.
        self.behind.with_mut(|value| unsafe { *value += 1 });
        self.end(alone, thread);
    }

    fn end(&self, usage: Use<'_>, thread: usize) {
        if self.lock.end(&usage) {
            self.remove_deferred(thread);
        }
    }

    fn defer(&self) {
        self.removals[0].fetch_add(1, Ordering::SeqCst);
        self.lock.to_do.fetch_add(UNIT, Ordering::SeqCst);
        fence_in_models();
    }

    /// As `SharedRoster::take`, until nothing waits.
    fn remove_deferred(&self, thread: usize) {
        while self.lock.to_do.load(Ordering::SeqCst) >= UNIT {
            let Some(alone) = self.lock.try_write(thread) else { return };
            // SAFETY: as in `Shared::write`.
            self.behind.with_mut(|value| unsafe { *value += 1 });
            if self.removals[0].load(Ordering::SeqCst) != 0 {
                self.removals[0].fetch_sub(1, Ordering::SeqCst);
                self.removals[1].fetch_add(1, Ordering::SeqCst);
                self.lock.to_do.fetch_sub(UNIT, Ordering::SeqCst);
            }
            self.lock.end(&alone);
        }
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
fn a_writer_waits_for_a_reader_and_a_reader_for_a_writer() {
    check(|| {
        let shared = Shared::new();
        let theirs = shared.clone();
        let reader = thread::spawn(move || assert!(theirs.read(OTHER) <= 1));
        shared.write(MAIN);
        reader.join().unwrap();
        assert_eq!(shared.read(MAIN), 1);
    });
}

/// One of them by the word, and the other counted.
#[test]
fn two_readers_with_one_word_and_a_writer_end() {
    check_within(2, || {
        let shared = Shared::new();
        let readers = [MAIN, THIRD].map(|number| {
            let theirs = shared.clone();
            thread::spawn(move || theirs.read(number))
        });
        shared.write(OTHER);
        readers.into_iter().for_each(|reader| _ = reader.join().unwrap());
        assert_eq!(shared.read(MAIN), 1);
    });
}

/// A thread that waits is woken, whichever it is.
#[test]
fn two_writers_and_a_reader_end() {
    check_within(2, || {
        let shared = Shared::new();
        let writers = [OTHER, THIRD].map(|number| {
            let theirs = shared.clone();
            thread::spawn(move || theirs.write(number))
        });
        shared.read(MAIN);
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        assert_eq!(shared.read(MAIN), 2);
    });
}

/// Who reads already goes ahead of a writer that waits, and leaves its word first.
#[test]
fn a_reader_reads_once_more_before_a_writer() {
    check(|| {
        let shared = Shared::new();
        let theirs = shared.clone();
        let writer = thread::spawn(move || theirs.write(OTHER));
        let outer = shared.begin(MAIN);
        let before = shared.look();
        let inner = shared.count(MAIN, true);
        shared.end(outer, MAIN);
        assert_eq!(shared.look(), before);
        shared.end(inner, MAIN);
        writer.join().unwrap();
        assert_eq!(shared.look(), 1);
    });
}

/// A thread takes itself for a reader while another ends what it reads.
#[test]
fn a_use_ends_in_another_thread() {
    check_within(2, || {
        let shared = Shared::new();
        let outer = shared.begin(MAIN);
        let Use::InWord(word) = outer else { panic!("nobody else is there") };
        // SAFETY: the other thread shares it.
        let word = unsafe { &*core::ptr::from_ref(word) };
        let theirs = shared.clone();
        let ending = thread::spawn(move || {
            assert_eq!(theirs.look(), 0);
            theirs.end(Use::InWord(word), OTHER);
        });
        let theirs = shared.clone();
        let writer = thread::spawn(move || theirs.write(THIRD));
        let inner = shared.count(MAIN, shared.lock.is_read_by(MAIN, false));
        assert!(shared.look() <= 1);
        shared.end(inner, MAIN);
        ending.join().unwrap();
        writer.join().unwrap();
    });
}

/// The last to end removes it, though each may be in the other's way.
#[test]
fn what_is_deferred_is_removed_when_the_last_use_ends() {
    check(|| {
        let shared = Shared::new();
        let theirs = shared.clone();
        let reader = thread::spawn(move || theirs.read(OTHER));
        let usage = shared.begin(MAIN);
        shared.defer();
        shared.end(usage, MAIN);
        reader.join().unwrap();
        assert_eq!(shared.removals[1].load(Ordering::SeqCst), 1);
    });
}

/// A removal is deferred while another use ends, and no thread waits for it.
#[test]
fn a_removal_at_once_is_removed_whoever_is_in_the_way() {
    check(|| {
        let shared = Shared::new();
        let theirs = shared.clone();
        let writer = thread::spawn(move || theirs.write(OTHER));
        shared.defer();
        shared.remove_deferred(MAIN);
        writer.join().unwrap();
        assert_eq!(shared.removals[1].load(Ordering::SeqCst), 1);
    });
}
