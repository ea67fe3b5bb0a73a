//! What a thread keeps of a pool: free slots at hand, and spare batches.

use core::alloc::Layout;
use core::cell::Cell;
use core::ops::Deref;
use core::ptr::{self, NonNull};

use crate::base::atomic::{const_unless_model, constant};
use crate::base::opaque::{Opaque, Resident};
use crate::derived::magazines::batches::BatchStack;
use crate::derived::magazines::cache::{Cache as _, Shareable, Sizes};
use crate::derived::thread_exit::Registration;

/// One thread's free slots, and the nodes in which it sends and receives them.
pub struct Magazine<S: Shareable>(Opaque<Parts<S>>);

/// In one piece, since they are many.
pub struct Parts<S: Shareable> {
    pub(super) slots: S::Cache,
    /// A free that finds this many slots at hand goes the rare way: as many as there is room for, or fewer where the
    /// next would be the last to come home; none before the first use, nor after the end.
    trip: Cell<usize>,
    /// How many slots this thread keeps when all are home, as far as it knows.
    all: Cell<usize>,
    /// Full nodes that were set aside.
    pub(super) spare: BatchStack<S::Cache>,
    /// Vacant nodes, to be filled: together with those set aside at most [`Sizes::max_spare`] and one.
    pub(super) vacant: BatchStack<S::Cache>,
    /// How many nodes this thread may set aside: one for each that it has had to fetch, [`Sizes::max_spare`] at most.
    pub(super) spare_limit: Cell<u8>,
    /// Whether it may keep slots: not before the first use, nor after the end.
    pub(super) is_open: Cell<bool>,
    pub(crate) registration: Registration,
    /// The magazine of another thread, and so on through all of them. Behind the depot's lock.
    pub(super) next: Cell<*const Magazine<S>>,
    /// The magazine whose `next` is this one, unless this is the first. Behind the depot's lock.
    pub(super) prev: Cell<*const Magazine<S>>,
}

impl<S: Shareable> Deref for Magazine<S> {
    type Target = Parts<S>;

    #[inline(always)]
    fn deref(&self) -> &Parts<S> {
        &self.0
    }
}

impl<S: Shareable> Resident for Magazine<S> {
    fn is_spent(&self) -> bool {
        !self.is_open.get() && !self.registration.is_listed()
    }
}

impl<S: Shareable> Magazine<S> {
    const_unless_model! {
        /// The magazine of a thread that has not used the pool yet.
        pub const fn new() -> Self {
            Self(Opaque::new(Parts {
                slots: constant!(S::Cache::EMPTY),
                trip: Cell::new(0),
                all: Cell::new(usize::MAX),
                spare: BatchStack::new(),
                vacant: BatchStack::new(),
                spare_limit: Cell::new(0),
                is_open: Cell::new(false),
                registration: Registration::NONE,
                next: Cell::new(ptr::null()),
                prev: Cell::new(ptr::null()),
            }))
        }
    }

    /// Gives it room, for a thread that begins to use the pool.
    pub(super) fn open(&self, sizes: Sizes) {
        self.is_open.set(true);
        self.aim(usize::MAX, sizes);
    }

    /// Sets the trips: all slots are home when this thread keeps `all`.
    pub(super) fn aim(&self, all: usize, sizes: Sizes) {
        self.all.set(all);
        if self.is_open.get() {
            // The last is on its way when it trips.
            let before = all.saturating_sub(self.spare.len() * sizes.batch + 1);
            self.trip.set(self.slots.mark(before.min(sizes.room::<S::Cache>())));
        }
    }

    /// The same, where the number of spare batches has changed.
    pub(super) fn aim_again(&self, sizes: Sizes) {
        self.aim(self.all.get(), sizes);
    }

    /// Whether slots may be at hand.
    pub(super) fn has_room(&self) -> bool {
        self.is_open.get() && self.slots.has_room()
    }

    /// Takes its room away, for a thread that ends.
    pub(super) fn close(&self) {
        self.is_open.set(false);
        self.trip.set(0);
    }

    /// Puts a slot in; `false` if that takes the rare way.
    ///
    /// # Safety
    ///
    /// As for [`Slots::put`](crate::strategy::Slots::put).
    #[inline(always)]
    pub(super) unsafe fn push(&self, slot: NonNull<u8>, layout: Layout) -> bool {
        let has_room = self.slots.is_below(self.trip.get());
        if has_room {
            // SAFETY: there is room, and the slot is free (caller).
            unsafe { self.slots.push(slot, layout.size()) };
        }
        has_room
    }

    /// How many free slots it has, where a batch has `batch`. Other threads may ask, for statistics.
    pub(super) fn count(&self, batch: usize) -> usize {
        self.slots.len() + self.spare.len() * batch
    }
}
