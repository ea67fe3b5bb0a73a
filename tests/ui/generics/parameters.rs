//! Types with parameters, whose instances are not listed

// A generic type without instances.
mod type_parameter {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    struct Node<T> {
        bounds: [T; 4],
    }
}

// With a constant parameter.
mod const_parameter {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    struct Grid<const N: usize> {
        cells: [u64; N],
    }
}

// A type with a lifetime.
mod lifetime {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    struct Token<'a> {
        text: &'a str,
    }
}

fn main() {}
