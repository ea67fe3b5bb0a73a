//! As `enum_variant`: of an enum that derefs to a struct that has the field.

#![forbid(unsafe_code)]

use std::ops::{Deref, DerefMut};
use typed_pool::init;

struct Inner {
    radius: f32,
}

enum Shape {
    Circle { radius: f32 },
    Other(Box<Inner>),
}

impl Deref for Shape {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        match self {
            Self::Circle { .. } => &Inner { radius: 0.0 },
            Self::Other(inner) => inner,
        }
    }
}

impl DerefMut for Shape {
    fn deref_mut(&mut self) -> &mut Inner {
        match self {
            Self::Circle { .. } => unreachable!(),
            Self::Other(inner) => inner,
        }
    }
}

fn main() {
    let _ = init!(Shape::Circle { radius: 1.0 });
    let _ = init!(Shape::Circle { radius <- init::value(1.0) });
}
