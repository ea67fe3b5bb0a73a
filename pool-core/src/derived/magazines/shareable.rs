//! What can stand behind a depot.

use core::alloc::Layout;

use crate::derived::magazines::cache::Cache;
use crate::strategy::{Slots, Strategy};

/// A pool whose free slots threads can keep in magazines.
pub(crate) trait Shareable {
    type Strategy: Strategy;

    /// What a thread keeps free slots in.
    type Cache: Cache;

    /// The layout of a slot.
    const SLOT: Layout;

    fn slots(&self) -> &Slots<Self::Strategy>;
}
