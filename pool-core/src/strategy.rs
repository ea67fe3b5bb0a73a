//! How a pool remembers its vacant slots: the parameter `S` of a [`TypedPool`](crate::TypedPool) and of a
//! [`RawPool`](crate::RawPool).
//!
//! [`FreeList`](crate::FreeList) and [`PointerStack`](crate::PointerStack) name a pool with its strategy, as do
//! [`RawFreeList`](crate::RawFreeList) and [`RawPointerStack`](crate::RawPointerStack), so the names here
//! are mostly seen in what the compiler says.

#[cfg(feature = "passthrough")]
mod blocks;
mod figures;
#[cfg(not(feature = "hardened"))]
mod free_list;
mod pointer_stack;
mod reclaim;
mod slots;

#[cfg(not(feature = "hardened"))]
pub use free_list::InFreeList;
pub use pointer_stack::InPointerStack;

#[cfg(feature = "passthrough")]
pub(crate) use blocks::InBlocks;
/// The strategy of a [`FreeList`](crate::FreeList): with this feature, one that writes nothing into vacant slots.
#[cfg(feature = "hardened")]
pub type InFreeList = InPointerStack<true>;

pub use slots::Strategy;
pub(crate) use slots::{Remember, Slots};
