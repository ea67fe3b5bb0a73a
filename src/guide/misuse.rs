//! What does not compile, and what to write instead: the commonest mistakes, then all others by topic.
//!
// Made by `tests/ui/guide.rs` from `tests/ui`, which also checks that each example fails, and how; so it is not doctested.
#![cfg_attr(not(doctest), doc = include_str!("misuse.md"))]

#[cfg_attr(not(doctest), doc = include_str!("misuse/types.md"))]
pub mod types {}
#[cfg_attr(not(doctest), doc = include_str!("misuse/boxes.md"))]
pub mod boxes {}
#[cfg_attr(not(doctest), doc = include_str!("misuse/handles.md"))]
pub mod handles {}
#[cfg_attr(not(doctest), doc = include_str!("misuse/objects.md"))]
pub mod objects {}
#[cfg_attr(not(doctest), doc = include_str!("misuse/generics.md"))]
pub mod generics {}
#[cfg_attr(not(doctest), doc = include_str!("misuse/sizes.md"))]
pub mod sizes {}
#[cfg_attr(not(doctest), doc = include_str!("misuse/statics.md"))]
pub mod statics {}
#[cfg_attr(not(doctest), doc = include_str!("misuse/frames.md"))]
pub mod frames {}
#[cfg_attr(not(doctest), doc = include_str!("misuse/in_place.md"))]
pub mod in_place {}
#[cfg_attr(not(doctest), doc = include_str!("misuse/attributes.md"))]
pub mod attributes {}
