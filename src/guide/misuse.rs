//! What does not compile, what the compiler says about it, and what to write instead.
//!
// Made by `tests/ui/guide.rs` from `tests/ui`, which also checks that each example fails, and how; so it is not doctested.
#![cfg_attr(not(doctest), doc = include_str!("misuse.md"))]
