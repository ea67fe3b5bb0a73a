//! The strategies, boxes and storage behind `typed-pool`.
//!
//! Use the facade crate `typed-pool`, which adds `#[derive(Pooled)]`; this crate is for those who
//! want owned pools without a macro, or a target without `std`.
//!
//! - [`FreeList`]: an owned pool with an intrusive free list.
//! - [`PointerStack`]: an owned pool that keeps the addresses of its free slots beside them.
//! - [`PoolBox`]: the owning pointer into a pool.
//! - [`LocalFrameStack`] and, where the target has atomics, `FrameStack`: memory that dies together.
//! - [`Pooled`]: the trait of types that have a pool of their own.
//! - [`Init`], [`init!`] and the module [`mod@init`]: construction in place.
//! - `Tracked`, where the target has atomics: an allocator that counts what is alive.
//! - [`Vacant`]: a slot that is reserved and filled later.
//!
//! `no_std`: without the feature `std` (on by default) the crate needs `core` and `alloc` alone,
//! and there are no thread-local pools.
//!
//! The examples are written for the facade: without it, read `pool_core` for `typed_pool`.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(clippy::alloc_instead_of_core, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

extern crate alloc;

mod boxed;
mod check;
mod chunk;
mod config;
mod exhausted;
#[cfg(feature = "std")]
mod exit;
pub mod frame;
mod free_list;
mod handle;
pub mod init;
mod kind;
mod list;
#[cfg(feature = "std")]
mod local;
#[cfg(feature = "std")]
mod local_roster;
mod owned;
mod pointer_stack;
mod pool;
mod pooled;
mod region;
pub mod roster;
mod sanitizer;
mod settle;
mod show;
mod slot;
mod stack;
mod stats;
mod storage;
mod strategy;
mod sync;
mod tag;
#[cfg(target_has_atomic = "ptr")]
pub mod tracked;
mod vacant;

pub use boxed::PoolBox;
pub use exhausted::Exhausted;
#[cfg(target_has_atomic = "ptr")]
pub use frame::FrameStack;
pub use frame::{FrameBox, LocalFrameStack};
pub use free_list::FreeList;
pub use handle::Handle;
pub use init::Init;
pub use kind::{Boxes, Handles};
pub use pointer_stack::PointerStack;
pub use pool::{Global, Pool};
pub use pooled::Pooled;
pub use roster::Roster;
pub use stats::PoolStats;
#[cfg(target_has_atomic = "ptr")]
pub use tracked::Tracked;
pub use vacant::Vacant;

/// What `#[derive(Pooled)]` and `init!` refer to. Not for use by hand, and free to change in any version.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "std")]
    pub use crate::__thread_local;
    pub use crate::check::*;
    pub use crate::config::Config;
    pub use crate::free_list::FreeList;
    pub use crate::init::field::*;
    pub use crate::kind::Handles;
    #[cfg(feature = "std")]
    pub use crate::local::Local;
    #[cfg(feature = "std")]
    pub use crate::local_roster::LocalRoster;
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
