//! What can stand behind a depot.

use core::alloc::Layout;

use crate::base::atomic::atomic::AtomicPtr;
use crate::derived::magazines::cache::Cache;
use crate::strategy::{Slots, Strategy};

/// A pool whose free slots threads can keep in magazines.
pub(crate) trait Shareable {
    type Strategy: Strategy;

    /// What a thread keeps free slots in.
    type Cache: Cache;

    /// What says how a slot is laid out: of no size where the compiler knows.
    type Slot: SlotLayout;

    /// Where a thread holds slots that others may take back, near a limit.
    type Held: AsRef<[AtomicPtr<u8>]>;

    fn slots(&self) -> &Slots<Self::Strategy>;
}

/// The layout of a slot, as a constant or as a value.
pub(crate) trait SlotLayout: Copy {
    fn layout(self) -> Layout;
}

impl SlotLayout for Layout {
    #[inline(always)]
    fn layout(self) -> Layout {
        self
    }
}
