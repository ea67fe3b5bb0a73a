//! How a pool with a capacity draws its map, while other threads use it.

use crate::base::map::{Canvas, PoolMap, Room, SlotUse};
use crate::derived::fixed::Fixed;
use crate::derived::fixed::slot_layout::SlotLayout;
use crate::derived::fixed::thread::shard;

/// How often the pool is looked at, to see all of it at one moment.
const LOOKS: usize = 8;

impl<A: SlotLayout> Fixed<A> {
    /// A map of the pool, which is called `name`.
    pub(super) fn map(&self, name: &'static str) -> PoolMap {
        let room = Room { chunks: 1, slots: A::SLOTS };
        let address = |number: u32| self.slots.slot(number).addr();
        Canvas::draw(|canvas| {
            for _ in 0..LOOKS {
                canvas.begin(name, A::STRIDE, room)?;
                canvas.chunk(address(1), A::SLOTS, size_of::<Self>(), A::SLOTS);
                let is_settled =
                    self.free.look(shard(), &self.slots, &mut |first, slots, is_used| {
                        let use_ = if is_used { SlotUse::Vacant } else { SlotUse::NeverUsed };
                        (first..first + slots as u32).for_each(|n| canvas.mark(address(n), use_));
                    });
                if is_settled {
                    return Ok(());
                }
            }
            canvas.is_blurred();
            Ok(())
        })
    }
}
