//! What a thread keeps of a pool: free slots at hand, spare batches, and slots that others may take back.

use core::alloc::Layout;
use core::cell::Cell;
use core::ops::Deref;
use core::ptr::{self, NonNull};

use crate::base::atomic::const_unless_model;
use crate::base::opaque::Opaque;
use crate::base::watch::sanitizer;
use crate::derived::magazines::batches::BatchStack;
use crate::derived::magazines::cache::{Cache as _, Shareable, Sizes};
use crate::derived::magazines::held::{Held, MAX_HELD};
use crate::derived::thread_exit::Registration;
use crate::derived::thread_local::Resident;

/// One thread's free slots, and the nodes in which it sends and receives them.
#[allow(missing_debug_implementations, private_bounds, unnameable_types, reason = "for the derive")]
pub struct Magazine<S: Shareable, const HELD: usize = MAX_HELD>(Opaque<Parts<S, HELD>>);

/// In one piece, since they are many.
#[allow(
    missing_debug_implementations,
    private_bounds,
    unnameable_types,
    reason = "for this crate alone"
)]
pub struct Parts<S: Shareable, const HELD: usize> {
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
    /// What this thread holds, where the pool has a limit.
    pub(super) held: Held<HELD>,
    /// The same as `trip` for the slots that this thread holds.
    held_trip: Cell<usize>,
    /// How many nodes this thread may set aside: one for each that it has had to fetch, [`Sizes::max_spare`] at most.
    pub(super) spare_limit: Cell<u8>,
    /// Whether it may keep slots: not before the first use, nor after the end.
    pub(super) is_open: Cell<bool>,
    /// Whether this thread is in the depot, and so has the lock.
    pub(super) is_in_depot: Cell<bool>,
    pub(crate) registration: Registration,
    /// The magazine of another thread, and so on through all of them. Behind the depot's lock.
    pub(super) next: Cell<*const Magazine<S, HELD>>,
    /// The magazine whose `next` is this one, unless this is the first. Behind the depot's lock.
    pub(super) prev: Cell<*const Magazine<S, HELD>>,
}

impl<S: Shareable, const HELD: usize> Deref for Magazine<S, HELD> {
    type Target = Parts<S, HELD>;

    #[inline(always)]
    fn deref(&self) -> &Parts<S, HELD> {
        &self.0
    }
}

impl<S: Shareable, const HELD: usize> Resident for Magazine<S, HELD> {
    fn is_spent(&self) -> bool {
        !self.is_open.get() && !self.registration.is_listed()
    }
}

#[allow(private_bounds, reason = "for this crate")]
impl<S: Shareable, const HELD: usize> Magazine<S, HELD> {
    const_unless_model! {
        /// The magazine of a thread that has not used the pool yet.
        pub(crate) const fn new(slots: S::Cache) -> Self {
            Self(Opaque::new(Parts {
                slots,
                trip: Cell::new(0),
                all: Cell::new(usize::MAX),
                spare: BatchStack::new(),
                vacant: BatchStack::new(),
                held: Held::new(),
                held_trip: Cell::new(0),
                spare_limit: Cell::new(0),
                is_open: Cell::new(false),
                is_in_depot: Cell::new(false),
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
            self.held_trip.set(before.min(sizes.max_held));
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
        self.held_trip.set(0);
    }

    /// Takes a slot that is at hand, fit for use.
    #[inline(always)]
    pub(super) fn pop(&self, layout: Layout) -> Option<NonNull<u8>> {
        self.slots.pop(layout.size())
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

    /// Takes a slot that this thread holds, fit for use.
    #[inline(always)]
    pub(super) fn pop_held(&self, layout: Layout) -> Option<NonNull<u8>> {
        let slot = self.held.pop()?;
        sanitizer::unpoison(slot.as_ptr(), layout.size());
        Some(slot)
    }

    /// Keeps a slot among those that this thread holds; `false` if that takes the rare way.
    ///
    /// # Safety
    ///
    /// As for [`Slots::put`](crate::strategy::Slots::put).
    #[inline(always)]
    pub(super) unsafe fn push_held(&self, slot: NonNull<u8>, layout: Layout) -> bool {
        // SAFETY: passed on from the caller.
        self.held.len() < self.held_trip.get() && unsafe { self.hold(slot, layout) }
    }

    /// The same, whatever has tripped; `false` if there is no place.
    ///
    /// # Safety
    ///
    /// As for [`Slots::put`](crate::strategy::Slots::put).
    #[inline(always)]
    pub(super) unsafe fn hold(&self, slot: NonNull<u8>, layout: Layout) -> bool {
        sanitizer::poison(slot.as_ptr(), layout.size());
        self.held.push(slot)
    }

    /// How many free slots it has, where a batch has `batch`. Other threads may ask, for statistics.
    pub(super) fn count(&self, batch: usize) -> usize {
        self.slots.len() + self.held.count() + self.spare.len() * batch
    }
}
