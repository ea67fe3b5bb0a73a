//! Variants of enums in place

#![forbid(unsafe_code)]
#![allow(ambiguous_associated_items)]

use std::convert::Infallible;
use std::ops::{Deref, DerefMut};

use Shape::*;
use Shape::Empty as Renamed;
use typed_pool::{Init, init, try_init};

enum Shape {
    Circle { radius: f32 },
    Empty,
    Nothing {},
    Tuple(),
}

type Alias = Shape;

// With fields, and without.
fn variants() {
    let _ = init!(Shape::Circle { radius: 1.0 });
    let _ = init!(Shape::Empty {});
    let _ = init!(Shape::Nothing {});
    let _ = init!(Shape::Tuple {});
}

// By an alias, by imports, and by the name of an associated type.
fn by_another_name() {
    let _ = init!(Alias::Empty {});
    let _ = init!(Empty {});
    let _ = init!(Renamed {});
}

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

enum Only {
    One,
}

enum Always {
    Is { value: Box<u8> },
    Never(Infallible),
}

// The only variant, and the only one with a value.
fn only_ones() {
    let _ = init!(Only::One {});
    let _ = try_init!(Always::Is { value <- init::value(Box::new(1)) } ? ());
}

struct Inner {
    radius: f32,
}

enum Derefs {
    Circle { radius: f32 },
    Other(Box<Inner>),
}

impl Deref for Derefs {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        match self {
            Self::Circle { .. } => &Inner { radius: 0.0 },
            Self::Other(inner) => inner,
        }
    }
}

impl DerefMut for Derefs {
    fn deref_mut(&mut self) -> &mut Inner {
        match self {
            Self::Circle { .. } => unreachable!(),
            Self::Other(inner) => inner,
        }
    }
}

// Of an enum that derefs to a struct with the field.
fn of_an_enum_that_derefs() {
    let _ = init!(Derefs::Circle { radius: 1.0 });
    let _ = init!(Derefs::Circle { radius <- init::value(1.0) });
}

fn main() {}
