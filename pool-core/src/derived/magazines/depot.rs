//! The depot, with which the magazines of all threads exchange batches: an ordinary pool and a stack of
//! batches, behind a lock.
//!
//! A batch goes to the depot and back as a whole: an array of addresses, which is copied before the lock is taken, or
//! after. It travels in a *node*. A thread has a vacant one in reserve: it fills that node, leaves it in the
//! depot and takes a vacant one in exchange; or leaves the vacant one, and takes a full one. So freeing a slot
//! never asks the heap for anything, and as long as the heap has memory, there is a node for every possible
//! batch: nodes are made when the pool grows, and when a thread begins to use it.
//!
//! Before a thread gives batches to the depot it sets some aside as *spare*, and takes these again first: a thread that
//! allocates and frees by the thousand needs no lock, and gets slots that are in its processor's cache, and in no
//! other's. (Without spare batches, bursts of 1,000 in two threads took 2.6 times as long.) It keeps no more of them
//! than it has had to fetch, so a thread that only frees passes everything on.
//!
//! Only where the depot has no batch does a thread go to the pool. Never-used slots leave it as a run, and are
//! put in their places outside the lock. Some slots travel one by one: of threads whose magazines have no
//! room, the rest that is less than a batch when a thread ends, and what a trim has left.

use core::alloc::Layout;
use core::convert::Infallible;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::base::atomic::{Mutex, UnsafeCell, const_unless_model, lock};
use crate::derived::magazines::batches::BatchNode;
use crate::derived::magazines::cache::Sizes;
use crate::derived::magazines::magazine::Magazine;
use crate::derived::magazines::state::State;
use crate::strategy::{InPointerStack, Slots};
use crate::thread::{self, request};

/// The slots that are in no magazine.
pub(crate) struct Depot {
    pub(super) lock: Mutex<()>,
    pub(super) slot: Layout,
    sizes: Sizes,
    /// The address of the thread that has the lock; 0 for none. Not loom's: a thread looks for its own only.
    inside: AtomicUsize,
    /// Behind the lock.
    state: UnsafeCell<State>,
}

// SAFETY: the state is touched only by the thread that has the lock (`Depot::enter`). What lies there are free
// slots, which any thread may use, and the addresses of magazines. Of a magazine, other threads touch the links,
// which are behind the lock as well, and the lengths, which are atomic.
unsafe impl Sync for Depot {}

impl Depot {
    const_unless_model! {
        /// A depot with nothing in it but an unused pool.
        pub(crate) const fn with_slots(slots: Slots<InPointerStack>, slot: Layout, sizes: Sizes) -> Self {
            let state = UnsafeCell::new(State::new(slots, slot, sizes));
            Self { lock: Mutex::new(()), slot, sizes, inside: AtomicUsize::new(0), state }
        }
    }

    /// Calls `f` with the lock held.
    pub(super) fn enter<R>(&self, f: impl FnOnce(&State) -> R) -> R {
        let lock = || Ok::<_, Infallible>(lock(&self.lock));
        let Ok(result) = self.enter_by(lock, f);
        result
    }

    /// [`Depot::enter`], where all pools are looked at; `None` if that might wait for ever. A heap that is a user of pools may
    /// look at this one while its thread has the lock of another depot, for which the thread that has this lock may be waiting.
    pub(super) fn look<R>(&self, f: impl FnOnce(&State) -> R) -> Option<R> {
        if request::asking_thread().is_none() {
            return Some(self.enter(f));
        }
        self.enter_by(|| self.lock.try_lock().map_err(drop), f).ok()
    }

    /// Calls `f` with what `lock` has locked.
    fn enter_by<R, G, E>(
        &self,
        lock: impl FnOnce() -> Result<G, E>,
        f: impl FnOnce(&State) -> R,
    ) -> Result<R, E> {
        /// Says that the thread is outside again.
        struct Inside<'a>(&'a AtomicUsize);

        impl Drop for Inside<'_> {
            fn drop(&mut self) {
                self.0.store(0, Ordering::Relaxed);
            }
        }

        // SAFETY: this thread has the lock when it is called, and the state is shared only.
        let call = || self.state.with_mut(|state| f(unsafe { &*state }));
        // Only this thread writes its own address here.
        if request::asking_thread()
            .is_some_and(|this| this.get() == self.inside.load(Ordering::Relaxed))
        {
            // The heap is called from in here, with the pool at rest, and is a user of this very pool.
            return Ok(call());
        }
        // Nothing in here can leave the state in disorder: no user's code runs behind the lock.
        let _guard = lock()?;
        self.inside.store(thread::number(), Ordering::Relaxed);
        let _inside = Inside(&self.inside);
        Ok(call())
    }

    /// Adds a magazine to the list, and lets it be filled.
    pub(super) fn enlist(&self, magazine: &Magazine) {
        self.enter(|state| {
            state.link(magazine);
            state.ensure_nodes();
        });
        magazine.aim(usize::MAX, self.sizes);
    }

    /// Takes a slot where this thread's magazine has none at hand, and a batch with it.
    pub(super) fn fetch(&self, magazine: &Magazine) -> Option<NonNull<u8>> {
        enum Found {
            Batch(NonNull<BatchNode>),
            /// A slot, and a run of never-used ones: the first, and how many there are.
            Slots(Option<NonNull<u8>>, (*mut u8, usize)),
        }

        if let Some(full) = magazine.spare.pop() {
            self.unpack(magazine, full);
            magazine.vacant.push(full);
            magazine.aim_again(self.sizes);
            return magazine.slots.pop(self.slot.size());
        }
        let spare_limit = magazine.spare_limit.get();
        if usize::from(spare_limit) < self.sizes.max_spare {
            magazine.spare_limit.set(spare_limit + 1);
        }
        let found = self.enter(|state| {
            let found = match state.full.pop() {
                Some(full) => {
                    magazine.vacant.pop().into_iter().for_each(|node| state.vacant.push(node));
                    Found::Batch(full)
                }
                None => {
                    let first = state.acquire();
                    let run = first.map_or((ptr::null_mut(), 0), |_| state.restock(magazine));
                    Found::Slots(first, run)
                }
            };
            state.aim(magazine);
            found
        });
        match found {
            Found::Batch(full) => {
                self.unpack(magazine, full);
                magazine.vacant.push(full);
                magazine.slots.prefetch();
                magazine.slots.pop(self.slot.size())
            }
            Found::Slots(first, (run, count)) => {
                magazine.slots.push_run(run, count, self.slot.size());
                first
            }
        }
    }

    /// Takes a slot back where there is no room at hand in this thread's magazine, and a batch out of that; or where this
    /// may be the last slot that was not home.
    ///
    /// # Safety
    ///
    /// As for [`Slots::put`](crate::strategy::Slots::put).
    pub(super) unsafe fn overflow(&self, magazine: &Magazine, slot: NonNull<u8>) {
        let room = self.sizes.room();
        if magazine.slots.len() == room {
            self.make_room(magazine);
        }
        // SAFETY: passed on from the caller.
        if unsafe { magazine.push(slot, self.slot) } {
            return;
        }
        if magazine.slots.len() < room {
            // SAFETY: these are two batches.
            unsafe { magazine.slots.push(slot, self.slot.size(), room) };
            self.enter(|state| state.come_home(magazine));
            return;
        }
        // The heap had no memory for a node.
        self.enter(|state| {
            // SAFETY: passed on from the caller.
            unsafe { state.release(slot) };
            state.aim(magazine);
        });
    }

    /// Moves a batch out of what is at hand, if there is a node for it.
    fn make_room(&self, magazine: &Magazine) {
        if magazine.spare.len() >= magazine.spare_limit.get().into() {
            self.hand_over(magazine);
        } else if let Some(node) = self.pop_node(magazine) {
            self.pack(magazine, node);
            magazine.spare.push(node);
            magazine.aim_again(self.sizes);
        }
    }

    /// Gives the depot a batch of the slots at hand, if there is a node for it.
    fn hand_over(&self, magazine: &Magazine) {
        let Some(node) = self.pop_node(magazine) else { return };
        self.pack(magazine, node);
        self.enter(|state| {
            state.push_full(node);
            state.pop_node().into_iter().for_each(|node| magazine.vacant.push(node));
            state.aim(magazine);
        });
    }

    /// A node for a batch of this thread's.
    #[inline]
    fn pop_node(&self, magazine: &Magazine) -> Option<NonNull<BatchNode>> {
        let node = magazine.vacant.pop();
        node.or_else(|| self.enter(|state| state.pop_node()))
    }

    /// Moves what is in a full node to where no slot is at hand.
    fn unpack(&self, magazine: &Magazine, full: NonNull<BatchNode>) {
        let count = self.sizes.batch;
        BatchNode::with_batch(full, |batch| magazine.slots.load(batch, count));
    }

    /// Fills a vacant node with what is at hand, which is a batch at least.
    fn pack(&self, magazine: &Magazine, node: NonNull<BatchNode>) {
        let count = self.sizes.batch;
        BatchNode::with_batch(node, |batch| magazine.slots.unload(batch, count));
    }

    /// Takes everything out of a magazine, and the magazine off the list: its thread is ending.
    pub(super) fn retire(&self, magazine: &Magazine) {
        self.enter(|state| {
            self.drain(state, magazine);
            state.unlink(magazine);
            state.rewind();
        });
    }

    /// Takes everything out of this thread's magazine, which may be filled again.
    pub(super) fn flush(&self, magazine: &Magazine) {
        self.enter(|state| {
            self.drain(state, magazine);
            state.rewind();
        });
    }

    /// Moves what a magazine has into the depot. Behind the lock, where nobody counts what is on its way as live.
    fn drain(&self, state: &State, magazine: &Magazine) {
        while magazine.slots.len() >= self.sizes.batch {
            let Some(node) = magazine.vacant.pop().or_else(|| state.pop_node()) else { break };
            self.pack(magazine, node);
            state.push_full(node);
        }
        state.absorb(magazine);
    }

    /// Gives the chunks without a live slot back to the heap, and the nodes that are not needed any more; returns
    /// their bytes. `magazine` is this thread's, if it has one.
    pub(super) fn trim(&self, magazine: Option<&Magazine>) -> usize {
        self.enter(|state| {
            magazine.into_iter().for_each(|magazine| state.absorb(magazine));
            state.trim()
        })
    }
}
