//! `derive(Zeroable)` on what has no size, or would have an infinite one
//!
//! Fix: use an array, or `Option<Box<..>>`.

#![allow(dead_code)]

use typed_pool::Zeroable;

#[derive(Zeroable)]
struct Text {
    hash: u64,
    bytes: [u8],
}

#[derive(Zeroable)]
struct Node {
    value: u64,
    next: Node,
}

fn main() {}
