//! One line, `#[derive(Pooled)]`, gives a type its own memory pool.
//!
//! For code with a frame, a tick or a request that makes and destroys thousands of small objects
//! of a few types: an allocation costs a dozen instructions, elements of one type lie together, and
//! every pool can say what is still alive.
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
//! drop(root);                                         // every destructor ran, every slot is back
//! # assert_eq!(QuadTreeNode::pool_stats().live, 0);
//! ```
//!
//! - [`Pooled`]: the derive, and the trait with the pool's functions (`pool_alloc`, `pool_stats`,
//!   `pool_trim`, ...).
//! - [`PoolBox`]: the owning pointer, one word, with the surface of `Box`.
//! - [`FreeList`]: the same pool as a value that you own, for any type and without a derive.
//! - [`Roster`] and [`Handle`]: a pool whose elements are known by 8-byte generational handles, as a
//!   value or with `#[pool(strategy = roster)]`.
//! - [`init!`], [`Init`] and the module [`mod@init`]: construction in place, field by field, at every
//!   optimisation level.
//! - [`Vacant`]: a slot that is reserved and filled later.
//!
//! When something does not compile: [`guide::misuse`] has every message, and what to write instead.
//!
//! # What a pool promises
//!
//! - Elements never move. Every destructor runs, unless a box is leaked.
//! - Allocating and freeing are O(1), however many chunks there are; only growth asks the heap.
//! - When a pool has emptied, its slots are handed out in address order again: the tree that is
//!   rebuilt every frame lies in memory as it would in a fresh arena.
//! - Constructors and destructors may use the pool that they run for, may panic, and may run at the
//!   end of the thread; no slot is lost.
//!
//! # What it is not for
//!
//! - Objects of many sizes, strings, buffers: that is the heap's work.
//! - Objects that all die together and have no destructors: an arena, which frees nothing one by
//!   one, is faster still.
//! - Objects that are made in one thread and freed in another, unless their number has a bound: a
//!   thread-local box does not leave its thread (the compiler says so), and a
//!   [static pool](derive@Pooled#static) has a capacity.
//!
//! # Features
//!
//! - `std` (default): thread-local pools, and `std::io` traits on [`PoolBox`]. Without it owned
//!   pools remain, and static ones.
//! - `alloc` (part of `std`): all that takes memory from the heap. Without it static pools with a
//!   capacity remain, which need `core` alone, and no allocator.
//! - `critical-section`, `portable-atomic`: static pools on targets without compare-and-swap, by
//!   way of these crates.
//! - `bytemuck`: [`init::zeroed`] builds whatever is `bytemuck::Zeroable`.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(clippy::alloc_instead_of_core, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

pub mod guide;

pub use pool_core::{
    Boxes, Exhausted, Global, Handle, Handles, Init, Pool, PoolBox, PoolStats, Pooled, Vacant,
    init, try_init, zeroable,
};
#[cfg(feature = "alloc")]
pub use pool_core::{FreeList, PointerStack, Roster, roster};
pub use pool_derive::Pooled;

#[doc(hidden)]
pub use pool_core::__private;
