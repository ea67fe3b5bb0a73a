//! How a pool remembers its vacant slots: the parameter `S` of a [`TypedPool`](crate::TypedPool) and of a
//! [`RawPool`](crate::RawPool).
//!
//! [`FreeList`](crate::FreeList) and [`PointerStack`](crate::PointerStack) name a pool with its strategy, as do
//! [`RawFreeList`](crate::RawFreeList) and [`RawPointerStack`](crate::RawPointerStack), so the names here
//! are mostly seen in what the compiler says.

#[cfg(feature = "passthrough")]
mod blocks;
mod free_list;
#[cfg(feature = "view")]
mod map;
mod pointer_stack;
mod reclaim;
mod remember;
mod slots;
mod state;

pub use free_list::InFreeList;
pub use pointer_stack::InPointerStack;
pub use remember::Strategy;

#[cfg(feature = "passthrough")]
pub(crate) use blocks::InBlocks;
pub(crate) use remember::Remember;
pub(crate) use state::Slots;
