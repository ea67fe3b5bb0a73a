//! `#[derive(Zeroable)]` on an enum
//!
//! Fix: store a number, and convert it to the enum where it is used.

use typed_pool::Zeroable;

#[derive(Zeroable)]
enum Direction {
    Left,
    Right,
}

fn main() {
    let _ = (Direction::Left, Direction::Right);
}
