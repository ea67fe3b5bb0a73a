//! One line, `#[derive(Pooled)]`, gives a type its own memory pool.
//!
//! For code that makes and destroys thousands of small objects of a few types in every frame, tick or request: an
//! allocation costs a dozen instructions, elements of one type lie together, and every pool can say how many are still
//! alive.
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
//! # A map
//!
//! | the objects | take | you have |
//! |---|---|---|
//! | are owned one by one, as by `Box` | `#[derive(`[`Pooled`](derive@Pooled)`)]` | a [`PoolBox`], one word |
//! | refer to each other, die early, are iterated over | a [`Roster`], or `#[pool(strategy = roster)]` | a [`Handle`], 8 bytes, `Copy` |
//! | ... and go back: rollback, undo | a [`Rewind`]: see [`guide::rewind`] | the same |
//! | have many owners, as by `Rc` and `Arc` | `#[pool(rc)]`, `#[pool(static, rc)]` | a [`PoolRc`], a [`PoolArc`] |
//! | die together, with the frame or the request | a [`LocalFrameStack`], a [`FrameStack`], [`frame::scratch`] | `&mut T`, or a [`FrameBox`] |
//! | are of any type: trait objects, closures, a library's `T` | no derive | an [`any::Box`], [`any::Rc`], [`any::Arc`] |
//! | are a growing array, or few and long-lived | `Vec`, `Box` | |
//!
//! | and I want | |
//! |---|---|
//! | what the attribute can say: threads, limits, no heap | [`guide::attributes`] |
//! | every function of a type's pool, its figures, its map | the trait [`Pooled`](trait@Pooled) |
//! | a pool as a value that I own; of an element known at run time | [`FreeList`], [`PointerStack`]; [`RawFreeList`], [`RawPointerStack`] |
//! | a box of a trait object, or of a slice | [`unsize!`], [`PoolObject`] |
//! | values beside a roster's elements | [`SecondaryMap`], [`SparseSecondaryMap`] |
//! | large elements built in their slots; a slot now, its element later | [`init!`] and the module [`mod@init`]; [`Vacant`] |
//! | containers in a pool | [`ByLayout`], [`SharedByLayout`], and frame stacks, as allocators |
//! | all pools: who holds what, what grew, what leaks | [`report()`](fn@report), the module [`mod@pools`] |
//! | to count every byte of an allocator | [`Tracked`] |
//! | to save, to use all cores, to find bugs of raw pointers | a feature, below |
//!
//! The [`guide`] has the rest: *start* builds a small game, *cookbook* has programs to copy from, *migrating* the calls of other crates
//! beside ours. When something does not compile, [`guide::misuse`] has the messages, and what to write instead.
//!
//! # What a pool promises
//!
//! - Elements never move.
//! - Every destructor runs, unless a box is leaked; but, as with any `static`, not those of a static roster's elements when
//!   the process ends.
//! - Allocating and freeing are O(1), however many chunks there are. Only growth asks the heap, and a thread's first use of a static
//!   pool that grows.
//! - A pool of boxes that has emptied hands out its slots in order again, so a tree that is rebuilt every frame lies in memory as
//!   it would in a fresh arena. ([`guide::attributes`] says which static pools do.)
//! - Constructors and destructors may use the pool that they run for, but not within `pool_with`; they may panic, and no slot
//!   is lost. A destructor that panics at the end of a thread aborts the process, as in every thread-local.
//!
//! # Features
//!
//! [`guide::features`] says what each brings, and what it costs.
//!
//! | feature | |
//! |---|---|
//! | `derive`\* | the derives [`Pooled`](derive@Pooled), [`Zeroable`](derive@Zeroable) and [`Rewindable`](derive@Rewindable) |
//! | `std`\* | thread-local pools, static pools that grow, static rosters |
//! | `alloc` | pools that are values; without it, static pools with a capacity remain |
//! | `any`\*, `frames`\*, `rosters`\*, `rewind`\*, `view`\* | pools by layout; frame stacks; rosters and handles; rosters that can go back; reports, leaks and maps |
//! | `huge-pages`\* | large chunks lie on huge pages, on Linux |
//! | `serde`, `rayon` | traits and iterators of these crates |
//! | `allocator-api2-02` | pools and frame stacks as allocators of containers |
//! | `hardened`, `valgrind`, `sites` | for finding bugs: double frees, leaks, and the line that made an element |
//! | `portable-atomic` | static pools where the processor has no compare-and-swap |
//!
//! \* on by default

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(clippy::alloc_instead_of_core, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

pub mod guide;

/// The README's code compiles, and does what it says.
#[cfg(all(doctest, feature = "derive"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// What is hidden cannot be misused.
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
    Boxes, Exhausted, HasBoxes, HasHandles, Init, OwnPool, Pool, PoolArc, PoolArcWeak, PoolBox,
    PoolBoxIn, PoolKind, PoolMarker, PoolObject, PoolRc, PoolRcWeak, PoolStats, Pooled, Reason,
    ReserveError, RosterHandles, StaticPoolObject, Vacant, boxed, checks, init, rc, try_init,
    unsize,
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
    Handle, HasRoster, InUse, Roster, RosterRef, RosterRefMut, SecondaryMap, SparseSecondaryMap,
    roster, secondary_map,
};
#[cfg(target_has_atomic = "ptr")]
pub use pool_core::{Tracked, tracked};
#[cfg(all(feature = "derive", feature = "rewind"))]
pub use pool_derive::Rewindable;
#[cfg(feature = "derive")]
pub use pool_derive::{Pooled, Zeroable};

#[doc(hidden)]
pub use pool_core::__private;
