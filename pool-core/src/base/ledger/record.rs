//! The record of a type's pools: their totals, and the list of all records. Without a lock.

use core::iter;
use core::ptr;
use core::sync::atomic::Ordering;

use crate::base::atomic::swap::AtomicUsize;
use crate::base::atomic::{AtomicPtr, array_of, const_unless_model};
use crate::base::stats::Memory;

/// Whether records are kept: not without the feature `view`, nor where the target cannot compare and swap pointers.
const IS_KEPT: bool = cfg!(any(all(feature = "view", target_has_atomic = "ptr"), all(loom, test)));

/// The totals of all pools of one type, in all threads, by the numbers of [`Total`].
///
/// Statistics alone depend on them, so every access is relaxed. A pool subtracts no more than it has added.
type Totals = [AtomicUsize; 6];

#[derive(Clone, Copy)]
enum Total {
    /// Threads whose list of pools to be closed has the pool.
    Threads,
    Capacity,
    Chunks,
    Bytes,
    /// The highest mark of any one pool.
    HighWater,
    /// Requests that were not met.
    Failures,
}

/// The process's record of the pools of one type. It is empty unless [`IS_KEPT`].
pub(crate) struct Record<F: 'static>([Node<F>; IS_KEPT as usize]);

/// A type's place in the list, and the totals of its pools.
struct Node<F: 'static> {
    /// Null until the record is listed.
    facts: AtomicPtr<F>,
    /// The record that was listed before it.
    next: AtomicPtr<Record<F>>,
    totals: Totals,
}

impl<F> Node<F> {
    const_unless_model! {
        const fn new() -> Self {
            Self {
                facts: AtomicPtr::new(ptr::null_mut()),
                next: AtomicPtr::new(ptr::null_mut()),
                totals: array_of!(AtomicUsize::new(0); 6),
            }
        }
    }
}

impl<F> Record<F> {
    const_unless_model! {
        pub(crate) const fn new() -> Self {
            Self(array_of!(Node::new(); IS_KEPT as usize))
        }
    }

    /// Whether the record is in the list, if it is to be.
    pub(crate) fn is_listed(&self) -> bool {
        self.0.first().is_none_or(|node| !node.facts.load(Ordering::Relaxed).is_null())
    }

    /// `None` until the record is listed.
    pub(crate) fn facts(&self) -> Option<&'static F> {
        follow(&self.0.first()?.facts)
    }

    /// Threads, slots, chunks, bytes, the highest mark, and requests that were not met.
    pub(crate) fn totals(&self) -> [usize; 6] {
        let of = |node: &Node<F>| node.totals.each_ref().map(|total| total.load(Ordering::Relaxed));
        self.0.first().map_or([0; 6], of)
    }

    /// Adds to a total. It wraps, so the number may stand for a negative one.
    fn add(&self, total: Total, number: usize) {
        if let Some(node) = self.0.first() {
            node.totals[total as usize].fetch_add(number, Ordering::Relaxed);
        }
    }

    /// Counts a request that was not met.
    pub(crate) fn refused(&self) {
        self.add(Total::Failures, 1);
    }

    /// Counts a thread whose pool has begun to be used.
    pub(crate) fn thread_begins(&self) {
        self.add(Total::Threads, 1);
    }

    /// Counts a thread off whose pool has been closed.
    pub(crate) fn thread_ends(&self) {
        self.add(Total::Threads, usize::MAX);
    }

    /// Adds a change of a pool's memory, from `before` to `now`.
    pub(crate) fn change(&self, before: Memory, now: Memory) {
        self.add(Total::Capacity, now.capacity.wrapping_sub(before.capacity));
        self.add(Total::Chunks, now.chunks.wrapping_sub(before.chunks));
        self.add(Total::Bytes, now.bytes.wrapping_sub(before.bytes));
    }

    /// Raises the highest mark, if a pool had more slots in use at once.
    pub(crate) fn note_high_water(&self, slots: usize) {
        if let Some(node) = self.0.first() {
            let higher = |found| (found < slots).then_some(slots);
            let relaxed = Ordering::Relaxed;
            let _ = node.totals[Total::HighWater as usize].fetch_update(relaxed, relaxed, higher);
        }
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
    #[cfg(target_has_atomic = "ptr")]
    #[cold]
    pub(crate) fn enlist(&self, record: &'static Record<F>, facts: &'static F) {
        let Some(node) = record.0.first() else { return };
        let facts = ptr::from_ref(facts).cast_mut();
        let joined = node.facts.compare_exchange(
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
            node.next.store(first, Ordering::Relaxed);
            // What was written to the record comes before what a reader finds there.
            let order = Ordering::Release;
            match self.first.compare_exchange(first, record_pointer, order, Ordering::Relaxed) {
                Ok(_) => return,
                Err(found) => first = found,
            }
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static Record<F>> + use<F> {
        iter::successors(follow(&self.first), |record| follow(&record.0.first()?.next))
    }
}

/// Follows a link of a record, or of a list, of this module's.
fn follow<U>(link: &AtomicPtr<U>) -> Option<&'static U> {
    // SAFETY: null, or from a reference to what lives for ever (`Records::enlist`).
    unsafe { link.load(Ordering::Acquire).as_ref() }
}
