//! Pages to read, without code of their own.
//!
//! - [`misuse`]: what does not compile, what the compiler says to it, and what to write instead.

pub mod misuse;
