//! Pages to read. They contain no items.
//!
//! - [`choosing`]: which strategy for which objects, and whether a pool at all.
//! - [`generic`]: a generic container in a library, without a bound.
//! - [`misuse`]: what does not compile, what the compiler says, and what to write instead.
//! - [`security`]: what pools do for a program under attack, and what they do not.

#[doc = include_str!("guide/choosing.md")]
pub mod choosing {}
#[doc = include_str!("guide/generic.md")]
pub mod generic {}
pub mod misuse;
#[doc = include_str!("guide/security.md")]
pub mod security {}
