//! The strategies, boxes and storage behind `typed-pool`.
//!
//! Use the facade crate `typed-pool`, which adds `#[derive(Pooled)]`; this crate is for those who
//! want owned pools without a macro, or a target without `std`.
//!
//! - [`FreeList`]: an owned pool with an intrusive free list.
//! - [`PointerStack`]: an owned pool that keeps the addresses of its free slots beside them.
//! - [`RawFreeList`] and [`RawPointerStack`]: pools whose element is known only at run time.
//! - [`PoolBox`]: the owning pointer into a pool.
//! - [`LocalFrameStack`] and, where the target has atomics, `FrameStack`: memory that dies together.
//! - [`PoolArc`] and [`PoolRc`]: the pointers that share an element of a pool.
//! - [`Pooled`]: the trait of types that have a pool of their own.
//! - [`Init`], [`init!`] and the module [`mod@init`]: construction in place.
//! - `Tracked`, where the target has atomics: an allocator that counts what is alive.
//! - [`Vacant`]: a slot that is reserved and filled later.
//!
//! `no_std`: without the feature `std` (on by default) the crate needs `core` and `alloc` alone, and there
//! are no thread-local pools. With the feature `no-heap` it needs `core`, and there are static pools of a
//! fixed capacity.
//!
//! The examples are written for the facade: without it, read `pool_core` for `typed_pool`.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(pool_heap),
    allow(
        dead_code,
        unreachable_pub,
        reason = "parts of what is there serve pools on the heap alone"
    )
)]
#![cfg_attr(
    feature = "passthrough",
    allow(
        dead_code,
        unnameable_types,
        unreachable_pub,
        reason = "another storage stands in for that of derived pools"
    )
)]
#![warn(clippy::alloc_instead_of_core, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

#[cfg(pool_heap)]
extern crate alloc;

mod boxed;
mod check;
#[cfg(pool_heap)]
mod chunk;
mod config;
pub mod counted;
mod exhausted;
#[cfg(feature = "std")]
mod exit;
mod fixed;
#[cfg(pool_heap)]
pub mod frame;
#[cfg(pool_heap)]
mod free_list;
mod handle;
mod hardened;
pub mod init;
mod key;
mod kind;
#[cfg(pool_heap)]
mod list;
#[cfg(feature = "std")]
mod local;
#[cfg(feature = "std")]
mod local_roster;
#[cfg(pool_heap)]
mod owned;
#[cfg(pool_heap)]
mod pages;
#[cfg(feature = "passthrough")]
mod passthrough;
#[cfg(pool_heap)]
mod pointer_stack;
mod pool;
mod pooled;
#[cfg(pool_heap)]
mod raw;
#[cfg(pool_heap)]
mod region;
#[cfg(pool_heap)]
pub mod roster;
mod sanitizer;
#[cfg(pool_heap)]
pub mod secondary_map;
#[cfg(pool_heap)]
mod settle;
#[cfg(feature = "std")]
mod shared;
#[cfg(feature = "std")]
mod shared_roster;
#[cfg(pool_heap)]
mod show;
mod slot;
#[cfg(pool_heap)]
mod stack;
mod stats;
mod storage;
#[cfg(pool_heap)]
mod strategy;
mod sync;
#[cfg(pool_heap)]
mod tag;
#[cfg(target_has_atomic = "ptr")]
pub mod tracked;
mod vacant;

pub use boxed::PoolBox;
pub use counted::{PoolArc, PoolArcWeak, PoolRc, PoolRcWeak};
pub use exhausted::Exhausted;
#[cfg(all(pool_heap, target_has_atomic = "ptr"))]
pub use frame::FrameStack;
#[cfg(pool_heap)]
pub use frame::{FrameBox, LocalFrameStack};
#[cfg(pool_heap)]
pub use free_list::FreeList;
pub use handle::Handle;
pub use init::Init;
pub use kind::{Boxes, Handles};
#[cfg(pool_heap)]
pub use pointer_stack::PointerStack;
pub use pool::{Global, Pool};
pub use pooled::Pooled;
#[cfg(pool_heap)]
pub use raw::{RawFreeList, RawPointerStack, RawPoolError};
#[cfg(pool_heap)]
pub use roster::Roster;
#[cfg(pool_heap)]
pub use secondary_map::SecondaryMap;
pub use stats::PoolStats;
#[cfg(target_has_atomic = "ptr")]
pub use tracked::Tracked;
pub use vacant::Vacant;

/// What `#[derive(Pooled)]` and `init!` refer to. Not for use by hand, and free to change in any version.
#[doc(hidden)]
pub mod __private {
    pub use crate::__zeroable;
    pub use crate::check::*;
    pub use crate::config::Config;
    pub use crate::counted::{RoomBeside, Rooms};
    #[cfg(not(feature = "passthrough"))]
    pub use crate::fixed::{Fixed, FixedList, FixedStack};
    #[cfg(pool_heap)]
    pub use crate::free_list::FreeList;
    pub use crate::init::field::*;
    pub use crate::init::zeroable::{zeroable_field, zeroed};
    pub use crate::key::InStatic;
    #[cfg(feature = "std")]
    pub use crate::key::InThread;
    pub use crate::kind::{Handles, Mistaken};
    #[cfg(all(feature = "std", not(feature = "passthrough")))]
    pub use crate::local::Local;
    #[cfg(feature = "std")]
    pub use crate::local_roster::LocalRoster;
    #[cfg(feature = "passthrough")]
    pub use crate::passthrough::{Blocks, Fixed, FixedList, FixedStack};
    #[cfg(all(feature = "std", feature = "passthrough"))]
    pub use crate::passthrough::{Local, Static};
    #[cfg(pool_heap)]
    pub use crate::pointer_stack::PointerStack;
    pub use crate::pooled::Pooled;
    #[cfg(all(feature = "std", not(feature = "passthrough")))]
    pub use crate::shared::{Depots, Magazines, Static};
    #[cfg(feature = "std")]
    pub use crate::shared_roster::{Lent, SharedRoster};
    pub use crate::storage::{SharedStorage, Storage};
    #[cfg(feature = "std")]
    pub use crate::{__static_pool, __static_roster, __thread_local};
    pub use crate::{__static_rooms, __static_slots};
    pub use core::cell::Cell;
    pub use core::compile_error;
    pub use core::convert::Infallible;
    pub use core::result::Result::{Err, Ok};
    #[cfg(feature = "std")]
    pub use std::thread_local;

    /// The trait without a derive: that of `bytemuck`, if it comes with one, gives way to ours.
    pub mod zeroable {
        pub use crate::init::Zeroable;
    }
}
