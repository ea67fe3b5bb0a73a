//! Pages to read. They contain no items.
//!
//! | to begin with | |
//! |---|---|
//! | [`start`] | a small game, step by step: from `Vec<Box<Monster>>` to pools, handles, a save file and threads |
//! | [`choosing`] | which pool for which objects, and whether a pool at all |
//! | [`migrating`] | old call, new call: from `Box`, `Rc`, slotmap, slab, object pools, bumpalo and typed-arena |
//! | [`rewind`] | rollback, undo, deltas: a roster that goes back |
//! | [`ggrs`] | rollback netcode: marks for GGRS |
//! | [`cookbook`] | fifteen short programs to copy from |
//!
//! | to look things up | |
//! |---|---|
//! | [`attributes`] | every word in `#[pool(..)]`: what it does, what it costs, an example, its limits |
//! | [`features`] | every feature: what it brings, and what it costs |
//! | [`memory`] | when memory goes where it should not: from the symptom to the line, with what each tool prints |
//! | [`misuse`] | what does not compile, what the compiler says, and what to write instead |
//! | [`generic`] | a generic container in a library, without a bound |
//! | [`replays`] | what is the same in every process, for replays and lockstep; how slots wear out |
//! | [`faq`] | what is asked most; what the library says when it panics; what pools do for a program under attack |

#[cfg(all(feature = "std", feature = "derive"))]
#[doc = include_str!("guide/attributes.md")]
pub mod attributes {}
#[doc = include_str!("guide/choosing.md")]
pub mod choosing {}
#[cfg(all(feature = "std", feature = "derive"))]
#[doc = include_str!("guide/cookbook.md")]
pub mod cookbook {}
#[cfg(all(feature = "std", feature = "derive"))]
#[doc = include_str!("guide/faq.md")]
pub mod faq {}
#[doc = include_str!("guide/features.md")]
pub mod features {}
#[cfg(all(feature = "std", feature = "derive", feature = "rewind"))]
#[doc = include_str!("guide/ggrs.md")]
pub mod ggrs {}
#[doc = include_str!("guide/generic.md")]
pub mod generic {}
#[cfg(all(feature = "std", feature = "derive"))]
#[doc = include_str!("guide/memory.md")]
pub mod memory {}
#[cfg(all(feature = "std", feature = "derive"))]
#[doc = include_str!("guide/migrating.md")]
pub mod migrating {}
// Made by `tests/ui/guide.rs` from `tests/ui`, which also checks that each example fails, and how; so it is not doctested.
#[cfg_attr(not(doctest), doc = include_str!("guide/misuse.md"))]
pub mod misuse {}
#[cfg(all(feature = "std", feature = "derive", feature = "rewind"))]
#[doc = include_str!("guide/rewind.md")]
pub mod rewind {}
#[cfg(all(feature = "std", feature = "derive"))]
#[doc = include_str!("guide/replays.md")]
pub mod replays {}
#[cfg(all(feature = "std", feature = "derive"))]
#[doc = include_str!("guide/start.md")]
pub mod start {}
