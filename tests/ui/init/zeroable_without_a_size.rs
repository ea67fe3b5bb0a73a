//! `derive(Zeroable)` on what has no size, or would have an infinite one

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
