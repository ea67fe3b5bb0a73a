//! How a static pool with a capacity draws its map.

use crate::base::ledger::Refusal;
use crate::base::ledger::draw::Draw;
use crate::base::map::{Canvas, PoolMap, Room, SlotUse};
use crate::derived::fixed::slot_layout::SlotLayout;
use crate::derived::fixed::{Fixed, FixedPool, thread};
use crate::derived::key::InStatic;
use crate::derived::pooled::Pooled;
use crate::derived::with_counts::Holds;

impl<T, A> Draw for FixedPool<T>
where
    T: Pooled<__Storage = InStatic<Fixed<A>>>,
    A: SlotLayout<Element: Holds<T>>,
{
    fn map(&'static self) -> Result<PoolMap, Refusal> {
        Ok(T::__POOL.get().map(T::__CONFIG.name_of::<T>()))
    }
}

/// How often the pool is looked at, to see all of it at one moment.
const LOOKS: usize = 8;

impl<A: SlotLayout> Fixed<A> {
    /// A map of the pool, which is called `name`.
    fn map(&self, name: &'static str) -> PoolMap {
        let room = Room { chunks: 1, slots: A::SLOTS };
        let address = |number: u32| self.slots.slot(number).addr();
        Canvas::draw(|canvas| {
            for _ in 0..LOOKS {
                canvas.begin(name, A::STRIDE, room)?;
                canvas.chunk(address(1), A::SLOTS, size_of::<Self>(), A::SLOTS);
                let is_settled =
                    self.free.look(thread::shard(), &self.slots, &mut |first, slots, is_used| {
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
