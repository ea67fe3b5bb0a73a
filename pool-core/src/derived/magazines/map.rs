//! How a static pool that grows draws its map.

use core::ptr;

use crate::base::map::{Canvas, Room, SlotUse};
use crate::derived::magazines::batches::{BatchNode, BatchStack};
use crate::derived::magazines::magazine::Magazine;
use crate::derived::magazines::state::State;
use crate::strategy::Strategy;
use crate::strategy::cache::Cache as _;

/// How a pool draws its map. To the pool, slots in batches and in magazines are live. Batches are behind the lock, and a
/// thread knows its own magazine. The slots in others' magazines change without the lock, and cannot be looked at: nor can a
/// list of them, which leads through slots that are being used. Only how many there are is known; and which, of those that
/// threads hold near a limit.
impl<S: Strategy, const HELD: usize> State<S, HELD> {
    /// Draws the pool, which is called `name` unless it was given a name, for the thread with this magazine. O(slots).
    ///
    /// # Errors
    ///
    /// If the canvas has not enough room. The heap is not asked in here.
    pub(super) fn draw(
        &self,
        name: &'static str,
        own: Option<&Magazine<S, HELD>>,
        canvas: &mut Canvas,
    ) -> Result<(), Room> {
        let (slots, layout, batch) = (&self.slots, self.slot, self.sizes.batch);
        slots.draw_chunks(name, layout, canvas)?;
        if let Some(own) = own {
            own.slots.for_each_at_hand(&mut |slot| canvas.free(slot.addr()));
            self.draw_batches(&own.spare, canvas);
            own.held.for_each(&mut |slot| canvas.free(slot.addr().get()));
        }
        self.draw_batches(&self.full, canvas);
        slots.draw_vacant(layout, canvas);
        let mut elsewhere = 0;
        let is_own = |magazine: &Magazine<S, HELD>| own.is_some_and(|own| ptr::eq(own, magazine));
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

    /// The slots of batches.
    fn draw_batches(&self, batches: &BatchStack<S::Cache>, canvas: &mut Canvas) {
        batches.for_each(&mut |node| {
            BatchNode::with_batch(node, |batch| {
                let show = |slot: *mut u8| canvas.free(slot.addr());
                // SAFETY: the batch is full, as all are that travel, and behind the lock or this thread's.
                unsafe { S::Cache::for_each(batch, self.sizes.batch, show) }
            });
        });
    }

    /// The bytes of nodes after a trim that leaves `slots` slots.
    fn nodes_after_trim(&self, own: Option<&Magazine<S, HELD>>, slots: usize) -> usize {
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
