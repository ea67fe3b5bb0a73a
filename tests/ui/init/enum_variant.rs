//! A variant of an enum in place
//!
//! Fix: build it as a value, `init::with(|| Shape::Circle { radius: 1.0 })`.

use typed_pool::init;

enum Shape {
    Circle { radius: f32 },
}

fn main() {
    let _ = init!(Shape::Circle { radius: 1.0 });
}
