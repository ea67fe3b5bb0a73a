//! The heap, as pools and rosters ask it for their own memory: chunks, tables, and what they keep of them.
//!
//! While a pool asks, a mark of the thread says so. [`Tracked`](crate::Tracked) looks at it, which tells what a pool keeps for later
//! from what has leaked. What is asked for under the mark must be given back under it, too.

#[cfg(feature = "alloc")]
mod blocks;
#[cfg_attr(any(not(feature = "std"), all(loom, test)), path = "heap/mark_off.rs")]
mod mark;

#[cfg(feature = "alloc")]
pub(crate) use blocks::{PoolVec, alloc, alloc_zeroed, dealloc};
pub(crate) use mark::Request;
#[cfg(feature = "std")]
pub(crate) use mark::is_asked;
