//! A lock whose readers do not meet: each writes into one of several words.
//!
//! A reader puts its thread's number into the word that the number chooses, and then looks whether there is a writer; to leave, it clears
//! the word. A writer marks the state, and then waits until every word is clear. So one of the two sees the other. A reader that finds its
//! word taken (by a use of its own, or of a thread with the same word; for ever, by a guard that was leaked) is counted in the state. So
//! uses may end in any order, and in any thread.
//!
//! Readers wait behind a writer that waits, but not a thread that reads already, or the two would wait for each other.
//!
//! A use ends with a plain store, and then a load of `to_do`: whether a thread sleeps, or removals are deferred. A processor may do the
//! two in reverse, and so miss a note of the same moment. A fence between them would double the price of a look-up. So a sleeper looks
//! again each millisecond, and a removal may be left to the next end of a use.
//!
//! The designs that it was raced against: `docs/decisions/static-rosters.md`.

use core::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};

use crate::base::atomic::{
    AtomicUsize, Condvar, IS_MODEL, Mutex, array_of, const_unless_model, fence_in_models, lock,
    nap, spin_loop,
};

/// A writer looks at each, so they are few.
const WORDS: usize = if IS_MODEL { 2 } else { 8 };

/// How often a thread looks before it sleeps, each time for twice as long. The thread that has the lock goes on, and the elements stay
/// in its processor's cache: threads that exchanged it after each use would wait for cache lines.
const LOOKS: u32 = if IS_MODEL { 1 } else { 7 };

/// In the state: a thread waits for readers to leave.
const WRITER: usize = 1;
/// The thread whose number is in the bits above has the lock alone, and no other changes the state.
const ALONE: usize = 2;
/// The unit in which the state counts readers that are in no word, and `to_do` counts deferred removals.
pub(crate) const UNIT: usize = 4;
/// In `to_do`: a thread sleeps.
const ASLEEP: usize = 1;

#[repr(align(128))]
pub(crate) struct Word(AtomicUsize);

pub(crate) enum Use<'a> {
    InWord(&'a Word),
    /// The thread has this number.
    Counted(usize),
    Alone,
}

pub(crate) struct SharedLock {
    /// In each the number of a thread that reads, or 0.
    words: [Word; WORDS],
    state: AtomicUsize,
    /// Work for the end of a use.
    pub(crate) to_do: AtomicUsize,
    asleep: Mutex<()>,
    woken: Condvar,
}

impl SharedLock {
    const_unless_model! {
        pub(crate) const fn new() -> Self {
            Self {
                words: array_of![Word(AtomicUsize::new(0)); WORDS],
                state: AtomicUsize::new(0),
                to_do: AtomicUsize::new(0),
                asleep: Mutex::new(()),
                woken: Condvar::new(),
            }
        }
    }

    /// Reads by the thread's word, if that is free, and no writer is there.
    #[inline(always)]
    pub(crate) fn enter(&self, thread: usize) -> Option<Use<'_>> {
        let word = &self.words[thread % WORDS];
        word.0.compare_exchange(0, thread, SeqCst, Relaxed).ok()?;
        fence_in_models();
        self.keep_if(self.state.load(SeqCst) & (WRITER | ALONE) == 0, Use::InWord(word))
    }

    /// Reads without a word, if that is possible without waiting. A thread that reads already is not kept out by a writer that waits.
    pub(crate) fn try_count(&self, reads_already: bool) -> bool {
        let unless = if reads_already { ALONE } else { WRITER | ALONE };
        // (Guards that are leaked may be so many on 32 bits that no more can be counted.)
        let count = |state: usize| state.checked_add(UNIT).filter(|_| state & unless == 0);
        self.state.fetch_update(Acquire, Relaxed, count).is_ok()
    }

    /// Takes the lock alone, unless another use goes on, or a writer waits: then the end of that use will see what was to be done.
    #[inline(always)]
    pub(crate) fn try_write(&self, thread: usize) -> Option<Use<'_>> {
        loop {
            self.state.compare_exchange(0, (thread << 2) | ALONE, SeqCst, SeqCst).ok()?;
            let alone = self.keep_if(self.is_in_no_word(), Use::Alone);
            // A thread that has left since may have found this thread in its way.
            if alone.is_some() || !self.is_in_no_word() {
                return alone;
            }
        }
    }

    /// Waits until it has the lock alone. The calling thread must not use the lock.
    #[inline]
    pub(crate) fn write(&self, thread: usize) {
        let mark = |state: usize| (state & (WRITER | ALONE) == 0).then_some(state | WRITER);
        self.wait_until(|| self.state.fetch_update(SeqCst, Relaxed, mark).is_ok());
        let take = || self.state.compare_exchange(WRITER, (thread << 2) | ALONE, Acquire, Relaxed);
        // In this order: a thread that reads by its word, and once more, is counted before it leaves the word.
        self.wait_until(|| self.is_in_no_word() && take().is_ok());
    }

    #[inline(always)]
    fn keep_if<'a>(&self, has_it: bool, usage: Use<'a>) -> Option<Use<'a>> {
        if !has_it {
            self.end(&usage);
        }
        has_it.then_some(usage)
    }

    /// Ends a use, in any thread. Says whether removals are deferred.
    #[inline(always)]
    pub(crate) fn end(&self, usage: &Use<'_>) -> bool {
        match usage {
            Use::InWord(word) => word.0.store(0, Release),
            Use::Counted(_) => _ = self.state.fetch_sub(UNIT, Release),
            Use::Alone => self.state.store(0, Release),
        }
        fence_in_models();
        self.to_do.load(Relaxed) != 0 && self.wake()
    }

    #[cold]
    fn wake(&self) -> bool {
        let _asleep = lock(&self.asleep);
        // Those that sleep on put the mark back.
        let to_do = self.to_do.fetch_and(!ASLEEP, SeqCst);
        self.woken.notify_all();
        to_do >= UNIT
    }

    /// Waits until `is_time`, whose answer changes when a use ends.
    pub(crate) fn wait_until(&self, mut is_time: impl FnMut() -> bool) {
        for look in 0..LOOKS {
            if is_time() {
                return;
            }
            (0..1 << look).for_each(|_| spin_loop());
        }
        let mut asleep = lock(&self.asleep);
        while {
            self.to_do.fetch_or(ASLEEP, SeqCst);
            fence_in_models();
            !is_time()
        } {
            asleep = nap(&self.woken, asleep);
        }
    }

    #[inline(always)]
    fn is_in_no_word(&self) -> bool {
        fence_in_models();
        self.words.iter().all(|word| word.0.load(SeqCst) == 0)
    }

    /// Whether the thread has the lock alone.
    pub(crate) fn is_written_by(&self, thread: usize) -> bool {
        self.state.load(Relaxed) == (thread << 2) | ALONE
    }

    /// Whether the thread reads; by the state, as far as it knows.
    pub(crate) fn is_read_by(&self, thread: usize, is_counted: bool) -> bool {
        let state = self.state.load(Relaxed);
        self.words.iter().any(|word| word.0.load(Relaxed) == thread)
            || is_counted && state & ALONE == 0 && state >= UNIT
    }
}
