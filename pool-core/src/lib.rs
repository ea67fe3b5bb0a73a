//! The strategies, boxes and storage behind `typed-pool`.
//!
//! Use the facade crate `typed-pool`, which adds `#[derive(Pooled)]`; this crate is for those who
//! want owned pools without a macro, or a target without `std`.
//!
//! - [`FreeList`]: an owned pool with an intrusive free list.
//! - [`PointerStack`]: an owned pool that keeps the addresses of its free slots beside them.
//! - [`PoolBox`]: the owning pointer into a pool.
//! - [`Pooled`]: the trait of types that have a pool of their own.
//! - [`Init`], [`init!`] and the module [`mod@init`]: construction in place.
//! - [`Vacant`]: a slot that is reserved and filled later.
//!
//! `no_std`: without the feature `std` (on by default) there are no thread-local pools, and with
//! the feature `alloc` in its place the crate needs `core` and `alloc` alone. Without either it
//! needs `core`, and there are static pools of a fixed capacity.
//!
//! The examples are written for the facade: without it, read `pool_core` for `typed_pool`.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(feature = "alloc"),
    allow(
        dead_code,
        unreachable_pub,
        reason = "parts of what is there serve pools on the heap alone"
    )
)]
#![warn(clippy::alloc_instead_of_core, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod boxed;
mod check;
#[cfg(feature = "alloc")]
mod chunk;
mod config;
mod exhausted;
#[cfg(feature = "std")]
mod exit;
mod fixed;
#[cfg(feature = "alloc")]
mod free_list;
mod handle;
pub mod init;
mod kind;
#[cfg(feature = "alloc")]
mod list;
#[cfg(feature = "std")]
mod local;
#[cfg(feature = "std")]
mod local_roster;
#[cfg(feature = "alloc")]
mod owned;
#[cfg(feature = "alloc")]
mod pointer_stack;
mod pool;
mod pooled;
#[cfg(feature = "alloc")]
mod region;
#[cfg(feature = "alloc")]
pub mod roster;
mod sanitizer;
#[cfg(feature = "alloc")]
mod settle;
#[cfg(feature = "alloc")]
mod show;
mod slot;
#[cfg(feature = "alloc")]
mod stack;
mod stats;
mod storage;
#[cfg(feature = "alloc")]
mod strategy;
mod sync;
#[cfg(feature = "alloc")]
mod tag;
mod vacant;

pub use boxed::PoolBox;
pub use exhausted::Exhausted;
#[cfg(feature = "alloc")]
pub use free_list::FreeList;
pub use handle::Handle;
pub use init::Init;
pub use kind::{Boxes, Handles};
#[cfg(feature = "alloc")]
pub use pointer_stack::PointerStack;
pub use pool::{Global, Pool};
pub use pooled::Pooled;
#[cfg(feature = "alloc")]
pub use roster::Roster;
pub use stats::PoolStats;
pub use vacant::Vacant;

/// What `#[derive(Pooled)]` and `init!` refer to. Not for use by hand, and free to change in any version.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "std")]
    pub use crate::__thread_local;
    pub use crate::check::*;
    pub use crate::config::Config;
    pub use crate::fixed::{Arrangement, Beside, Fixed, FixedList, FixedStack, Within};
    #[cfg(feature = "alloc")]
    pub use crate::free_list::FreeList;
    pub use crate::init::field::*;
    pub use crate::kind::Handles;
    #[cfg(feature = "std")]
    pub use crate::local::Local;
    #[cfg(feature = "std")]
    pub use crate::local_roster::LocalRoster;
    #[cfg(feature = "alloc")]
    pub use crate::pointer_stack::PointerStack;
    pub use crate::pooled::Pooled;
    pub use crate::storage::{SharedStorage, Storage};
    pub use core::cell::Cell;
    pub use core::compile_error;
    pub use core::convert::Infallible;
    pub use core::result::Result::{Err, Ok};
    #[cfg(feature = "std")]
    pub use std::thread::LocalKey;
    #[cfg(feature = "std")]
    pub use std::thread_local;
}
