//! Words that one thread writes and others read, all of the same moment.
//!
//! The technique is the *seqlock*: a version that is odd while the words are being written. A reader that finds another
//! version afterwards reads again, so it neither waits for a lock nor keeps a writer waiting.
//!
//! # Memory ordering
//!
//! The words are atomic, and stored with *release*: a reader that sees a new word also sees, from its second look at the
//! version, that it was being written. The even version is stored with release, too, so a reader that begins with it sees
//! the words that belong to it, or later ones. (Fences would do the same, but ThreadSanitizer does not know them.)

use core::ptr;
use core::sync::atomic::Ordering;

use crate::base::atomic::{AtomicPtr, AtomicUsize, array_of, const_unless_model, spin_loop};

/// `N` words, and two pointers.
#[derive(Debug)]
pub(crate) struct Versioned<const N: usize> {
    version: AtomicUsize,
    pointers: [AtomicPtr<()>; 2],
    words: [AtomicUsize; N],
}

const WRITE: Ordering =
    if cfg!(pool_seed_relaxed_words) { Ordering::Relaxed } else { Ordering::Release };

impl<const N: usize> Versioned<N> {
    const_unless_model! {
        pub(crate) const fn new() -> Self {
            Self {
                version: AtomicUsize::new(0),
                pointers: [AtomicPtr::new(ptr::null_mut()), AtomicPtr::new(ptr::null_mut())],
                words: array_of!(AtomicUsize::new(0); N),
            }
        }
    }

    /// One of the words as it is, perhaps while they are being written.
    pub(crate) fn peek(&self, at: usize) -> usize {
        self.words[at].load(Ordering::Relaxed)
    }

    /// The words as they are. For the thread that writes them.
    pub(crate) fn own(&self) -> ([*mut (); 2], [usize; N]) {
        let pointers = [0, 1].map(|at: usize| self.pointers[at].load(Ordering::Relaxed));
        (pointers, core::array::from_fn(|at| self.words[at].load(Ordering::Relaxed)))
    }

    /// Writes all of them. By one thread at a time.
    pub(crate) fn write(&self, pointers: [*mut (); 2], words: [usize; N]) {
        self.store(&pointers, 0, &words);
    }

    /// Writes some of the words, from `at` on. By one thread at a time.
    pub(crate) fn amend(&self, at: usize, words: &[usize]) {
        self.store(&[], at, words);
    }

    #[inline(always)]
    fn store(&self, pointers: &[*mut ()], at: usize, words: &[usize]) {
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version.wrapping_add(1), Ordering::Relaxed);
        for (place, pointer) in self.pointers.iter().zip(pointers) {
            place.store(*pointer, WRITE);
        }
        for (place, word) in self.words[at..].iter().zip(words) {
            place.store(*word, WRITE);
        }
        self.version.store(version.wrapping_add(2), Ordering::Release);
    }

    /// All of them, of one moment.
    pub(crate) fn read(&self) -> ([*mut (); 2], [usize; N]) {
        loop {
            let version = self.version.load(Ordering::Acquire);
            if version % 2 == 0 {
                let pointers = [0, 1].map(|at: usize| self.pointers[at].load(Ordering::Acquire));
                let words = core::array::from_fn(|at| self.words[at].load(Ordering::Acquire));
                if self.version.load(Ordering::Relaxed) == version || cfg!(pool_seed_one_version) {
                    return (pointers, words);
                }
            }
            spin_loop();
        }
    }
}
