//! Names that are none

// An empty name. Fix: write a name; or leave the key out, and the pool is named after its type.
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

// A name without quotes. Fix: write a string: `name = "bullets"`.
mod name_unquoted {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(name = bullets)]
    struct Bullet([f32; 4]);
}

fn main() {}
