//! Room made in advance, and what is said when there is none.

use super::FreeList;
use crate::chunk::Chunk;
use crate::config::Bound;
use crate::slot::Slot;
use crate::stats::PoolStats;

impl<T> FreeList<T> {
    /// Makes room for `additional` more elements, so that as many allocations will not grow.
    ///
    /// # Panics
    ///
    /// If the limit of the pool does not allow so many, or the slots exceed `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<[u64; 2]>::new();
    /// pool.reserve(100);
    /// let bytes = pool.stats().bytes;
    /// let boxes: Vec<_> = (0..100).map(|i| pool.alloc([i, i])).collect();
    /// assert_eq!(pool.stats().bytes, bytes);
    /// # drop(boxes);
    /// ```
    #[track_caller]
    pub fn reserve(&self, additional: usize) {
        if let Err(refused) = self.try_reserve(additional) {
            refused.panic::<T>(additional);
        }
    }

    /// [`FreeList::reserve`], the panic left to the caller, whose place it is to name.
    pub(crate) fn try_reserve(&self, additional: usize) -> Result<(), ReserveError> {
        let slot = Slot::<T>::LAYOUT;
        let (list, config) = (self.list(), self.config());
        if list.is_closed() {
            // The thread is ending, and what nobody uses would never be given back.
            return Ok(());
        }
        let present = list.chain.slots();
        let vacant = present - list.live(slot);
        let Some(missing @ 1..) = additional.checked_sub(vacant) else { return Ok(()) };
        if missing > config.max.saturating_sub(present) {
            return Err(ReserveError::Limit(self.stats(), config.bound));
        }
        // A reserve of one at a time must not make a chunk of each, and the fixed block of a
        // bounded pool is made whole or not at all.
        let wanted = if config.is_fixed() { config.max } else { missing.max(present) };
        let wanted = wanted.min(config.max.saturating_sub(present));
        if !list.grow_by(wanted, slot) {
            let is_whole = config.is_fixed() || wanted == missing;
            if is_whole || !list.grow_by(missing, slot) {
                return Err(ReserveError::Heap { slots: if is_whole { wanted } else { missing } });
            }
        }
        if list.live(slot) == 0 {
            // The new chunk may lie before the others.
            list.reset(slot);
        }
        Ok(())
    }
}

/// The heap has no room for a chunk of `slots` slots, or no chunk can be that large.
#[cold]
#[track_caller]
pub(super) fn chunk_failed<T>(slots: usize) -> ! {
    let slot = Slot::<T>::LAYOUT;
    match Chunk::bytes_for(slots, slot) {
        Some(layout) => alloc::alloc::handle_alloc_error(layout),
        None => panic!(
            "capacity overflow: {slots} slots of {} bytes for `{}` exceed isize::MAX bytes",
            slot.size(),
            core::any::type_name::<T>()
        ),
    }
}

/// Why room could not be reserved.
pub(crate) enum ReserveError {
    /// The pool's limit does not allow so many.
    Limit(PoolStats, Bound),
    /// The heap has no room for a chunk of so many slots, or no chunk can be that large.
    Heap { slots: usize },
}

impl ReserveError {
    #[cold]
    #[track_caller]
    pub(crate) fn panic<T>(self, additional: usize) -> ! {
        let (stats, bound) = match self {
            Self::Limit(stats, bound) => (stats, bound),
            Self::Heap { slots } => chunk_failed::<T>(slots),
        };
        let PoolStats { name, live, .. } = stats;
        let limit = stats.limit.unwrap_or(usize::MAX);
        let remedy = bound.remedy();
        panic!(
            "cannot reserve {additional} more slots in the pool of `{name}`: {live} of at most \
             {limit} are occupied; {remedy}"
        )
    }
}
