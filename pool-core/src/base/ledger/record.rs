//! The list of all types with a pool, and what is kept of each.

use core::fmt;
use core::ptr;
use core::sync::atomic::Ordering;

use crate::base::atomic::{AtomicPtr, AtomicUsize, const_unless_model};

/// What the process keeps of the pools of one type, about which it has `F`s. All zeros at first, so that it may lie in `.bss`.
pub(crate) struct Record<F: 'static> {
    /// Null until it is listed.
    facts: AtomicPtr<F>,
    /// The record that was listed before it.
    next: AtomicPtr<Self>,
    /// How often a pool without an account has refused.
    failures: AtomicUsize,
    ended: [AtomicUsize; 4],
}

/// The totals of threads that have ended and left nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) threads: usize,
    /// The largest.
    pub(crate) high_water: usize,
    pub(crate) grown: usize,
    pub(crate) failures: usize,
}

impl<F> Record<F> {
    const_unless_model! {
        /// Of a type whose pool was never used.
        pub(crate) const fn new() -> Self {
            Self {
                facts: AtomicPtr::new(ptr::null_mut()),
                next: AtomicPtr::new(ptr::null_mut()),
                failures: AtomicUsize::new(0),
                ended: [AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0)],
            }
        }
    }

    /// Sees to it that the record is in the list.
    pub(crate) fn join_in(&'static self, records: &Records<F>, facts: &'static F) {
        if !self.is_listed() {
            records.join(self, facts);
        }
    }

    pub(crate) fn is_listed(&self) -> bool {
        !self.facts.load(Ordering::Relaxed).is_null()
    }

    /// What it is a record of; `None` before it is in the list.
    pub(crate) fn facts(&self) -> Option<&'static F> {
        // SAFETY: null, or from a reference to what lives for ever (`Records::join`).
        unsafe { self.facts.load(Ordering::Acquire).as_ref() }
    }

    /// Counts a request that a pool without an account could not meet.
    pub(crate) fn refused(&self) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn failures(&self) -> usize {
        self.failures.load(Ordering::Relaxed)
    }

    /// Adds what the pool of a thread leaves that has ended.
    pub(crate) fn add_ended(&self, ended: Ended) {
        let [threads, high_water, grown, failures] = &self.ended;
        high_water.fetch_max(ended.high_water, Ordering::Relaxed);
        grown.fetch_add(ended.grown, Ordering::Relaxed);
        failures.fetch_add(ended.failures, Ordering::Relaxed);
        threads.fetch_add(ended.threads, Ordering::Relaxed);
    }

    pub(crate) fn ended(&self) -> Ended {
        let [threads, high_water, grown, failures] =
            [0, 1, 2, 3].map(|at: usize| self.ended[at].load(Ordering::Relaxed));
        Ended { threads, high_water, grown, failures }
    }
}

impl<F> fmt::Debug for Record<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record").field("ended", &self.ended()).finish_non_exhaustive()
    }
}

/// The records of a process: a list to which they are added, and from which none is ever taken.
pub(crate) struct Records<F: 'static> {
    /// The latest.
    first: AtomicPtr<Record<F>>,
}

impl<F> Records<F> {
    const_unless_model! {
        pub(crate) const fn new() -> Self {
            Self { first: AtomicPtr::new(ptr::null_mut()) }
        }
    }

    /// Adds a record, unless it is there already, or another thread is about to add it.
    #[cold]
    pub(crate) fn join(&self, record: &'static Record<F>, facts: &'static F) {
        let facts = ptr::from_ref(facts).cast_mut();
        let joined = record.facts.compare_exchange(
            ptr::null_mut(),
            facts,
            Ordering::Release,
            Ordering::Relaxed,
        );
        if joined.is_err() {
            return;
        }
        let record_pointer = ptr::from_ref(record).cast_mut();
        let mut first = self.first.load(Ordering::Relaxed);
        loop {
            record.next.store(first, Ordering::Relaxed);
            // What was written to the record comes before what a reader finds there.
            let order =
                if cfg!(pool_seed_relaxed_join) { Ordering::Relaxed } else { Ordering::Release };
            match self.first.compare_exchange(first, record_pointer, order, Ordering::Relaxed) {
                Ok(_) => return,
                Err(found) => first = found,
            }
        }
    }

    /// Those that are in the list now.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static Record<F>> + use<F> {
        // SAFETY: null, or from a reference to what lives for ever (`join`).
        let follow = |link: &AtomicPtr<Record<F>>| unsafe { link.load(Ordering::Acquire).as_ref() };
        core::iter::successors(follow(&self.first), move |record: &&'static Record<F>| {
            follow(&record.next)
        })
    }
}
