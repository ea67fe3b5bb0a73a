//! One line, `#[derive(Pooled)]`, gives a type its own memory pool.
//!
//! For code with a frame, a tick or a request that makes and destroys thousands of small objects
//! of a few types: an allocation costs a dozen instructions, elements of one type lie together, and
//! every pool can say how many are still alive.
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
//! - [`PoolArc`] and [`PoolRc`]: the pointers that share an element, with the surface of `Arc` and `Rc`.
//! - [`FreeList`]: the same pool as a value that you own, for any type and without a derive.
//! - [`PointerStack`]: the same with the second strategy, which never touches freed memory, for types with a size.
//! - [`RawFreeList`] and [`RawPointerStack`]: pools whose element is known only at run time.
//! - [`Roster`] and [`Handle`]: a pool whose elements are known by 8-byte generational handles, as a
//!   value or with `#[pool(strategy = roster)]`.
//! - [`SecondaryMap`]: values beside a roster's elements, known by the same handles.
//! - [`init!`], [`Init`] and the module [`mod@init`]: construction in place, field by field, at every
//!   optimisation level. [`Zeroable`], a trait and its derive, is for what may begin as zeros.
//! - [`Vacant`]: a slot that is reserved and filled later.
//! - [`FrameStack`] and [`LocalFrameStack`]: memory for objects of all sizes that die together, and
//!   [`FrameBox`], which runs their destructors; [`frame::scratch`] is one for each thread.
//! - [`Tracked`]: an allocator that counts every byte, and finds leaks.
//!
//! When something does not compile: [`guide::misuse`] has the messages, and what to write instead.
//!
//! # What a pool promises
//!
//! - Elements never move (one case apart, which [`Roster`]'s page names: a roster that is put in the place of another).
//! - Every destructor runs, unless a box is leaked; but as with any `static`, the elements of a static roster are
//!   not dropped when the process ends.
//! - Allocating and freeing are O(1), however many chunks there are. Only growth asks the heap, and of a static
//!   pool that grows, a thread's first use.
//! - When a pool of boxes has emptied, its slots are handed out in order again: by address within a chunk, and
//!   the chunks as they were made. So the tree that is rebuilt every frame lies in memory as it would in a fresh
//!   arena. A static pool promises no order.
//! - Constructors and destructors may use the pool that they run for, but not within `pool_with`. They may panic,
//!   and no slot is lost. They may run at the end of a thread, too; there a destructor that panics aborts the
//!   process, as in every thread-local.
//!
//! # What it is not for
//!
//! - Objects of many sizes, strings, buffers: that is the heap's work, or, if they die with the frame,
//!   a [`FrameStack`]'s.
//! - Objects that all die together: a [`LocalFrameStack`], which frees nothing one by one, is faster. ([`FrameStack`]
//!   is for several threads, and slower.)
//! - Objects that are made in one thread and freed in another, unless you say `static`: a thread-local
//!   box does not leave its thread (the compiler says so).
//!
//! # Features
//!
//! - `std` (default): thread-local pools, static pools that grow, static rosters, and `std::io` traits on
//!   [`PoolBox`]. Pools and frame stacks that are values need `core` and `alloc` alone, and static pools of boxes
//!   with a capacity only `core`.
//! - `critical-section`, `portable-atomic`: static pools with a capacity on targets without
//!   compare-and-swap, by way of these crates.
//! - `no-heap`: without `std`, leaves out all that takes memory from the heap, so that a program needs no
//!   `#[global_allocator]`. Static pools with a capacity remain.
//! - `huge-pages`: on Linux, chunks of 2 MiB and more lie on huge pages if the system has some to spare, which
//!   halves what their first use costs. They are 2 MiB each, used or not. Brings `libc`.
//! - `hardened`: what raw pointers make possible ([`PoolBox::from_raw`], `free` of the raw pools) is found: a
//!   second free however late, a foreign pointer or one of another thread, one into a slot, and a write
//!   to a freed slot, when that is handed out again. Each is a panic that names the type, the address and
//!   what was expected (and aborts the process where it is found during another panic), before anything
//!   is dropped or changed. Freed slots are filled, and reused late; every operation of a growing static
//!   pool locks. So a pool is about ten times slower, a growing static one fifty times and more, and when it has
//!   emptied there is no order of addresses. Without the feature a debug build finds what costs little: a pointer
//!   that is no slot's, or that of a slot which was never used or (but for static pools) was freed last; in
//!   growing static pools nothing. Rosters need neither: handles are checked always.
//! - `passthrough`: derived pools are none. Each element, shared ones included, is a block of its own from the
//!   program's allocator, with the element's layout (behind the counts, if it has any), so that every tool that
//!   watches the heap (Valgrind, AddressSanitizer, dhat, heaptrack, a counting `#[global_allocator]`) sees it as it
//!   sees a `Box`. Limits hold, and so do `live` and `high_water`; there are no chunks, reserving looks at the
//!   limit only, and trimming finds nothing. An allocator that is itself a user of derived pools would call
//!   itself without end. Pools with a capacity in a `static` ask the heap then, too: `no-heap` is overruled.
//!   So it is with every [`Roster`], derived or not: its handles and generations are what they are without the
//!   feature, its tables are reserved and trimmed, an element has its block until it is removed or detached, and
//!   [`PoolStats::chunks`] counts the blocks. Iteration goes by slots, which is no order of memory then. An insertion
//!   for which the heap has no room ends the program, as `Box::new` does, whatever was reserved.
//!   Pools of boxes that are values stay as they are, since they promise what blocks cannot keep (`owns`, or to give
//!   all memory back with themselves), and so do frame stacks. With `hardened` as well, that is for what stays.
//! - `valgrind`: a program that runs under Valgrind tells it which slots are free, so that their use is
//!   reported, with who took the slot and who freed it; a leaked box is a leak. A growing static
//!   pool then locks for every operation. On x86_64 and aarch64; elsewhere it does nothing. (AddressSanitizer needs
//!   no feature: a program that is built for it reports the use of a free slot, but not who freed it, nor a leaked
//!   box. With `passthrough` it does.)
//! - `bytemuck`: [`init::zeroed`] builds whatever is `bytemuck::Zeroable`.
//! - `allocator-api2-02`: a reference to a [`RawFreeList`] or a [`RawPointerStack`] is an `Allocator`
//!   of `allocator-api2` 0.2, so containers of nodes can live on a pool; so are `&FrameStack`, `&LocalFrameStack` and
//!   [`Tracked`], for `hashbrown` and `allocator-api2`'s own `Vec`.
//! - `serde`: `Serialize` and `Deserialize` for [`Handle`], [`Roster`] and [`SecondaryMap`]. A roster is
//!   restored exactly, so that a game in lockstep goes on alike. Works without `std`. [`PoolBox`]
//!   has neither, on purpose: write the element, and put what is read into a pool of your choice.
//! - `rayon`: [`Roster`]'s `par_values`, `par_values_mut`, `par_iter` and `par_iter_mut`. Brings `std`.
//!   A handle of a derived thread-local pool is good on its own thread only: on another, rayon's workers
//!   included, the pool is that thread's own. So lend the roster first.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(clippy::alloc_instead_of_core, clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

pub mod guide;

/// The code on the first page of the repository compiles, and does what it says.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(all(
    target_has_atomic = "ptr",
    any(
        feature = "std",
        feature = "serde",
        feature = "allocator-api2-02",
        feature = "passthrough",
        not(feature = "no-heap")
    )
))]
pub use pool_core::FrameStack;
pub use pool_core::{
    Boxes, Exhausted, Global, Handle, Handles, Init, Pool, PoolArc, PoolArcWeak, PoolBox, PoolRc,
    PoolRcWeak, PoolStats, Pooled, Vacant, init, rc, try_init,
};
#[cfg(any(
    feature = "std",
    feature = "serde",
    feature = "allocator-api2-02",
    feature = "passthrough",
    not(feature = "no-heap")
))]
pub use pool_core::{
    FrameBox, FreeList, LocalFrameStack, PointerStack, RawFreeList, RawPointerStack, RawPool,
    RawPoolError, Roster, SecondaryMap, TypedPool, frame, roster, secondary_map, strategy,
};
#[cfg(target_has_atomic = "ptr")]
pub use pool_core::{Tracked, tracked};
// The trait by a glob: a derive which `bytemuck` may bring under its name gives way to ours.
#[doc(inline)]
pub use pool_core::__private::zeroable::*;
pub use pool_derive::{Pooled, Zeroable};

#[doc(hidden)]
pub use pool_core::__private;
