//! Variants of enums in place

#![forbid(unsafe_code)]
#![allow(ambiguous_associated_items)]

// A variant of an enum in place.
mod enum_variant {
    use typed_pool::init;

    enum Shape {
        Circle { radius: f32 },
    }

    pub fn main() {
        let _ = init!(Shape::Circle { radius: 1.0 });
    }
}

// The only variant with a value.
mod enum_variant_beside_uninhabited_ones {
    use std::convert::Infallible;
    use typed_pool::{init, try_init};

    enum Always {
        Is { value: Box<u8> },
        Never(Infallible),
    }

    pub fn main() {
        let _ = try_init!(Always::Is { value <- init::value(Box::new(1)) } ? ());
        let _ = Always::Never;
    }
}

// By an alias, by `Self`, by an import, and by the name of an associated type.
mod enum_variant_by_another_name {
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

    pub fn main() {
        let _ = init!(Alias::Empty {});
        let _ = init!(Empty {});
        let _ = init!(Nothing {});
        let _ = Named(String::new());
    }
}

// A variant of an enum that derefs to a struct with the field.
mod enum_variant_of_an_enum_that_derefs {
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

    pub fn main() {
        let _ = init!(Shape::Circle { radius: 1.0 });
        let _ = init!(Shape::Circle { radius <- init::value(1.0) });
    }
}

// One without fields.
mod enum_variant_without_fields {
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

    pub fn main() {
        let _ = init!(Shape::Empty {});
        let _ = init!(Shape::Nothing {});
        let _ = init!(Shape::Tuple {});
        let _ = init!(One::Only {});
        let _ = Shape::Named(String::new());
    }
}

fn main() {}
