//! What a thread keeps of a pool: free slots at hand, and spare batches.
//!
//! It lies on the heap, where no thread's end can take it: other threads find it in the depot's list, and a thread may be used by
//! destructors that run after anything which could take it off (those of a thread's keys, in the C library). Then it stays, with what is
//! in it.

use core::alloc::Layout;
use core::cell::Cell;
use core::ptr::{self, NonNull};

use crate::base::atomic::const_unless_model;
use crate::derived::magazines::batches::BatchStack;
use crate::derived::magazines::cache::{Cache, Sizes};
use crate::memory::heap;
use crate::thread::end::Registration;

/// One thread's free slots, and the nodes in which it sends and receives them.
pub(crate) struct Magazine {
    pub(super) slots: Cache,
    /// A free that finds this many slots at hand goes the rare way: as many as there is room for, or fewer where the
    /// next would be the last to come home.
    trip: Cell<usize>,
    /// How many slots this thread keeps when all are home, as far as it knows.
    all: Cell<usize>,
    /// Full nodes that were set aside.
    pub(super) spare: BatchStack,
    /// Vacant nodes, to be filled: together with those set aside at most [`Sizes::max_spare`] and one.
    pub(super) vacant: BatchStack,
    /// How many nodes this thread may set aside: one for each that it has had to fetch, [`Sizes::max_spare`] at most.
    pub(super) spare_limit: Cell<u8>,
    pub(crate) registration: Registration,
    /// The magazine of another thread, and so on through all of them. Behind the depot's lock.
    pub(super) next: Cell<*const Magazine>,
    /// The magazine whose `next` is this one, unless this is the first. Behind the depot's lock.
    pub(super) prev: Cell<*const Magazine>,
}

impl Magazine {
    const_unless_model! {
        /// A magazine without slots or room for any.
        pub(crate) const fn new() -> Self {
            Self {
                slots: Cache::new(),
                trip: Cell::new(0),
                all: Cell::new(0),
                spare: BatchStack::new(),
                vacant: BatchStack::new(),
                spare_limit: Cell::new(0),
                registration: Registration::NONE,
                next: Cell::new(ptr::null()),
                prev: Cell::new(ptr::null()),
            }
        }
    }

    /// One on the heap; `None` if that has no memory.
    pub(super) fn allocate() -> Option<NonNull<Self>> {
        let magazine = heap::alloc(Layout::new::<Self>())?.cast::<Self>();
        // SAFETY: it is new memory, of this layout.
        unsafe { magazine.write(Self::new()) };
        Some(magazine)
    }

    /// Gives one back.
    ///
    /// # Safety
    ///
    /// It came from [`Magazine::allocate`], is in no list, and is used no more.
    pub(super) unsafe fn free(magazine: NonNull<Self>) {
        // SAFETY: it was allocated with this layout (caller).
        unsafe { heap::dealloc(magazine.as_ptr().cast(), Layout::new::<Self>()) };
    }

    /// Sets the trip: all slots are home when this thread keeps `all`.
    pub(super) fn aim(&self, all: usize, sizes: Sizes) {
        self.all.set(all);
        // The last is on its way when it trips.
        let before = all.saturating_sub(self.spare.len() * sizes.batch + 1);
        self.trip.set(before.min(sizes.room()));
    }

    /// The same, where the number of spare batches has changed.
    pub(super) fn aim_again(&self, sizes: Sizes) {
        self.aim(self.all.get(), sizes);
    }

    /// Puts a slot in; `false` if that takes the rare way.
    ///
    /// # Safety
    ///
    /// As for [`Slots::put`](crate::strategy::Slots::put).
    #[inline(always)]
    pub(super) unsafe fn push(&self, slot: NonNull<u8>, layout: Layout) -> bool {
        // SAFETY: the trip is at most what there is room for (`aim`).
        unsafe { self.slots.push(slot, layout.size(), self.trip.get()) }
    }

    /// How many free slots it has, where a batch has `batch`. Other threads may ask, for statistics.
    pub(super) fn count(&self, batch: usize) -> usize {
        self.slots.len() + self.spare.len() * batch
    }
}

#[cfg(test)]
pub(crate) use owned::OwnMagazine;

/// For tests and models: a magazine that is freed when it is dropped, without a thread-local that leads to it.
#[cfg(test)]
mod owned {
    use core::ops::Deref;
    use core::ptr::NonNull;

    use crate::derived::magazines::magazine::Magazine;

    pub(crate) struct OwnMagazine(NonNull<Magazine>);

    impl OwnMagazine {
        pub(crate) fn new() -> Self {
            Self(Magazine::allocate().expect("memory"))
        }
    }

    impl Deref for OwnMagazine {
        type Target = Magazine;

        fn deref(&self) -> &Magazine {
            // SAFETY: it is there until it is dropped.
            unsafe { self.0.as_ref() }
        }
    }

    impl Drop for OwnMagazine {
        fn drop(&mut self) {
            // SAFETY: it came from there, and tests take it off the list before.
            unsafe { Magazine::free(self.0) };
        }
    }
}
