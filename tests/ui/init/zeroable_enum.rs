//! `#[derive(Zeroable)]` on an enum
//!
//! Fix: hold a number, and make the enum of it where it is used.

use typed_pool::Zeroable;

#[derive(Zeroable)]
enum Direction {
    Left,
    Right,
}

fn main() {
    let _ = (Direction::Left, Direction::Right);
}
