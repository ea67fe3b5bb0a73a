//! The record of a type's pools: their totals, and the list of all records. Without a lock.

use core::fmt;
use core::ptr;
use core::sync::atomic::Ordering;

use crate::base::atomic::{AtomicPtr, AtomicUsize, const_unless_model};
use crate::base::stats::Memory;

/// The totals of all pools of one type, in all threads.
///
/// Statistics alone depend on them, so every access is relaxed. A pool subtracts no more than it has added.
#[derive(Debug)]
pub(crate) struct Totals {
    /// Threads whose pool has grown and is not closed.
    pub(crate) threads: AtomicUsize,
    pub(crate) capacity: AtomicUsize,
    pub(crate) chunks: AtomicUsize,
    pub(crate) bytes: AtomicUsize,
    /// The highest mark of any one pool.
    pub(crate) high_water: AtomicUsize,
    /// Requests that were not met.
    pub(crate) failures: AtomicUsize,
}

impl Totals {
    const_unless_model! {
        const fn new() -> Self {
            Self {
                threads: AtomicUsize::new(0),
                capacity: AtomicUsize::new(0),
                chunks: AtomicUsize::new(0),
                bytes: AtomicUsize::new(0),
                high_water: AtomicUsize::new(0),
                failures: AtomicUsize::new(0),
            }
        }
    }
}

/// The process's record of the pools of one type: a node of the list, and their totals.
pub(crate) struct Record<F: 'static> {
    /// Null until the record is listed.
    facts: AtomicPtr<F>,
    /// The record that was listed before it.
    next: AtomicPtr<Self>,
    totals: Totals,
}

impl<F> Record<F> {
    const_unless_model! {
        pub(crate) const fn new() -> Self {
            Self {
                facts: AtomicPtr::new(ptr::null_mut()),
                next: AtomicPtr::new(ptr::null_mut()),
                totals: Totals::new(),
            }
        }
    }

    pub(crate) fn is_listed(&self) -> bool {
        !self.facts.load(Ordering::Relaxed).is_null()
    }

    /// `None` until the record is listed.
    pub(crate) fn facts(&self) -> Option<&'static F> {
        // SAFETY: null, or from a reference to what lives for ever (`Records::enlist`).
        unsafe { self.facts.load(Ordering::Acquire).as_ref() }
    }

    pub(crate) fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Counts a request that was not met.
    pub(crate) fn refused(&self) {
        self.totals.failures.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a thread whose pool has begun to be used.
    pub(crate) fn thread_begins(&self) {
        self.totals.threads.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a thread off whose pool has been closed.
    pub(crate) fn thread_ends(&self) {
        self.totals.threads.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<F> fmt::Debug for Record<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record").field("totals", &self.totals).finish_non_exhaustive()
    }
}

/// A list of records, the latest first. A record stays in it for good.
pub(crate) struct Records<F: 'static> {
    first: AtomicPtr<Record<F>>,
}

impl<F> Records<F> {
    const_unless_model! {
        pub(crate) const fn new() -> Self {
            Self { first: AtomicPtr::new(ptr::null_mut()) }
        }
    }

    /// Puts the record into the list, if it is not there.
    #[cold]
    pub(crate) fn enlist(&self, record: &'static Record<F>, facts: &'static F) {
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
        // A guess: to read the page of a static before it is written to would be a fault more in a new process.
        let mut first = ptr::null_mut();
        loop {
            record.next.store(first, Ordering::Relaxed);
            // What was written to the record comes before what a reader finds there.
            let order = Ordering::Release;
            match self.first.compare_exchange(first, record_pointer, order, Ordering::Relaxed) {
                Ok(_) => return,
                Err(found) => first = found,
            }
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static Record<F>> + use<F> {
        // SAFETY: null, or from a reference to what lives for ever (`enlist`).
        let follow = |link: &AtomicPtr<Record<F>>| unsafe { link.load(Ordering::Acquire).as_ref() };
        core::iter::successors(follow(&self.first), move |record: &&'static Record<F>| {
            follow(&record.next)
        })
    }
}

/// The totals to which one pool adds its memory, if it is a pool of a type.
#[derive(Clone, Copy)]
pub(crate) struct Share(Option<&'static Totals>);

impl Share {
    /// The share of a pool that is a value: it adds to no totals.
    pub(crate) const NONE: Self = Self(None);

    /// The share of a pool of this type that has no memory yet.
    pub(crate) fn of<F>(record: &'static Record<F>) -> Self {
        Self(Some(&record.totals))
    }

    pub(crate) fn is_none(self) -> bool {
        self.0.is_none()
    }

    /// Says that the pool had `before`, and has `now`.
    pub(crate) fn change(self, before: Memory, now: Memory) {
        let Some(totals) = self.0 else { return };
        for (total, before, now) in [
            (&totals.capacity, before.capacity, now.capacity),
            (&totals.chunks, before.chunks, now.chunks),
            (&totals.bytes, before.bytes, now.bytes),
        ] {
            if before != now {
                // It wraps if there is less than before.
                total.fetch_add(now.wrapping_sub(before), Ordering::Relaxed);
            }
        }
    }

    /// Says how many slots of the pool were in use at once.
    pub(crate) fn note_high_water(self, slots: usize) {
        if let Some(totals) = self.0 {
            totals.high_water.fetch_max(slots, Ordering::Relaxed);
        }
    }

    /// Counts a request that was not met.
    pub(crate) fn refused(self) {
        if let Some(totals) = self.0 {
            totals.failures.fetch_add(1, Ordering::Relaxed);
        }
    }
}
