//! As `enum_variant`: the enum itself.

use typed_pool::init;

enum Shape {
    Empty,
}

impl Shape {
    fn empty() {
        let _ = init!(Self {});
    }
}

fn main() {
    let _ = init!(Shape {});
    let _ = (Shape::empty(), Shape::Empty);
}
