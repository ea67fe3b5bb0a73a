//! As `enum_variant`: by an alias, by `Self`, by an import, and by the name of an associated type.

#![forbid(unsafe_code)]
#![allow(ambiguous_associated_items)]

use Shape::*;
use Shape::Empty as Nothing;
use typed_pool::{Init, init};

enum Shape {
    Named(String),
    Empty,
}

type Alias = Shape;

trait Empties {
    type Empty;
    fn empty() -> impl Init<Shape>;
}

impl Empties for Shape {
    type Empty = Shape;
    fn empty() -> impl Init<Self> {
        init!(Self::Empty {})
    }
}

fn main() {
    let _ = init!(Alias::Empty {});
    let _ = init!(Empty {});
    let _ = init!(Nothing {});
    let _ = Named(String::new());
}
