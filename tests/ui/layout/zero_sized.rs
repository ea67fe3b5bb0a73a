//! Types without size

// A type without size.
mod zero_sized {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    struct Marker;
}

// In a pointer stack, where `pad` would not help.
mod zero_sized_in_pointer_stack {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = pointer_stack)]
    struct Marker;
}

// A shared element without a size.
mod zero_sized_rc {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(rc)]
    struct Marker;
}

fn main() {}
