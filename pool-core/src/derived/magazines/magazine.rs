//! What a thread keeps of a pool: free slots at hand, spare batches, and slots that others may take back.
//!
//! # What a thread holds
//!
//! Of a pool with a limit a thread has slots at hand that are brought back before an allocation is refused.
//!
//! A magazine's slots are its thread's alone: if others could take them, every operation would have to be
//! atomic. A pool that can grow does not need that. Where there is a limit, magazines have no room, and a thread
//! *holds* its free slots in places of its own, from which others may take them. Only the owner puts a slot
//! into a place, and always into the one above those that it has filled; so putting one in takes plain stores. Every
//! taker exchanges the slot for null, so each slot goes to one taker.
//!
//! Others take slots with the depot's lock, one thread at a time. Where they have emptied a place, the
//! owner finds it empty, and steps down.
//!
//! # Memory ordering
//!
//! A slot is put in by a release store, and others take it by an acquiring exchange: what its last user did with
//! it has happened before. (That the owner's exchange acquires, too, is for loom alone, which otherwise orders one
//! thread's exchanges and another's of the same place as no machine does.)
//!
//! A thread at the limit looks at one thread after the other, and the first may hold something again by the time the
//! last is looked at. So each owner counts what it has put in, *after* that is in its place, and the count is
//! read before the look at its places, and again when all were looked at. If no count has changed, nobody held
//! anything between the last look and the second reading: of all that is then known to have happened, no slot was put in
//! that was not taken out again.
//!
//! 1. What the first reading counted is in its place (the count is released and acquired). So a place that is
//!    found empty was emptied since. If its owner did that, the look acquires what the owner released, and with it
//!    all that the owner has put in anywhere before.
//! 2. What the first reading did not count, the second would, if it were known: a thread never reads a value older
//!    than one that it knows of. So if a slot is put in meanwhile, the thread that frees it is not done yet, and no
//!    other thread knows of it.

use core::alloc::Layout;
use core::cell::Cell;
use core::ops::Deref;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering;

use crate::base::atomic::atomic::{AtomicPtr, AtomicUsize};
use crate::base::atomic::{array_of, const_unless_model, constant};
use crate::base::opaque::{Opaque, Resident};
use crate::base::watch::sanitizer;
use crate::derived::magazines::batches::BatchStack;
use crate::derived::magazines::cache::{Cache as _, MAX_HELD, Shareable, Sizes};
use crate::derived::thread_exit::Registration;

/// One thread's free slots, and the nodes in which it sends and receives them.
pub struct Magazine<S: Shareable, const HELD: usize = MAX_HELD>(Opaque<Parts<S, HELD>>);

/// In one piece, since they are many.
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

impl<S: Shareable, const HELD: usize> Magazine<S, HELD> {
    const_unless_model! {
        /// The magazine of a thread that has not used the pool yet.
        pub const fn new() -> Self {
            Self(Opaque::new(Parts {
                slots: constant!(S::Cache::EMPTY),
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

/// The free slots that a thread holds, by their addresses: as many as `N` at most.
pub(crate) struct Held<const N: usize> {
    /// Null, or a slot. From `len` on null.
    places: [AtomicPtr<u8>; N],
    /// How many places the owner has filled. For the owner alone.
    len: Cell<usize>,
    /// How often the owner has put a slot in. Others read it.
    puts: AtomicUsize,
    /// What `puts` was before the last look for slots here. Behind the depot's lock.
    seen: Cell<usize>,
}

impl<const N: usize> Held<N> {
    const_unless_model! {
        /// Without a slot.
        pub(super) const fn new() -> Self {
            Self {
                places: array_of!(AtomicPtr::new(ptr::null_mut()); N),
                len: Cell::new(0),
                puts: AtomicUsize::new(0),
                seen: Cell::new(0),
            }
        }
    }

    /// How many places are filled, for the owner, as far as it knows: others may have emptied some.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len.get()
    }

    /// Puts a slot in, for the owner; `false` if there is no room.
    #[inline(always)]
    pub(super) fn push(&self, slot: NonNull<u8>) -> bool {
        let len = self.len.get();
        let Some(place) = self.places.get(len) else { return false };
        let puts = self.puts.load(Ordering::Relaxed).wrapping_add(1);
        if cfg!(pool_seed_early_put) {
            self.puts.store(puts, Ordering::Release);
        }
        let order = if cfg!(pool_seed_relaxed_put) { Ordering::Relaxed } else { Ordering::Release };
        place.store(slot.as_ptr(), order);
        self.len.set(len + 1);
        if !cfg!(pool_seed_early_put) {
            self.puts.store(puts, Ordering::Release);
        }
        true
    }

    /// Takes the slot out that came last, for the owner.
    #[inline(always)]
    pub(super) fn pop(&self) -> Option<NonNull<u8>> {
        while let Some(at) = self.len.get().checked_sub(1) {
            self.len.set(at);
            let slot = self.places.get(at).and_then(Self::take_from);
            if slot.is_some() {
                return slot;
            }
        }
        None
    }

    /// Takes out of a place what the owner has put there, for the owner.
    #[inline(always)]
    fn take_from(place: &AtomicPtr<u8>) -> Option<NonNull<u8>> {
        if cfg!(pool_seed_no_swap) {
            let slot = place.load(Ordering::Relaxed);
            place.store(ptr::null_mut(), Ordering::Release);
            return NonNull::new(slot);
        }
        let order = if cfg!(pool_seed_relaxed_take) { Ordering::Acquire } else { Ordering::AcqRel };
        NonNull::new(place.swap(ptr::null_mut(), order))
    }

    /// Takes all slots out, for anyone with the depot's lock; returns whether there were any.
    pub(super) fn sweep(&self, mut found: impl FnMut(NonNull<u8>)) -> bool {
        self.seen.set(self.puts.load(Ordering::Acquire));
        let mut is_any = false;
        for place in &self.places {
            let Some(slot) = NonNull::new(place.load(Ordering::Acquire)) else { continue };
            // If there is another slot by now, it was put in meanwhile, and the count tells.
            let (null, exchanges) = (ptr::null_mut(), Ordering::AcqRel);
            if place.compare_exchange(slot.as_ptr(), null, exchanges, Ordering::Acquire).is_ok() {
                found(slot);
                is_any = true;
            }
        }
        is_any
    }

    /// Whether nothing was put in since [`Held::sweep`]. With the depot's lock.
    pub(super) fn is_as_seen(&self) -> bool {
        self.seen.get() == self.puts.load(Ordering::Relaxed) || cfg!(pool_seed_one_look)
    }

    /// Shows the slots, the last one first. (To the owner as they are; to others as each was at some moment.)
    pub(super) fn for_each(&self, show: &mut dyn FnMut(NonNull<u8>)) {
        let slots = self.places.iter().rev();
        slots.filter_map(|place| NonNull::new(place.load(Ordering::Relaxed))).for_each(show);
    }

    /// How many slots there are, for statistics.
    pub(super) fn count(&self) -> usize {
        let is_filled = |place: &&AtomicPtr<u8>| !place.load(Ordering::Relaxed).is_null();
        self.places.iter().filter(is_filled).count()
    }
}
