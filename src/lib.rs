//! `#[derive(Pooled)]` gives a type its own memory pool.
//!
//! It serves code that creates and destroys thousands of small objects of a few types in every frame, tick or request. An allocation takes a
//! dozen instructions, elements of a type lie side by side, and every pool counts its live elements.
//!
//! ```
//! use typed_pool::{PoolBox, Pooled};
//!
//! #[derive(Pooled, Default)]
//! struct QuadTreeNode {
//!     bounds: [f32; 4],
//!     items: Vec<u32>,
//!     children: [Option<PoolBox<QuadTreeNode>>; 4],
//! }
//!
//! let mut root = QuadTreeNode::pool_alloc();          // built from Default
//! root.children[0] = Some(QuadTreeNode::pool_alloc());
//! drop(root);                                         // every destructor ran, and every slot is free
//! assert_eq!(QuadTreeNode::pool_stats().live, 0);
//! ```
//!
//! # A map
//!
//! | your objects | take | you hold |
//! |---|---|---|
//! | have one owner each, as with `Box` | `#[derive(`[`Pooled`](derive@Pooled)`)]` | a [`PoolBox`], one word |
//! | refer to each other, die early, or are iterated over | a [`Roster`], or `#[pool(strategy = roster)]` | a [`Handle`], 8 bytes, `Copy` |
//! | refer to each other in a world with rollback or undo | a [`Rewind`]: see [`guide::rewind`] | a [`Handle`] |
//! | have many owners, as with `Rc` and `Arc` | `#[pool(rc)]`, `#[pool(static, rc)]` | a [`PoolRc`], a [`PoolArc`] |
//! | die together, with the frame or the request | a [`LocalFrameStack`], a [`FrameStack`], [`frame::scratch`] | a [`FrameBox`], or a `&mut T` |
//! | are of any type: trait objects, closures, a library's `T` | no derive | an [`any::Box`], [`any::Rc`], [`any::Arc`] |
//! | are a growing array, or few and long-lived | `Vec`, `Box` | |
//!
//! | and I want | |
//! |---|---|
//! | every attribute: threads, limits, no heap | the derive [`Pooled`](derive@Pooled#attributes) |
//! | every function of a type's pool, its statistics, its map | the trait [`Pooled`](trait@Pooled) |
//! | a pool that is a value; for a layout known at run time | [`FreeList`], [`PointerStack`]; [`RawFreeList`], [`RawPointerStack`] |
//! | a box of a trait object or a slice | [`unsize!`], [`PoolObject`] |
//! | values beside a roster's elements | [`SecondaryMap`], [`SparseSecondaryMap`] |
//! | large elements built in place; a slot reserved now and filled later | [`init!`] and the module [`mod@init`]; [`Vacant`] |
//! | containers in a pool | [`ByLayout`], [`SharedByLayout`], and frame stacks, as allocators |
//! | all pools: their size, their growth, their leaks | [`report()`](fn@report), the module [`mod@pools`] |
//! | an allocator that counts every byte | [`Tracked`] |
//!
//! The [`guide`] has the rest: *start* builds a small game, *cookbook* has programs to copy, *migrating* has the calls of other crates
//! beside ours, and [`guide::misuse`] explains compile errors.
//!
//! # Guarantees
//!
//! - Elements never move.
//! - Every destructor runs, unless a box is leaked. The exception is a static roster: like any `static`, it drops nothing when the process ends.
//! - Allocating and freeing are O(1). Only growth, and a thread's first use of a growing static pool, call the heap.
//! - An empty pool of boxes hands out its slots in address order again, so a tree that is rebuilt every frame is laid out as in a fresh arena.
//!   (Static pools do so [under conditions](derive@Pooled#static).)
//! - Constructors and destructors may use the pool of their own type, except inside of `pool_with`. They may panic, and no slot is lost. A
//!   destructor that panics at the end of a thread aborts the process, as with every thread-local.
//!
//! # Features
//!
//! [`guide::features`] has the effect and the cost of each.
//!
//! | feature | |
//! |---|---|
//! | `derive`\* | the derives [`Pooled`](derive@Pooled), [`Zeroable`](derive@Zeroable) and [`Rewindable`](derive@Rewindable) |
//! | `std`\* | thread-local pools, growing static pools, static rosters |
//! | `alloc` | pools that are values; without it, static pools with a capacity remain |
//! | `any`\*, `frames`\*, `rosters`\*, `rewind`\*, `view`\* | pools by layout; frame stacks; rosters and handles; rosters that return to earlier states; reports, leaks and maps |
//! | `huge-pages`\* | huge pages for large chunks, on Linux |
//! | `serde`, `rayon` | traits and iterators of these crates |
//! | `allocator-api2-02` | pools by layout and frame stacks as allocators of containers |
//! | `hardened`, `valgrind`, `sites` | double frees, leaks, and the line that made an element |
//! | `portable-atomic` | static pools on processors without compare-and-swap |
//!
//! \* on by default

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// The front page links to items of all default features.
#![cfg_attr(
    not(all(
        feature = "derive",
        feature = "any",
        feature = "frames",
        feature = "rewind",
        feature = "view"
    )),
    allow(rustdoc::broken_intra_doc_links)
)]
#![warn(clippy::alloc_instead_of_core, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

pub mod guide;

/// The README's code compiles, and does what it says.
#[cfg(all(doctest, feature = "derive"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// Hidden items cannot be misused.
#[cfg(all(doctest, feature = "derive", feature = "std"))]
#[doc = include_str!("by_hand.md")]
struct ByHand;

#[cfg(all(feature = "frames", target_has_atomic = "ptr"))]
pub use pool_core::FrameStack;
#[cfg(feature = "std")]
pub use pool_core::flush_thread;
#[doc(inline)]
pub use pool_core::init::Zeroable;
#[cfg(all(feature = "std", feature = "view"))]
pub use pool_core::on_leak;
#[cfg(all(feature = "view", target_has_atomic = "ptr"))]
pub use pool_core::pools;
#[cfg(all(feature = "alloc", feature = "view", target_has_atomic = "ptr"))]
pub use pool_core::report;
pub use pool_core::{
    Boxes, Exhausted, HasBoxes, Init, OwnPool, Pool, PoolArc, PoolArcWeak, PoolBox, PoolBoxIn,
    PoolKind, PoolMarker, PoolObject, PoolRc, PoolRcWeak, PoolStats, Pooled, Reason, RosterHandles,
    StaticPoolObject, Vacant, boxed, init, rc, try_init, unsize,
};
#[cfg(feature = "any")]
pub use pool_core::{ByLayout, SharedByLayout, any};
#[cfg(feature = "rewind")]
pub use pool_core::{Change, ChangeKind, Forgotten, Mark, Rewind, Rewindable, Touched, rewind};
#[cfg(feature = "frames")]
pub use pool_core::{FrameBox, LocalFrameStack, frame};
#[cfg(feature = "alloc")]
pub use pool_core::{
    FreeList, PointerStack, RawFreeList, RawPointerStack, RawPool, RawPoolError, TypedPool,
    strategy,
};
#[cfg(feature = "rosters")]
pub use pool_core::{
    Handle, HasHandles, InUse, Roster, RosterRef, RosterRefMut, SecondaryMap, SparseSecondaryMap,
    roster, secondary_map,
};
#[cfg(target_has_atomic = "ptr")]
pub use pool_core::{Tracked, tracked};
#[cfg(all(feature = "derive", feature = "rewind"))]
pub use pool_derive::Rewindable;
#[cfg(feature = "derive")]
pub use pool_derive::{Pooled, Zeroable};

#[doc(hidden)]
pub use pool_core::{__private, checks};
