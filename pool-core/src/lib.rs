//! The strategies, boxes and storage behind `typed-pool`.
//!
//! Use the facade crate `typed-pool`, which adds `#[derive(Pooled)]`; this crate is for those who
//! want owned pools without a macro, or a target without `std`.
//!
//! - [`FreeList`]: an owned pool with an intrusive free list.
//! - [`PointerStack`]: an owned pool that keeps the addresses of its free slots beside them.
//! - [`RawFreeList`] and [`RawPointerStack`]: pools whose element is known only at run time.
//! - [`TypedPool`], [`RawPool`] and the module [`mod@strategy`]: what these four are made of.
//! - [`PoolBox`]: the owning pointer into a pool.
//! - [`LocalFrameStack`] and, where the target has atomics, `FrameStack`: memory that dies together.
//! - [`PoolArc`] and [`PoolRc`]: the pointers that share an element of a pool.
//! - [`Pooled`]: the trait of types that have a pool of their own.
//! - [`Init`], [`init!`] and the module [`mod@init`]: construction in place.
//! - `Tracked`, where the target has atomics: an allocator that counts what is alive.
//! - [`Vacant`]: a slot that is reserved and filled later.
//!
//! `no_std`: without the feature `std` (on by default) there are no thread-local pools. With the feature `alloc` the
//! crate needs `core` and `alloc` then; without it `core`, and there are static pools of a fixed capacity.
//!
//! The examples are written for the facade: without it, read `pool_core` for `typed_pool`.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![debugger_visualizer(gdb_script_file = "../debuggers/gdb.py")]
#![debugger_visualizer(natvis_file = "../debuggers/typed-pool.natvis")]
#![warn(clippy::alloc_instead_of_core, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]
// Without some of the features, parts of the lower rooms are unused, and links lead to rooms that are left out.
#![cfg_attr(
    not(all(feature = "any", feature = "frames", feature = "rewind", feature = "view")),
    allow(unused, unreachable_pub, unnameable_types, rustdoc::broken_intra_doc_links)
)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod base;
mod derived;
#[cfg(feature = "frames")]
pub mod frame;
pub mod init;
mod memory;
mod pointer;
#[cfg(feature = "alloc")]
mod pool;
#[cfg(all(feature = "view", target_has_atomic = "ptr"))]
pub mod pools;
#[cfg(feature = "rewind")]
pub mod rewind;
#[cfg(feature = "rosters")]
pub mod roster;
#[cfg(feature = "alloc")]
pub mod strategy;
#[allow(
    missing_debug_implementations,
    unnameable_types,
    private_bounds,
    reason = "hidden, for the derive"
)]
mod thread;
#[cfg(target_has_atomic = "ptr")]
pub mod tracked;

pub use base::exhausted::{Exhausted, Reason};
pub use base::stats::PoolStats;
pub use derived::boxes::{PoolObject, StaticPoolObject};
pub use derived::pooled::{HasBoxes, Pooled};
pub use derived::rc::{self, PoolArc, PoolArcWeak, PoolRc, PoolRcWeak};
pub use derived::storage::{Boxes, PoolKind, RosterHandles};
#[cfg(feature = "any")]
pub use derived::{
    any,
    by_layout::{ByLayout, SharedByLayout},
};
#[cfg(all(feature = "frames", target_has_atomic = "ptr"))]
pub use frame::FrameStack;
#[cfg(feature = "frames")]
pub use frame::{FrameBox, LocalFrameStack};
pub use init::Init;
pub use pointer::boxed::{PoolBoxIn, Vacant};
pub use pointer::{OwnPool, Pool, PoolMarker};
#[cfg(all(feature = "std", feature = "view"))]
pub use pools::on_leak;
#[cfg(all(feature = "view", target_has_atomic = "ptr"))]
pub use pools::pools;
#[cfg(all(feature = "alloc", feature = "view", target_has_atomic = "ptr"))]
pub use pools::report;
#[cfg(feature = "rewind")]
pub use rewind::{Change, ChangeKind, Forgotten, Mark, Rewind, Rewindable, Touched};
#[cfg(feature = "std")]
pub use thread::end::flush_thread;
#[cfg(target_has_atomic = "ptr")]
pub use tracked::Tracked;
#[cfg(feature = "rosters")]
pub use {
    base::handle::Handle,
    derived::roster_ref::{HasHandles, InUse, RosterRef, RosterRefMut},
    roster::Roster,
    roster::secondary_map::{self, SecondaryMap, SparseSecondaryMap},
};
#[cfg(feature = "alloc")]
pub use {
    pool::raw::{RawFreeList, RawPointerStack, RawPool, RawPoolError},
    pool::typed::{FreeList, PointerStack, TypedPool},
};

/// The owner of one element in the pool that `#[derive(Pooled)]` made for its type: what `Box` is for the heap.
///
/// One word for an element with a size. Its functions and traits are those of every [`boxed::PoolBox`], which says
/// [how it differs from `Box`](boxed::PoolBox#differences-from-box).
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// struct Monster { health: i32, prey: Option<PoolBox<Monster>> }
///
/// let rat = PoolBox::new(Monster { health: 5, prey: None });
/// let mut cat = PoolBox::new(Monster { health: 20, prey: Some(rat) });
/// cat.health -= 1;
/// let Monster { prey, .. } = PoolBox::into_inner(cat);
/// assert_eq!(prey.unwrap().health, 5);
/// ```
pub type PoolBox<T> = boxed::PoolBox<T>;

/// The owning pointer behind [`PoolBox`], [`PoolBoxIn`] and `any::Box`.
pub mod boxed {
    pub use crate::pointer::boxed::PoolBox;
}

/// Conditions that the compiler names where one does not hold, in its notes below the message. Nothing here is to be written or
/// called.
///
/// The derive checks sizes and numbers, `unsize!` and `init!` what they are given, and bounds say why something stays on its thread.
/// Traits and functions that compile errors name. A change here is no breaking change.
pub mod checks {
    #[cfg(feature = "any")]
    pub use crate::derived::by_layout::LeavesThread;
    pub use crate::derived::checks::{
        Checked, ChunkWithinMax, HasSize, HoldsLink, SlotsInRange, StaticElement, Zero,
    };
    #[cfg(all(feature = "rosters", feature = "std"))]
    pub use crate::derived::rosters::static_roster::SharedRoster;
    #[doc(hidden)]
    pub use crate::init::field::{
        ByInit, ByValue, Done, Guard, Raise, Raised, Rest, in_place, rest,
    };
    #[doc(hidden)]
    pub use crate::init::zeroable::zeroable_field;
    #[doc(hidden)]
    pub use crate::pointer::unsize::{Unsize, coerced};
    #[cfg(feature = "alloc")]
    pub use crate::pool::typed::{RcPool, SharedPool};
    #[cfg(feature = "rewind")]
    pub use crate::rewind::rewindable::{Keepable, cloned_part};
}

/// Items for `#[derive(Pooled)]` and `init!`. Not for use by hand, and free to change in any version.
#[doc(hidden)]
pub mod __private {
    pub use crate::__init;
    pub use crate::__static_slots;
    pub use crate::__zeroable;
    pub use crate::base::config::Config;
    pub use crate::derived::checks::*;
    pub use crate::derived::fixed::Fixed;
    pub use crate::derived::pooled::Pooled;
    pub use crate::derived::storage::{InStatic, RosterHandles, Storage};
    pub use crate::derived::with_counts::{Holds, WithCounts};
    pub use crate::init::field::*;
    pub use crate::init::zeroable::{all_zeros, zeroable_field};
    pub use crate::pointer::unsize::coerced;
    #[cfg(feature = "alloc")]
    pub use crate::pool::typed::{FreeList, PointerStack};
    #[cfg(feature = "rewind")]
    pub use crate::rewind::rewindable::{Part, cloned_part, confirm, knows, mark, rewind};
    #[cfg(feature = "rewind")]
    pub use crate::rewind::{Forgotten, Mark, Rewindable};
    #[cfg(feature = "std")]
    pub use crate::{
        __static_pool, __thread_local,
        derived::local::LocalPool,
        derived::magazines::{SharedDepot, StaticPool, ThreadMagazine},
        strategy::{InFreeList, InPointerStack},
        thread::local::{InThread, SharedRecord},
        thread::{LocalKey, thread_local},
    };
    #[cfg(all(feature = "rosters", feature = "std"))]
    pub use crate::{
        __static_roster,
        derived::rosters::local::LocalRoster,
        derived::rosters::static_roster::{BorrowState, SharedRoster},
    };
    pub use core::cell::Cell;
    pub use core::compile_error;
    pub use core::convert::Infallible;
    pub use core::marker::PhantomData;
    pub use core::result::Result::{self, Err, Ok};
}
