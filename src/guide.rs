//! Pages to read, without code of their own.
//!
//! - [`choosing`]: which strategy for which objects, and whether a pool at all.
//! - [`misuse`]: what does not compile, what the compiler says about it, and what to write instead.
//! - [`security`]: what pools give to a program under attack, and what they do not.

#[doc = include_str!("guide/choosing.md")]
pub mod choosing {}
pub mod misuse;
#[doc = include_str!("guide/security.md")]
pub mod security {}
