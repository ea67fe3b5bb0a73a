//! Types without a fixed size

// A type without a fixed size.
mod text {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    struct Message {
        id: u64,
        text: str,
    }
}

// A trait object.
mod trait_object {
    use typed_pool::Pooled;

    trait Shape {}

    #[derive(Pooled)]
    struct Entity {
        id: u64,
        shape: dyn Shape,
    }
}

fn main() {}
