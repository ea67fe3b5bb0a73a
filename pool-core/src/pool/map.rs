//! How pools that are values draw their maps.

use core::any::type_name;

use crate::base::map::{Canvas, PoolMap};
use crate::pool::raw::RawPool;
use crate::pool::typed::TypedPool;
use crate::strategy::Strategy;

impl<T, S: Strategy> TypedPool<T, S> {
    /// A map of the pool's memory: each slot, live or vacant, and how scattered the vacant ones are. O(slots).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<u64>::bounded(16);
    /// let mut kept: Vec<_> = (0..8).map(|n| pool.alloc(n)).collect();
    /// kept.swap_remove(2);
    /// let map = pool.map();
    /// assert_eq!((map.live(), map.vacant(), map.longest_vacant_run()), (7, 9, 8));
    /// // The live slots, two to a character, and the one that is free.
    /// assert!(map.to_string().contains("|█▄██    |"));
    /// ```
    pub fn map(&self) -> PoolMap {
        Canvas::draw(|canvas| self.slots.draw(type_name::<T>(), Self::SLOT, canvas))
    }
}

impl<S: Strategy> RawPool<S> {
    /// A map of the pool's memory: each slot, taken or vacant, and how scattered the vacant ones are. O(slots).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::alloc::Layout;
    /// use typed_pool::{RawPoolError, RawFreeList};
    ///
    /// let pool = RawFreeList::new(Layout::new::<u64>(), 8)?;
    /// pool.alloc();
    /// assert_eq!((pool.map().live(), pool.map().vacant()), (1, 7));
    /// # Ok::<(), RawPoolError>(())
    /// ```
    pub fn map(&self) -> PoolMap {
        Canvas::draw(|canvas| self.slots.draw(S::RAW_POOL, self.slot, canvas))
    }
}
