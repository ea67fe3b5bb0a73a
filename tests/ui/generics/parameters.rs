//! Types with parameters, whose instances are not listed

// A generic type without instances. Fix: list the instances that have a pool: `#[pool(instances(Node<f32>))]`.
// Where they cannot be known, as in a library, remove the derive, and use `any::Box<Node<T>>`.
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

// A type with a lifetime. Fix: own the data (`String` for `&str`), write `&'static str`, or keep the elements in
// a `FreeList` of your own, which may hold borrows.
mod lifetime {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    struct Token<'a> {
        text: &'a str,
    }
}

fn main() {}
