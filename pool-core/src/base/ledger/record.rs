//! The record of a type's pools: their totals, and the list of all records. Without a lock.

use core::fmt;
use core::iter;
use core::ptr;
use core::sync::atomic::Ordering;

use crate::base::atomic::{AtomicPtr, AtomicUsize, array_of, const_unless_model};
use crate::base::stats::Memory;

/// The totals of all pools of one type, in all threads, by the numbers of [`Total`].
///
/// Statistics alone depend on them, so every access is relaxed. A pool subtracts no more than it has added.
type Totals = [AtomicUsize; 6];

#[derive(Clone, Copy)]
enum Total {
    /// Threads whose pool has grown and is not closed.
    Threads,
    Capacity,
    Chunks,
    Bytes,
    /// The highest mark of any one pool.
    HighWater,
    /// Requests that were not met.
    Failures,
}

/// Adds to a total. It wraps, so the number may stand for a negative one.
fn add(totals: &Totals, total: Total, number: usize) {
    totals[total as usize].fetch_add(number, Ordering::Relaxed);
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
                totals: array_of!(AtomicUsize::new(0); 6),
            }
        }
    }

    pub(crate) fn is_listed(&self) -> bool {
        !self.facts.load(Ordering::Relaxed).is_null()
    }

    /// `None` until the record is listed.
    pub(crate) fn facts(&self) -> Option<&'static F> {
        follow(&self.facts)
    }

    /// Threads, slots, chunks, bytes, the highest mark, and requests that were not met.
    pub(crate) fn totals(&self) -> [usize; 6] {
        self.totals.each_ref().map(|total| total.load(Ordering::Relaxed))
    }

    /// Counts a request that was not met.
    pub(crate) fn refused(&self) {
        add(&self.totals, Total::Failures, 1);
    }

    /// Counts a thread whose pool has begun to be used.
    pub(crate) fn thread_begins(&self) {
        add(&self.totals, Total::Threads, 1);
    }

    /// Counts a thread off whose pool has been closed.
    pub(crate) fn thread_ends(&self) {
        add(&self.totals, Total::Threads, usize::MAX);
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
        // A guess: in a new process, reading a static's page before the first write to it would cost one more fault.
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
        iter::successors(follow(&self.first), |record| follow(&record.next))
    }
}

/// Follows a link of a record, or of a list, of this module's.
fn follow<U>(link: &AtomicPtr<U>) -> Option<&'static U> {
    // SAFETY: null, or from a reference to what lives for ever (`Records::enlist`).
    unsafe { link.load(Ordering::Acquire).as_ref() }
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
            (Total::Capacity, before.capacity, now.capacity),
            (Total::Chunks, before.chunks, now.chunks),
            (Total::Bytes, before.bytes, now.bytes),
        ] {
            if before != now {
                add(totals, total, now.wrapping_sub(before));
            }
        }
    }

    /// Says how many slots of the pool were in use at once.
    pub(crate) fn note_high_water(self, slots: usize) {
        if let Some(totals) = self.0 {
            totals[Total::HighWater as usize].fetch_max(slots, Ordering::Relaxed);
        }
    }

    /// Counts a request that was not met.
    pub(crate) fn refused(self) {
        if let Some(totals) = self.0 {
            add(totals, Total::Failures, 1);
        }
    }
}
