//! The depot, with which the magazines of all threads exchange slots by the batch: an ordinary pool behind a lock, and the list of
//! the magazines.
//!
//! A batch is a run of addresses, which is copied from the pool's stack to a magazine's array or back, with the lock held. The stack
//! has a place for every slot of the pool, so freeing a slot never asks the heap for anything.
//!
//! A magazine soon has room for two batches, and for one more each time that its thread has had to fetch one, up to a limit
//! (`Sizes`): a thread that allocates and frees by the thousand needs no lock, and gets slots that are in its processor's cache, and in
//! no other's. (With two batches, bursts of 1,000 in two threads took 2.6 times as long.) A thread that only frees passes
//! everything on. A full magazine gives back the half that has been there longest.
//!
//! If no slot has been freed, never-used ones leave the pool as a run, and are put in their places outside the lock.

use core::alloc::Layout;
use core::cell::Cell;
use core::mem::ManuallyDrop;
use core::ops::Deref;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::base::atomic::{
    IS_MODEL, MutPtr, Mutex, MutexGuard, UnsafeCell, const_unless_model, lock,
};
use crate::base::exhausted::Exhausted;
use crate::base::map::{PoolMap, SlotUse};
use crate::base::stats::PoolStats;
use crate::derived::magazines::magazine::Magazine;
use crate::strategy::{InPointerStack, SlotStore as _, Slots};
use crate::thread::{self, request};

/// At a time, a thread takes at most one in this many of the pool's slots. So the first chunk has slots for the first
/// objects of other threads, too: they need not grow the pool, which would bring in a page. In a model, the first
/// chunk is two batches.
const SHARES: usize = if IS_MODEL { 1 } else { 4 };

/// The slots that are in no magazine.
pub(crate) struct Depot {
    pub(super) lock: Mutex<()>,
    pub(super) slot: Layout,
    /// The number of the thread that has the lock; 0 for none. Not loom's atomic: a thread only looks whether it finds its own number.
    inside: AtomicUsize,
    /// Behind the lock.
    state: UnsafeCell<State>,
}

// SAFETY: the state is touched only by the thread that has the lock (`Entered`). It has free slots, which any thread may use,
// and the addresses of magazines. Other threads touch three parts of a magazine: its links and the beginning of its array, which are
// behind the lock as well, and its top, which is atomic.
unsafe impl Sync for Depot {}

impl Depot {
    const_unless_model! {
        /// A depot with nothing in it but an unused pool.
        pub(crate) const fn with_slots(slots: Slots<InPointerStack>, slot: Layout) -> Self {
            let state = State {
                slots: ManuallyDrop::new(slots),
                slot,
                first: Cell::new(ptr::null()),
                is_at_limit: Cell::new(false),
            };
            let state = UnsafeCell::new(state);
            Self { lock: Mutex::new(()), slot, inside: AtomicUsize::new(0), state }
        }
    }

    /// Takes the lock, for as long as what is returned lives.
    #[inline]
    pub(super) fn enter(&self) -> Entered<'_> {
        let lock = if self.is_inside() { None } else { Some(lock(&self.lock)) };
        self.entered(lock)
    }

    /// [`Depot::enter`], for callers that look at all pools or flush them; `None` if that might wait for ever. A heap that uses pools may
    /// be such a caller, while its thread holds another depot's lock: the thread that holds this lock may be waiting for that one.
    #[inline]
    pub(super) fn look(&self) -> Option<Entered<'_>> {
        if request::asking_thread().is_none() || self.is_inside() {
            return Some(self.enter());
        }
        Some(self.entered(Some(self.lock.try_lock().ok()?)))
    }

    /// Whether this thread holds the lock already: then the caller is the heap, which uses this very pool. The pool is at rest.
    #[inline(always)]
    fn is_inside(&self) -> bool {
        // Only this thread writes its own number there.
        request::asking_thread()
            .is_some_and(|this| this.get() == self.inside.load(Ordering::Relaxed))
    }

    #[inline]
    fn entered<'a>(&'a self, lock: Option<MutexGuard<'a, ()>>) -> Entered<'a> {
        if lock.is_some() {
            self.inside.store(thread::number(), Ordering::Relaxed);
        }
        Entered { depot: self, state: self.state.get_mut(), lock }
    }

    /// Adds a magazine to the list.
    #[inline]
    pub(super) fn enlist(&self, magazine: &Magazine) {
        self.enter().link(magazine);
    }

    /// Takes a slot where this thread's magazine has none, and a batch with it.
    // Cold, and so out of line: pools with a limit would save registers for it.
    #[cold]
    #[inline]
    pub(super) fn fetch(&self, magazine: &Magazine) -> Option<NonNull<u8>> {
        let wider = magazine.wider();
        let state = self.enter();
        magazine.widen(wider);
        let found = state.restock(magazine);
        state.aim(magazine);
        drop(state);
        let Some((first, run, count)) = found else {
            magazine.prefetch();
            return magazine.pop(self.slot.size());
        };
        magazine.push_run(run, count, self.slot);
        // (Where the heap has no memory, it may have freed slots of this pool.)
        first.or_else(|| magazine.pop(self.slot.size()))
    }

    /// Takes a slot back where this thread's magazine has no room, and half of its slots with it; or where the slot may
    /// be the last live one.
    ///
    /// # Safety
    ///
    /// As for [`Slots::put`](crate::strategy::Slots::put).
    #[inline]
    pub(super) unsafe fn overflow(&self, magazine: &Magazine, freed: NonNull<u8>) {
        let wider = magazine.is_narrow().then(|| magazine.wider());
        let state = self.enter();
        if let Some(wider) = wider {
            magazine.widen(wider);
        }
        // SAFETY: the caller gives up a slot of this pool.
        unsafe { magazine.push_rare(&state.slots, freed, self.slot) };
        state.come_home(magazine);
    }

    /// Takes everything out of a magazine, and the magazine off the list: its thread is ending.
    #[inline]
    pub(super) fn retire(&self, magazine: &Magazine) {
        let state = self.enter();
        state.absorb(magazine);
        state.unlink(magazine);
    }

    /// Takes everything out of this thread's magazine, which may be filled again; does nothing if that might wait for ever.
    #[inline]
    pub(super) fn flush(&self, magazine: &Magazine) {
        if let Some(state) = self.look() {
            state.absorb(magazine);
        }
    }
}

/// The state of a depot, in a thread that has the lock. No user's code runs while it lives.
pub(crate) struct Entered<'a> {
    depot: &'a Depot,
    state: MutPtr<State>,
    /// Absent where the thread had it before.
    lock: Option<MutexGuard<'a, ()>>,
}

impl Deref for Entered<'_> {
    type Target = State;

    #[inline]
    fn deref(&self) -> &State {
        // SAFETY: this thread has the lock (`enter` and `look`, which alone make this), and the state is shared only.
        unsafe { self.state.deref() }
    }
}

impl Drop for Entered<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.lock.is_some() {
            self.depot.inside.store(0, Ordering::Relaxed);
        }
    }
}

/// The state behind the lock.
pub(crate) struct State {
    /// Never dropped: boxes may exist for as long as the process.
    pub(super) slots: ManuallyDrop<Slots<InPointerStack>>,
    pub(super) slot: Layout,
    /// The first of the magazines of all threads.
    first: Cell<*const Magazine>,
    /// Whether the limit allowed no slot more when the pool last found none. By the time that somebody asks for the reason, others
    /// may have freed some, and trimmed.
    is_at_limit: Cell<bool>,
}

impl State {
    /// Takes a slot.
    #[inline]
    pub(super) fn acquire(&self) -> Option<NonNull<u8>> {
        self.slots.take(self.slot).or_else(|| self.refill())
    }

    /// Takes a slot where the pool has none at hand.
    #[cold]
    #[inline]
    pub(super) fn refill(&self) -> Option<NonNull<u8>> {
        let slot = self.slots.refill_open(self.slot);
        if slot.is_none() {
            self.is_at_limit.set(self.slots.is_at_limit());
        }
        slot
    }

    /// Why there was no slot, for a pool that is called `name` unless it was given a name.
    #[inline]
    pub(super) fn exhausted(&self, name: &'static str) -> Exhausted {
        self.slots.exhausted(name, self.is_at_limit.get(), self.slot)
    }

    /// Gives a magazine a batch, or fewer slots if the pool is small: those that were freed last. If none was freed, returns a slot, and
    /// a run of never-used ones for the caller to put in.
    #[inline]
    fn restock(&self, magazine: &Magazine) -> Option<(Option<NonNull<u8>>, *mut u8, usize)> {
        let share = || magazine.half().min(self.slots.cursor.chain.slots() / SHARES).max(1);
        if magazine.load(&self.slots, share(), self.slot) > 0 {
            return None;
        }
        let first = self.acquire();
        // The heap may be a user of this very pool, and have freed slots during the call.
        let most = (share() - 1).min(magazine.space());
        let (run, count) =
            first.map_or((ptr::null_mut(), 0), |_| self.slots.take_run(most, self.slot));
        Some((first, run, count))
    }

    /// Takes everything out of a magazine.
    #[inline]
    pub(super) fn absorb(&self, magazine: &Magazine) {
        magazine.unload(&self.slots, magazine.len(), self.slot);
        self.aim(magazine);
    }

    /// Sets the threshold of a thread's magazine, at which no slot may be live.
    ///
    /// Not where so few circulate that the thread has them at hand: their order makes no difference, and to
    /// begin anew takes more time than it brings.
    #[inline]
    fn aim(&self, magazine: &Magazine) {
        let is_worth_it = self.slots.cursor.circulating(self.slot) > 2 * magazine.sizes.batch;
        magazine.aim(if is_worth_it { self.slots.live(self.slot) } else { usize::MAX });
    }

    /// If all slots are in the pool or in this magazine, and none is taken: they count as never used, and come in the
    /// order of their addresses again. O(1): a free may do it.
    #[inline]
    fn come_home(&self, magazine: &Magazine) {
        if self.slots.live(self.slot) == magazine.len() {
            magazine.clear();
            InPointerStack::reset(&self.slots, self.slot);
        }
        self.aim(magazine);
    }

    /// The magazine that a link of the list leads to.
    #[inline]
    fn linked(&self, link: &Cell<*const Magazine>) -> Option<&Magazine> {
        // SAFETY: a magazine is on the heap, and is taken off the list before it is freed.
        unsafe { link.get().as_ref() }
    }

    /// Adds a magazine to the list.
    #[inline]
    fn link(&self, magazine: &Magazine) {
        if let Some(first) = self.linked(&self.first) {
            first.prev.set(magazine);
        }
        magazine.next.set(self.first.replace(magazine));
    }

    /// Takes a magazine, which is on the list, off it.
    #[inline]
    fn unlink(&self, magazine: &Magazine) {
        let prev = self.linked(&magazine.prev);
        debug_assert!(prev.is_some() || ptr::eq(self.first.get(), magazine), "not on the list");
        prev.map_or(&self.first, |prev| &prev.next).set(magazine.next.get());
        if let Some(next) = self.linked(&magazine.next) {
            next.prev.set(magazine.prev.get());
        }
    }

    /// The magazines of all threads.
    #[inline]
    pub(super) fn magazines(&self) -> impl Iterator<Item = &Magazine> {
        let first = self.linked(&self.first);
        core::iter::successors(first, |other| self.linked(&other.next))
    }

    /// Free slots in all magazines, which the pool takes for live ones. A thread that works during the call may be counted late.
    #[inline]
    pub(super) fn in_magazines(&self) -> usize {
        self.magazines().map(Magazine::len).sum()
    }

    /// Returns the statistics of the pool, which is called `name` unless it was given a name.
    #[inline]
    pub(super) fn stats(&self, name: &'static str) -> PoolStats {
        let stats = self.slots.stats(name, self.slot);
        PoolStats { live: stats.live.saturating_sub(self.in_magazines()), ..stats }
    }

    /// Draws the pool. Slots in other threads' magazines are shown as live, and counted.
    #[inline]
    pub(super) fn draw(&self, map: &mut PoolMap, own: Option<&Magazine>) {
        self.slots.draw(map, self.slot);
        own.into_iter().for_each(|own| own.for_each(|slot| map.mark(slot.addr(), SlotUse::Vacant)));
        let own = own.map_or(ptr::null(), ptr::from_ref);
        let others = self.magazines().filter(|other| !ptr::eq(own, *other));
        map.set_kept_elsewhere(others.map(Magazine::len).sum());
    }
}
