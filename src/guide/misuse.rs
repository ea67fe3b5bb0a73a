//! What does not compile, what the compiler says to it, and what to write instead.
//!
// Made by `tests/ui/guide.rs`. Not for doctest: that each example fails, and how, is what
// `tests/ui` is for.
#![cfg_attr(not(doctest), doc = include_str!("misuse.md"))]
