//! How a static pool that grows draws its map.
//!
//! To the pool, slots in batches and in magazines are live. Batches are behind the lock, and a thread knows its own magazine. The
//! slots in others' magazines change without the lock, and cannot be looked at: nor can a list of them, which leads
//! through slots that are being used. Only how many there are is known; and which, of those that threads hold near a limit.

use alloc::vec::Vec;
use core::ptr;

use crate::base::map::{Canvas, FreeRun, Room, SlotUse};
use crate::derived::magazines::batches::{BatchNode, BatchStack};
use crate::derived::magazines::cache::Cache;
use crate::derived::magazines::magazine::Magazine;
use crate::derived::magazines::shareable::{Shareable, SlotLayout as _};
use crate::derived::magazines::state::State;

impl<P: Shareable> State<P> {
    /// Draws the pool, which is called `name` unless it was given a name, for the thread with this magazine. O(slots).
    ///
    /// # Errors
    ///
    /// If the canvas has not enough room. The heap is not asked in here.
    pub(super) fn draw(
        &self,
        name: &'static str,
        own: Option<&Magazine<P>>,
        canvas: &mut Canvas,
    ) -> Result<(), Room> {
        let (slots, layout, batch) = (self.pool.slots(), self.slot.layout(), self.sizes.batch);
        let runs = slots.cursor.chain.slots() + batch;
        slots.draw_chunks(name, layout, runs, canvas)?;
        if let Some(own) = own {
            own.slots.for_each_at_hand(&mut |slot| canvas.free(slot.addr()));
            self.draw_batches(&own.spare, canvas);
            own.held.for_each(&mut |slot| canvas.free(slot.addr().get()));
        }
        self.draw_batches(&self.full, canvas);
        let from = canvas.handed_out().len();
        let remembered = slots.draw_vacant(layout, canvas);
        if batch > 0 {
            self.turn_as_restocked(canvas.handed_out(), from, remembered);
        }
        let mut elsewhere = 0;
        let is_own = |magazine: &Magazine<P>| own.is_some_and(|own| ptr::eq(own, magazine));
        for other in self.magazines().filter(|magazine| !is_own(magazine)) {
            elsewhere += other.slots.len() + other.spare.len() * batch;
            other.held.for_each(&mut |slot| {
                canvas.mark(slot.addr().get(), SlotUse::Kept);
            });
        }
        canvas.keep_elsewhere(elsewhere);
        let (bytes, left) = slots.returnable(canvas);
        let nodes = self.nodes_after_trim(own, left);
        canvas.set_returnable((bytes + self.nodes.bytes()).saturating_sub(nodes));
        Ok(())
    }

    /// The slots of batches, from the last batch to the first.
    fn draw_batches(&self, batches: &BatchStack<P::Cache>, canvas: &mut Canvas) {
        batches.for_each(&mut |node| {
            BatchNode::with_batch(node, |batch| {
                let show = &mut |slot: *mut u8| canvas.free(slot.addr());
                // SAFETY: the batch is full, as all are that travel, and behind the lock or this thread's.
                unsafe { P::Cache::for_each_in_turn(batch, self.sizes.batch, show) }
            });
        });
    }

    /// Puts what the pool remembers, `remembered` slots from `from` on, into the order in which magazines hand it out: the first, and
    /// then the last of those that came with it ([`State::restock`]).
    fn turn_as_restocked(&self, free: &mut Vec<FreeRun>, from: usize, remembered: usize) {
        let (cursor, layout) = (&self.pool.slots().cursor, self.slot.layout());
        let most = self.share().saturating_sub(1);
        let (mut at, end) = (from, from + remembered);
        while at < end {
            let first = at + 1;
            at = (first + most).min(end);
            free[first..at].reverse();
            let missing = if first < at { most - (at - first) } else { 0 };
            let current = cursor.chain.current();
            let fresh = current.map_or(0, |chunk| chunk.slots - cursor.used_in(chunk, layout));
            // Never-used slots make up for what is missing, and so go before the others, the last first.
            let count = missing.min(fresh);
            if count > 0 {
                let FreeRun { address, slots } = free[end];
                let slot = |n: usize| FreeRun { address: address + n * layout.size(), slots: 1 };
                free[end] = FreeRun { slots: slots - count, ..slot(count) };
                free.extend((0..count).rev().map(slot));
                free[first..].rotate_right(count);
            }
        }
    }

    /// The bytes of nodes after a trim that leaves `slots` slots.
    fn nodes_after_trim(&self, own: Option<&Magazine<P>>, slots: usize) -> usize {
        self.nodes.bytes_after_trim(self.nodes_for(slots), &|show| {
            self.vacant.for_each(show);
            self.full.for_each(show);
            if let Some(own) = own {
                own.spare.for_each(show);
                own.vacant.for_each(show);
            }
        })
    }
}
