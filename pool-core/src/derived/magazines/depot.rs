//! What the magazines of all threads exchange batches with: the depot, an ordinary pool and a stack of
//! batches, behind a lock.
//!
//! A batch goes to the depot and back as one thing, whatever is in it. For a free list that is a list of
//! slots. For a pointer stack it is an array of addresses, which is copied before the lock is taken, or
//! after. Either travels in a *node*. A thread has a vacant one in reserve: it fills that one, leaves it in the
//! depot and takes a vacant one for it; or leaves the vacant one, and takes a full one. So nobody
//! asks the heap for anything to free a slot, and as long as the heap gives, there is a node for every batch
//! that there can be: nodes are provided when the pool grows, and when a thread comes.
//!
//! Before it goes to the depot a thread sets some full nodes *aside*, and takes these again first: who allocates
//! and frees by the thousand needs no lock, and gets the slots that are in its processor's cache, and in no
//! other's. (Without, bursts of 1,000 in two threads took 2.6 times as long.) It sets no more aside than it has had
//! to fetch, so who only frees passes everything on.
//!
//! Only where the depot has no batch does a thread go to the pool. Never-used slots leave that as a run, and are
//! put in their places outside of the lock. One by one go: the slots of threads whose magazines have no
//! room, what is less than a batch when a thread ends, and what a trim has left.

use core::cell::Cell;
use core::ptr::{self, NonNull};
use std::sync::PoisonError;

use crate::base::atomic::{Mutex, UnsafeCell};
use crate::base::guard::sanitizer;
use crate::derived::magazines::batches::{NodesOf, Taken, with_batch};
use crate::derived::magazines::cache::Cache;
use crate::derived::magazines::held::Held;
use crate::derived::magazines::state::State;
use crate::derived::thread_exit::Registration;
use crate::strategy::HasSlots;

/// An owned pool that can stand behind a depot, and in what its free slots are kept in a thread.
pub(crate) trait Cached: HasSlots {
    type Cache: Cache;
}

/// One thread's free slots.
pub(crate) struct Magazine<P: Cached> {
    pub(super) slots: P::Cache,
    /// How many slots may be at hand: none before the first use, and after the end.
    room: Cell<usize>,
    /// Full nodes that were set aside, at most as many as were earned.
    pub(super) aside: NodesOf<P>,
    /// How many batches this thread may set aside: as many as it has had to fetch, [`Depot::aside`] at most.
    earned: Cell<usize>,
    /// Vacant nodes, to be filled: one more than [`Depot::aside`] at most, those that are full included.
    pub(super) vacant: NodesOf<P>,
    /// What this thread holds, where the pool has a limit.
    pub(super) held: Held,
    /// How many slots that may be: none before the first use, and after the end.
    may_hold: Cell<usize>,
    /// Whether this thread is in the depot, and so has its lock.
    is_in_depot: Cell<bool>,
    pub(super) registration: Registration,
    /// The magazine of another thread, and so on through all of them. Behind the depot's lock.
    pub(super) next: Cell<*const Self>,
    /// The magazine whose `next` is this one, unless this is the first. Behind the depot's lock.
    pub(super) prev: Cell<*const Self>,
}

/// The slots that are in nobody's magazine.
pub(crate) struct Depot<P: Cached> {
    lock: Mutex<()>,
    /// How many slots are in a batch; 0 if magazines have no room.
    batch: usize,
    /// How many batches a thread may set aside.
    aside: usize,
    /// How many slots a thread may hold, where magazines have no room.
    held: usize,
    /// Behind the lock.
    state: UnsafeCell<State<P>>,
}

// SAFETY: the state is touched by who has the lock only (`Depot::enter`). What lies there are free
// slots, of which every thread may make use, and the addresses of magazines. Of these others touch the links and what
// they have seen of what is held, which are behind the lock as well; and what is held and the lengths, which are
// atomic.
unsafe impl<P: Cached> Sync for Depot<P> {}

/// In models locks and atomics are made at run time.
macro_rules! constructors {
    ($($constant:ident)?) => {
        #[allow(private_bounds, reason = "for this crate")]
        impl<P: Cached> Magazine<P> {
            /// The magazine of a thread that has not used the pool yet.
            pub(super) $($constant)? fn new(slots: P::Cache) -> Self {
                Self {
                    slots,
                    room: Cell::new(0),
                    aside: NodesOf::<P>::new(),
                    earned: Cell::new(0),
                    vacant: NodesOf::<P>::new(),
                    held: Held::new(),
                    may_hold: Cell::new(0),
                    is_in_depot: Cell::new(false),
                    registration: Registration::NONE,
                    next: Cell::new(ptr::null()),
                    prev: Cell::new(ptr::null()),
                }
            }
        }

        #[allow(private_bounds, reason = "for this crate")]
        impl<P: Cached> Depot<P> {
            /// A depot with nothing but an unused pool, for batches of so many slots, and threads that keep
            /// so many batches at most; or, if that is not 0, for threads that hold so many slots, and no batches.
            pub(super) $($constant)? fn before(
                pool: P,
                batch: usize,
                kept: usize,
                held: usize,
            ) -> Self {
                let aside = kept - P::Cache::AT_HAND;
                let batch = if held > 0 { 0 } else { batch };
                let state = State::new(pool, batch, aside);
                Self { lock: Mutex::new(()), batch, aside, held, state: UnsafeCell::new(state) }
            }
        }
    };
}

#[cfg(not(all(loom, test)))]
constructors!(const);
#[cfg(all(loom, test))]
constructors!();

#[allow(private_bounds, reason = "for this crate")]
impl<P: Cached> Magazine<P> {
    /// Takes a slot that is at hand, fit for use.
    #[inline(always)]
    pub(super) fn pop(&self) -> Option<NonNull<u8>> {
        // SAFETY: slots in magazines are not null.
        self.slots.pop(P::SLOT.size()).map(|slot| unsafe { NonNull::new_unchecked(slot) })
    }

    /// Puts a slot in; `false` if there is no room at hand.
    ///
    /// # Safety
    ///
    /// That of `Slots::put`.
    #[inline(always)]
    pub(super) unsafe fn push(&self, slot: NonNull<u8>) -> bool {
        let has_room = self.slots.len() < self.room.get();
        if has_room {
            // SAFETY: there is room, and the slot is free (caller).
            unsafe { self.slots.push(slot.as_ptr(), P::SLOT.size()) };
        }
        has_room
    }

    /// Takes a slot that this thread holds, fit for use.
    #[inline(always)]
    fn take_held(&self) -> Option<NonNull<u8>> {
        let slot = self.held.take()?;
        sanitizer::unpoison(slot.as_ptr(), P::SLOT.size());
        Some(slot)
    }

    /// Has this thread hold a slot; `false` if it may not hold another.
    ///
    /// # Safety
    ///
    /// That of `Slots::put`.
    #[inline(always)]
    unsafe fn put_held(&self, slot: NonNull<u8>) -> bool {
        if self.held.len() >= self.may_hold.get() {
            return false;
        }
        sanitizer::poison(slot.as_ptr(), P::SLOT.size());
        self.held.put(slot)
    }

    /// Moves all slots and nodes to where they came from, the slots at hand one by one.
    fn empty_into(&self, state: &State<P>) {
        self.let_go_into(state, 0);
        while let Some(full) = self.aside.pop() {
            state.full.push(full);
        }
        while let Some(slot) = self.pop() {
            // SAFETY: a free slot of this pool, which just left the magazine.
            unsafe { state.put(slot) };
        }
        while let Some(node) = self.vacant.pop() {
            state.put_node(node);
        }
    }

    /// Moves slots that this thread holds to the pool, until there are no more than so many.
    fn let_go_into(&self, state: &State<P>, left: usize) {
        while self.held.len() > left {
            let Some(slot) = self.held.take() else { break };
            // SAFETY: a free slot of this pool, which nobody holds any more.
            unsafe { state.put(slot) };
        }
    }
}

#[allow(private_bounds, reason = "for this crate")]
impl<P: Cached> Depot<P> {
    /// Calls `f` with the lock; `magazine` is this thread's, if it has one.
    pub(super) fn enter<R>(
        &self,
        magazine: Option<&Magazine<P>>,
        f: impl FnOnce(&State<P>) -> R,
    ) -> R {
        /// Says that the thread is outside again.
        struct Inside<'a>(&'a Cell<bool>);

        impl Drop for Inside<'_> {
            fn drop(&mut self) {
                self.0.set(false);
            }
        }

        let is_in_depot = magazine.map(|magazine| &magazine.is_in_depot);
        if is_in_depot.is_some_and(Cell::get) {
            // The heap is called from in here, and may be a user of this very pool, as a strategy
            // expects (`Remember`).
            // SAFETY: this thread has the lock, and the state is shared only.
            return self.state.with_mut(|state| f(unsafe { &*state }));
        }
        // Nothing in here can leave the state in disorder: no user's code runs behind the lock.
        let _guard = (!cfg!(pool_seed_no_lock))
            .then(|| self.lock.lock().unwrap_or_else(PoisonError::into_inner));
        let _inside = is_in_depot.map(|is_in_depot| {
            is_in_depot.set(true);
            Inside(is_in_depot)
        });
        // SAFETY: this thread has the lock.
        self.state.with_mut(|state| f(unsafe { &*state }))
    }

    /// Takes one slot.
    pub(super) fn take(&self, magazine: Option<&Magazine<P>>) -> Option<NonNull<u8>> {
        self.enter(magazine, State::take)
    }

    /// Takes one slot back.
    ///
    /// # Safety
    ///
    /// That of `Slots::put`.
    pub(super) unsafe fn put(&self, magazine: Option<&Magazine<P>>, slot: NonNull<u8>) {
        // SAFETY: passed on from the caller.
        self.enter(magazine, |state| unsafe { state.put(slot) });
    }

    /// Adds a magazine to the list, and gives it room.
    pub(super) fn enlist(&self, magazine: &Magazine<P>) {
        self.enter(Some(magazine), |state| {
            state.enlist(magazine);
            state.provide();
        });
        magazine.room.set(self.batch * P::Cache::AT_HAND);
        magazine.may_hold.set(self.held);
    }

    /// Takes a slot where this thread's magazine has none at hand, and a batch with it.
    pub(super) fn fetch(&self, magazine: &Magazine<P>) -> Option<NonNull<u8>> {
        enum Found<P: Cached> {
            Batch(Taken<P>),
            /// A slot, and how many never-used ones from where on.
            Slots(Option<NonNull<u8>>, (*mut u8, usize)),
        }

        if let Some(full) = magazine.aside.pop() {
            self.unpack(magazine, full);
            magazine.vacant.push(full);
            return magazine.pop();
        }
        if magazine.room.get() == 0 {
            return self.take_held(magazine);
        }
        magazine.earned.set(self.aside.min(magazine.earned.get() + 1));
        let found = self.enter(Some(magazine), |state| match state.full.pop() {
            Some(full) => {
                magazine.vacant.pop().into_iter().for_each(|node| state.put_node(node));
                if cfg!(pool_seed_early_node) {
                    state.put_node(full);
                }
                Found::Batch::<P>(full)
            }
            None => {
                let first = state.take();
                Found::Slots(first, state.stock(magazine, first.map_or(0, |_| self.batch - 1)))
            }
        });
        match found {
            Found::Batch(full) => {
                if cfg!(pool_seed_early_node) {
                    // Where a model may go on with another thread.
                    self.enter(Some(magazine), |_| ());
                }
                self.unpack(magazine, full);
                if !cfg!(pool_seed_early_node) {
                    magazine.vacant.push(full);
                }
                magazine.pop()
            }
            Found::Slots(first, (run, count)) => {
                // The lowest is the first to go.
                for at in (0..count).rev() {
                    let slot = run.wrapping_add(at * P::SLOT.size());
                    // SAFETY: there is room for so many (`stock`), and the slots are free.
                    unsafe { magazine.slots.push(slot, P::SLOT.size()) };
                }
                first
            }
        }
    }

    /// Takes a slot back where there is no room at hand in this thread's magazine, and a batch out of that.
    ///
    /// # Safety
    ///
    /// That of `Slots::put`.
    pub(super) unsafe fn overflow(&self, magazine: &Magazine<P>, slot: NonNull<u8>) {
        let room = magazine.room.get();
        if room > 0 && magazine.slots.len() == room {
            self.make_room(magazine);
        }
        // SAFETY: passed on from the caller.
        if !unsafe { magazine.push(slot) } {
            // The magazine never has room (`enlist`), or the heap had none for a node.
            // SAFETY: passed on from the caller.
            unsafe { self.put_held(magazine, slot) };
        }
    }

    /// Takes a slot that this thread holds, or else one from the pool, and some more to hold.
    #[inline(never)]
    fn take_held(&self, magazine: &Magazine<P>) -> Option<NonNull<u8>> {
        magazine.take_held().or_else(|| self.take_some(magazine))
    }

    /// Takes a slot from the pool, and some for this thread to hold.
    #[inline(never)]
    fn take_some(&self, magazine: &Magazine<P>) -> Option<NonNull<u8>> {
        self.enter(Some(magazine), |state| {
            let first = state.take()?;
            // The heap may be a user of this very pool, and this thread hold some by now.
            while magazine.held.len() < magazine.may_hold.get() / 2 {
                let Some(slot) = state.pool.slots().take(P::SLOT) else { break };
                // SAFETY: the slot was just taken.
                unsafe { magazine.put_held(slot) };
            }
            Some(first)
        })
    }

    /// Has this thread hold a slot; where it holds enough, half of them go back to the pool first.
    ///
    /// # Safety
    ///
    /// That of `Slots::put`.
    #[inline(never)]
    unsafe fn put_held(&self, magazine: &Magazine<P>, slot: NonNull<u8>) {
        // SAFETY: passed on from the caller.
        if !unsafe { magazine.put_held(slot) } {
            self.enter(Some(magazine), |state| {
                magazine.let_go_into(state, magazine.may_hold.get() / 2);
                // SAFETY: passed on from the caller.
                unsafe { state.put(slot) };
            });
        }
    }

    /// Moves a batch out of what is at hand, if there is a node for it.
    fn make_room(&self, magazine: &Magazine<P>) {
        if magazine.aside.len() >= magazine.earned.get() {
            self.hand_over(magazine);
        } else if let Some(node) = self.vacant_node(magazine) {
            self.pack(magazine, node);
            magazine.aside.push(node);
        }
    }

    /// Gives the depot a batch of what is at hand; `false` if there is no node for it.
    fn hand_over(&self, magazine: &Magazine<P>) -> bool {
        let Some(node) = self.vacant_node(magazine) else { return false };
        if cfg!(pool_seed_early_batch) {
            self.enter(Some(magazine), |state| state.full.push(node));
        }
        self.pack(magazine, node);
        self.enter(Some(magazine), |state| {
            if !cfg!(pool_seed_early_batch) {
                state.full.push(node);
            }
            state.vacant_node().into_iter().for_each(|node| magazine.vacant.push(node));
        });
        true
    }

    /// A node for a batch of this thread's.
    fn vacant_node(&self, magazine: &Magazine<P>) -> Option<Taken<P>> {
        let node = magazine.vacant.pop();
        node.or_else(|| self.enter(Some(magazine), State::vacant_node))
    }

    /// Moves what is in a full node to where no slot is at hand.
    fn unpack(&self, magazine: &Magazine<P>, full: Taken<P>) {
        // SAFETY: the magazine is empty, since nothing else was done since it was found to be, and the
        // batch is full.
        with_batch(full, |batch| unsafe { magazine.slots.load(batch, self.batch) });
    }

    /// Fills a vacant node with what is at hand, which is a batch at least.
    fn pack(&self, magazine: &Magazine<P>, node: Taken<P>) {
        // SAFETY: there are so many slots (caller), and a vacant node is nobody else's.
        with_batch(node, |batch| unsafe { magazine.slots.unload(batch, self.batch) });
    }

    /// Takes everything out of this thread's magazine.
    pub(super) fn empty(&self, magazine: &Magazine<P>) {
        self.enter(Some(magazine), |state| magazine.empty_into(state));
    }

    /// Takes everything out of a magazine, and the magazine off the list: its thread is ending.
    pub(super) fn retire(&self, magazine: &Magazine<P>) {
        magazine.room.set(0);
        magazine.may_hold.set(0);
        while magazine.slots.len() >= self.batch && self.hand_over(magazine) {}
        self.enter(Some(magazine), |state| {
            magazine.empty_into(state);
            if !cfg!(pool_seed_no_strike) {
                state.strike(magazine);
            }
            state.rewind();
        });
    }

    /// Gives the chunks without a live slot back to the heap, and what nodes are not needed any more; returns
    /// their bytes. `magazine` is this thread's, if it has one.
    pub(super) fn trim(&self, magazine: Option<&Magazine<P>>) -> usize {
        self.enter(magazine, |state| {
            magazine.into_iter().for_each(|magazine| magazine.empty_into(state));
            state.recall();
            state.trim()
        })
    }
}
