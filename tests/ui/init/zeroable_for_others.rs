//! `#[derive(Zeroable)]` on what is no struct

use typed_pool::Zeroable;

#[derive(Zeroable)]
enum Direction {
    Left,
    Right,
}

#[derive(Zeroable)]
union Either {
    number: u32,
    text: &'static str,
}

fn main() {}
