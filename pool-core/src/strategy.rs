//! How a pool remembers its vacant slots: the parameter `S` of a [`TypedPool`](crate::TypedPool) and of a
//! [`RawPool`](crate::RawPool).
//!
//! [`FreeList`](crate::FreeList) and [`PointerStack`](crate::PointerStack) name a pool with its strategy, as do
//! [`RawFreeList`](crate::RawFreeList) and [`RawPointerStack`](crate::RawPointerStack), so the names here
//! are mostly seen in what the compiler says.

mod figures;
#[cfg(not(feature = "hardened"))]
mod free_list;
mod pointer_stack;
mod reclaim;
mod slots;

#[cfg(feature = "hardened")]
mod free_list {
    use crate::strategy::InPointerStack;

    /// The strategy of a [`FreeList`](crate::FreeList): with this feature, one that writes nothing into vacant slots.
    pub type InFreeList = InPointerStack<true>;
}

pub use free_list::InFreeList;
pub use pointer_stack::InPointerStack;
pub(crate) use pointer_stack::{Entry, EntryArray};

pub use slots::Strategy;
pub(crate) use slots::{SlotStore, Slots, largest_block};
