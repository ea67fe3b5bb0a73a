//! As `on_field`: on a variant, and on a field of one.

use typed_pool::Pooled;

#[derive(Pooled)]
enum Shape {
    #[pool(pad)]
    Circle([f32; 3]),
    Square(#[pool(pad)] [f32; 4]),
}

fn main() {}
