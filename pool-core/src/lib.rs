//! The strategies, boxes and storage behind `typed-pool`.
//!
//! Use the facade crate `typed-pool`, which adds `#[derive(Pooled)]`; this crate is for those who
//! want owned pools without a macro, or a target without `std`.
//!
//! - [`FreeList`]: an owned pool with an intrusive free list.
//! - [`PointerStack`]: an owned pool that keeps the addresses of its free slots beside them.
//! - [`RawFreeList`] and [`RawPointerStack`]: pools whose element is known only at run time.
//! - [`PoolBox`]: the owning pointer into a pool.
//! - [`Pooled`]: the trait of types that have a pool of their own.
//! - [`Init`], [`init!`] and the module [`mod@init`]: construction in place.
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
mod fixed;
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
mod raw;
mod region;
pub mod roster;
mod sanitizer;
pub mod secondary_map;
mod settle;
#[cfg(feature = "std")]
mod shared;
#[cfg(feature = "std")]
mod shared_roster;
mod show;
mod slot;
mod stack;
mod stats;
mod storage;
mod strategy;
mod sync;
mod tag;
mod vacant;

pub use boxed::PoolBox;
pub use exhausted::Exhausted;
pub use free_list::FreeList;
pub use handle::Handle;
pub use init::Init;
pub use kind::{Boxes, Handles};
pub use pointer_stack::PointerStack;
pub use pool::{Global, Pool};
pub use pooled::Pooled;
pub use raw::{RawFreeList, RawPointerStack, RawPoolError};
pub use roster::Roster;
pub use secondary_map::SecondaryMap;
pub use stats::PoolStats;
pub use vacant::Vacant;

/// What `#[derive(Pooled)]` and `init!` refer to. Not for use by hand, and free to change in any version.
#[doc(hidden)]
pub mod __private {
    pub use crate::check::*;
    pub use crate::config::Config;
    pub use crate::fixed::{Arrangement, Beside, Fixed, FixedList, FixedStack, Within};
    pub use crate::free_list::FreeList;
    pub use crate::init::field::*;
    pub use crate::kind::Handles;
    #[cfg(feature = "std")]
    pub use crate::local::Local;
    #[cfg(feature = "std")]
    pub use crate::local_roster::LocalRoster;
    pub use crate::pointer_stack::PointerStack;
    pub use crate::pooled::Pooled;
    #[cfg(feature = "std")]
    pub use crate::shared::{Depot, Magazine, Shared};
    #[cfg(feature = "std")]
    pub use crate::shared_roster::{Lent, SharedRoster};
    pub use crate::storage::{SharedStorage, Storage};
    #[cfg(feature = "std")]
    pub use crate::{__static_pool, __static_roster, __thread_local};
    pub use core::cell::Cell;
    pub use core::compile_error;
    pub use core::convert::Infallible;
    pub use core::result::Result::{Err, Ok};
    #[cfg(feature = "std")]
    pub use std::thread::LocalKey;
    #[cfg(feature = "std")]
    pub use std::thread_local;
}
