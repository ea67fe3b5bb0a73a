//! What can stand behind a depot.

use core::alloc::Layout;

use crate::derived::magazines::cache::Cache;
use crate::strategy::Strategy;

/// A pool whose free slots threads can keep in magazines.
pub(crate) trait Shareable {
    /// What a thread keeps them in.
    type Cache: Cache;
    type Strategy: Strategy;

    /// The layout of a slot.
    const SLOT: Layout;

    fn strategy(&self) -> &Self::Strategy;
}
