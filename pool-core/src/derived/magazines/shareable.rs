//! What can stand behind a depot.

use crate::derived::magazines::cache::Cache;
use crate::strategy::HasSlots;

/// A pool whose free slots threads can keep in magazines.
pub(crate) trait Shareable: HasSlots {
    /// What a thread keeps them in.
    type Cache: Cache;
}
