//! As `enum_variant`: one without fields.

#![forbid(unsafe_code)]

use typed_pool::init;

enum Shape {
    Named(String),
    Empty,
    Nothing {},
    Tuple(),
}

enum One {
    Only,
}

fn main() {
    let _ = init!(Shape::Empty {});
    let _ = init!(Shape::Nothing {});
    let _ = init!(Shape::Tuple {});
    let _ = init!(One::Only {});
    let _ = Shape::Named(String::new());
}
