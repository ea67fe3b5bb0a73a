//! Pages to read. They contain no items.
//!
//! - [`choosing`]: which strategy for which objects, and whether a pool at all.
//! - [`coming_from`]: the words of slotmap, slab, thunderdome, generational-arena, `HashMap` and object pools, and ours; and
//!   what there is not.
//! - [`generic`]: a generic container in a library, without a bound.
//! - [`misuse`]: what does not compile, what the compiler says, and what to write instead.
//! - [`security`]: what pools do for a program under attack, and what they do not.

#[doc = include_str!("guide/choosing.md")]
pub mod choosing {}
#[cfg(feature = "alloc")]
#[doc = include_str!("guide/coming_from.md")]
pub mod coming_from {}
#[doc = include_str!("guide/generic.md")]
pub mod generic {}
pub mod misuse;
#[doc = include_str!("guide/security.md")]
pub mod security {}
