//! Names that are none

// An empty name.
mod name_empty {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(name = "")]
    struct Bullet([f32; 4]);
}

// A name left out.
mod name_missing {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(name)]
    struct Bullet([f32; 4]);
}

// A name without quotes.
mod name_unquoted {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(name = bullets)]
    struct Bullet([f32; 4]);
}

fn main() {}
