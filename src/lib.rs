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
//! # What do I want?
//!
//! | the objects | take | you have |
//! |---|---|---|
//! | are owned one by one, as by `Box` | `#[derive(Pooled)]` | a [`PoolBox`], one word |
//! | refer to each other, die early, are iterated over | `#[pool(strategy = roster)]`, or a [`Roster`] of your own | a [`Handle`], 8 bytes, `Copy` |
//! | have many owners, as by `Rc` and `Arc` | `#[pool(rc)]`, or `#[pool(static, rc)]` | a [`PoolRc`], or a [`PoolArc`] |
//! | die together, with the frame or the request | a [`LocalFrameStack`], [`frame::scratch`] | `&mut T`, or a [`FrameBox`] |
//! | are of any type: trait objects, closures, slices, a library's `T` | no derive | an [`any::Box`], [`any::Rc`], [`any::Arc`], [`any::BoxFnOnce`] |
//! | are a growing array, or few and long-lived | `Vec`, `Box` | |
//!
//! And then:
//!
//! | I want | |
//! |---|---|
//! | to know what the attribute can say, and each function of a pool | [`Pooled`]: the derive, and the trait |
//! | one pool for all threads, boxes that may be sent | `#[pool(static)]`: [at the derive](derive@Pooled#static) |
//! | a limit, and no heap | `capacity`: [at the derive](derive@Pooled#capacity) |
//! | a pool as a value that I own | [`FreeList`], or [`PointerStack`], which never touches freed memory; in code for either, [`TypedPool`] |
//! | a pool whose element is known only at run time | [`RawFreeList`], [`RawPointerStack`] |
//! | a box of a trait object, or of a slice | [`unsize!`]; in a type's own pool with the supertrait [`PoolObject`] |
//! | values beside a roster's elements | [`SecondaryMap`]; for few of them, [`SparseSecondaryMap`] |
//! | to go back to an earlier state: rollback, undo, deltas | [`Rewind`]; [`guide::rewind`] has recipes |
//! | large elements built in their slots, never on the stack | [`init!`], [`Init`], and the module [`mod@init`]; [`Zeroable`] for what may start as zeros |
//! | a slot now, and its element later | [`Vacant`] |
//! | scratch memory for several threads | [`FrameStack`] |
//! | std-like containers in a pool | [`ByLayout`], [`SharedByLayout`], and frame stacks, as allocators of `allocator-api2` |
//! | to see all pools: who holds what, what grew, what leaks | [`pools()`](fn@pools), [`report()`](fn@report), the module [`mod@pools`] |
//! | to see one pool: its figures, a map of its slots, who allocated | `pool_stats`, `pool_map`, `pool_sites` of [`Pooled`] |
//! | to count every byte of an allocator | [`Tracked`] |
//! | to save and to load | the feature `serde` |
//! | to use all cores | the feature `rayon` |
//! | to find a bug of raw pointers | the features `hardened`, `passthrough`, `valgrind` |
//!
//! The [`guide`] has more: *start* builds a small game step by step, *choosing* says which pool for which objects, *migrating* has
//! the calls of other crates beside ours, and *cookbook* has short programs to copy from. When something does not compile,
//! [`guide::misuse`] has the commonest messages, and what to write instead.
//!
//! # What a pool promises
//!
//! - Elements never move. (There is one exception, a bounded roster that is assigned to a type's pool: see [`Roster`].)
//! - Every destructor runs, unless a box is leaked; but as with any `static`, the elements of a static roster are
//!   not dropped when the process ends.
//! - Allocating and freeing are O(1), however many chunks there are. Only growth asks the heap; in a static pool
//!   that grows, so does a thread's first use.
//! - When a pool of boxes has emptied, it hands out its slots in order again: by address within a chunk, and the
//!   oldest chunk first. So a tree that is rebuilt every frame lies in memory as it would in a fresh arena. A static
//!   pool that grows does so where the slots of more than a few boxes were in use, and no other thread keeps a free
//!   slot; one with a capacity promises no order.
//! - Constructors and destructors may use the pool that they run for, but not within `pool_with`. They may panic,
//!   and no slot is lost. They may also run at the end of a thread; a destructor that panics there aborts the
//!   process, as in every thread-local.
//!
//! # What it is not for
//!
//! - Strings and buffers: they belong on the heap, or, if they die with the frame, in a [`FrameStack`].
//! - Objects that all die together: a [`LocalFrameStack`], which frees nothing one by one, is faster. (A
//!   [`FrameStack`] is for several threads, and slower.)
//! - Objects made in one thread and freed in another, unless you say `static`: the box of a thread-local pool stays
//!   on its thread, and the compiler sees to it.
//! - Values that survive their release, with their buffers, as in object pools: an element is dropped with its box. The
//!   guide's page *migrating* says how to keep them.
//!
//! # Features
//!
//! - `derive` (default): `#[derive(Pooled)]` and `#[derive(Zeroable)]`. A program whose pools, rosters and frame stacks are
//!   all values turns it off, and builds neither `syn` nor `quote`.
//! - `std` (default): thread-local pools, static pools that grow, static rosters, and `std::io` traits on
//!   [`PoolBox`]. Brings `alloc`. What a library without `std` takes instead of a growing static pool: see `static` at
//!   the derive.
//! - `alloc`: everything else that takes memory from the heap: the pools, rosters and frame stacks that are values.
//!   Without it, static pools of boxes with a capacity remain, and a program needs no `#[global_allocator]`.
//! - `any` (default): pools for any type by its layout, [`ByLayout`] and the pointers of [`any`].
//! - `frames` (default): frame stacks, the module [`frame`].
//! - `view` (default): the module [`pools`](mod@pools) with [`report()`](fn@report), leaks and snapshots, and maps of pools (`T::pool_map()`).
//!   Without it a pool writes nothing down for others; `pool_stats()` stays.
//! - `critical-section`, `portable-atomic`: static pools with a capacity on targets without compare-and-swap,
//!   through these crates.
//! - `huge-pages` (default): on Linux, chunks of 2 MiB and more, of pools, rosters and frame stacks, lie on huge pages if
//!   the system has any to spare, which more than halves the cost of their first use. A huge page is resident as a whole
//!   from its first use: a pool that has grown beyond 2 MiB holds up to 2 MiB more than it has used, and a chunk that
//!   would leave less than a quarter of its last huge page takes all of it. One in thirty thousand new objects of 64
//!   bytes then waits for 2 MiB (a tenth of a millisecond) instead of one in sixty for 4 KiB; `pool_prefault` and its
//!   like do that ahead of use. To opt out, start the process with `TYPED_POOL_HUGE_PAGES=0` in its environment (with
//!   `std`), or leave the feature out: `default-features = false, features = ["derive", "std"]`.
//! - `plugin`: for a library that is loaded while the program runs (a `cdylib`: a game engine's plug-in, an extension of
//!   Python). There the dynamic linker is asked where a thread-local is, at each allocation and at each free, which is half
//!   of what the two cost. With the feature each pool notes the addresses for sixteen threads. On x86_64 Linux; elsewhere
//!   it does nothing. In an executable it takes time instead of saving it: leave it out. One limit: the C library
//!   runs the destructors of a thread's keys (`pthread_key_create`) in up to four rounds, and a thread must not use its first pool in
//!   the last of them.
//! - `hardened`: finds the bugs that raw pointers make possible ([`PoolBox::from_raw`], `free` of the raw pools): a
//!   second free however late, a pointer from elsewhere or from another thread, a pointer into a slot, and a write to
//!   a freed slot, when that is handed out again. Each is a panic that names the type, the address and what was
//!   expected, before anything is dropped or changed. (If it is found during another panic, the process aborts.)
//!   Freed slots are filled, and reused late; every operation of a growing static pool locks. So a pool is about ten
//!   times slower, a growing static one fifty times or more, and a pool that has emptied does not return to address
//!   order. Without the feature, a debug build finds what is cheap to find: a pointer to no slot, to a slot that was
//!   never used, or (except in static pools) to the slot that was freed last; in growing static pools it finds
//!   nothing. Rosters need neither: handles are always checked.
//! - `passthrough`: turns derived pools off. Each element, shared ones included, is a block of its own from the
//!   program's allocator, with the element's layout (behind the counts, if it has any), so that every tool that
//!   watches the heap (Valgrind, AddressSanitizer, dhat, heaptrack, a counting `#[global_allocator]`) sees it like a
//!   `Box`. Limits, `live` and `high_water` still hold; there are no chunks, reserving only looks at the limit, and
//!   trimming finds nothing. An allocator that itself uses derived pools would recurse without end. Pools with a
//!   capacity in a `static` use the heap too, so the feature brings `std`.
//!   Pools of boxes that are values stay as they are, since they promise what blocks cannot keep (`owns`, or freeing
//!   all memory when they are dropped), and so do rosters and frame stacks. `hardened` then applies to what stays.
//! - `valgrind`: a program that runs under Valgrind tells it which slots are free, so that their use is reported,
//!   with the code that took the slot and the code that freed it; a leaked box is a leak. A growing static pool then
//!   locks for every operation. On x86_64 and aarch64; elsewhere it does nothing. (AddressSanitizer needs no feature:
//!   a program built for it reports the use of a free slot, but neither what freed it nor a leaked box. With
//!   `passthrough` it does.)
//! - `sites`: each live element knows the line that made it, at 4 bytes a slot: `T::pool_sites()`, and `sites()` of pools and rosters
//!   that are values. [`report()`](fn@report) shows the biggest, [`pools::Snapshot`] compares them, and [`pools::leaks`],
//!   [`on_leak`] and [`pools::Watch`] name them. The line is the one that calls `PoolBox::new`, `clone` or `pool_insert`; a function
//!   of yours with `#[track_caller]` passes its own caller on. Every operation of a growing static pool locks. Pools of boxes have no
//!   sites with `passthrough`.
//! - `metrics`: `pools::record_metrics()` sets gauges and counters of all pools, by type, in the recorder of the crate `metrics` 0.24:
//!   any exporter of that crate then has them. Names and labels are as in [`pools::Report::to_prometheus`].
//! - `tracy`: the profiler Tracy shows each pool as memory with the name of the type, or of the attribute: every element that is allocated
//!   or freed is an event. So are elements of pools by layout, of rosters (by the type's name) and of pools that are values; blocks of raw
//!   pools, too, but nothing in a frame stack. Brings `tracy-client-sys` 0.30, the client of Tracy 0.14, which a C++ compiler builds. For
//!   zones and frames add `tracy-client` 0.19, which uses the same client. The client runs on demand, and only for viewers on the same
//!   machine: while no viewer is connected, a program keeps nothing, and pays a few nanoseconds for each element. What was allocated
//!   before the viewer came is not shown.
//! - `bytemuck`: [`init::zeroed`] builds any type that is `bytemuck::Zeroable`.
//! - `allocator-api2-02`: a reference to a [`RawFreeList`] or a [`RawPointerStack`] is an `Allocator`
//!   of `allocator-api2` 0.2, so containers of nodes can live on a pool. So are [`ByLayout`] and [`SharedByLayout`], without a
//!   lifetime, for containers of all kinds; `&FrameStack`, `&LocalFrameStack` and
//!   [`Tracked`], for `hashbrown` and `allocator-api2`'s own `Vec`.
//! - `allocator-api2-04`: the same of `allocator-api2` 0.4. Both may be on: then everything is an `Allocator` of both.
//! - `hashbrown-017`: the short name `frame::HashMap` for maps of `hashbrown` 0.17 in a frame stack, beside `frame::Vec`, which
//!   comes with `allocator-api2-02`. Brings that.
//! - `serde`: `Serialize` and `Deserialize` for [`PoolBox`], those of [`any`], [`PoolRc`], [`PoolArc`], [`Handle`], [`Roster`] and
//!   [`SecondaryMap`]s. A box or a shared element is written as its element, and read into its type's pool; a pool that is
//!   full is an error. (For an owned pool, `&FreeList<T>` is the seed.) A roster is restored exactly, so that games in
//!   lockstep stay in step. Works without `std`.
//! - `rewind` (on by default): [`Rewind`], [`Rewindable`] and `#[pool(strategy = roster, rewind)]`: rosters that can go back.
//! - `svg`: `to_svg` of a [`PoolMap`](pools::PoolMap), a picture of a pool. Brings `std`.
//! - `rayon`: `par_values`, `par_values_mut`, `par_iter` and `par_iter_mut` of [`Roster`] and [`SecondaryMap`]. Brings
//!   `std`.
//!   A handle of a derived thread-local pool is valid only on its own thread, because every other thread, rayon's
//!   workers included, has a pool of its own. So borrow the roster before the parallel part, and use it there.

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
#[cfg(all(feature = "view", target_has_atomic = "ptr"))]
pub use pool_core::pools;
#[cfg(all(feature = "alloc", feature = "view", target_has_atomic = "ptr"))]
pub use pool_core::report;
pub use pool_core::{
    Boxes, Exhausted, Global, Handle, HasBoxes, HasHandles, Init, Pool, PoolArc, PoolArcWeak,
    PoolBox, PoolKind, PoolObject, PoolRc, PoolRcWeak, PoolStats, PoolWake, Pooled, Reason,
    ReserveError, RosterHandles, StaticPoolObject, Vacant, checks, init, rc, try_init, unsize,
};
#[cfg(feature = "any")]
pub use pool_core::{ByLayout, SharedByLayout, any};
#[cfg(feature = "rewind")]
pub use pool_core::{Change, ChangeKind, Forgotten, Mark, Rewind, Rewindable, Touched, rewind};
#[cfg(feature = "frames")]
pub use pool_core::{FrameBox, LocalFrameStack, frame};
#[cfg(feature = "alloc")]
pub use pool_core::{
    FreeList, HasRoster, InUse, PointerStack, RawFreeList, RawPointerStack, RawPool, RawPoolError,
    Roster, RosterRef, RosterRefMut, SecondaryMap, SparseSecondaryMap, TypedPool, roster,
    secondary_map, strategy,
};
#[cfg(target_has_atomic = "ptr")]
pub use pool_core::{Tracked, tracked};
#[cfg(all(feature = "std", feature = "view", any(unix, windows)))]
pub use pool_core::{on_leak, report_at_exit};
// The trait comes by a glob, so that a derive of the same name from `bytemuck` gives way to ours.
#[doc(inline)]
pub use pool_core::__private::zeroable::*;
#[cfg(all(feature = "derive", feature = "rewind"))]
pub use pool_derive::Rewindable;
#[cfg(feature = "derive")]
pub use pool_derive::{Pooled, Zeroable};

#[doc(hidden)]
pub use pool_core::__private;
