//! Pages to read, without code of their own.
//!
//! - [`choosing`]: which strategy for which objects, and whether a pool at all.
//! - [`misuse`]: what does not compile, what the compiler says to it, and what to write instead.

#[doc = include_str!("guide/choosing.md")]
pub mod choosing {}
pub mod misuse;
