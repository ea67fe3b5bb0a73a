//! `zeroable!` where the fields are private
//!
//! Fix: write it in the module of the struct.

use typed_pool::zeroable;

mod shapes {
    pub struct Circle {
        radius: f32,
    }
}

zeroable!(shapes::Circle { radius });

fn main() {}
