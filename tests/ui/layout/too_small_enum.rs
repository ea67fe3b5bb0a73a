//! As `too_small`: an enum.

use typed_pool::Pooled;

#[derive(Pooled)]
enum Light {
    Red,
    Green,
}

fn main() {}
