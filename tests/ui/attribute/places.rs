//! The attribute in another place, or in another form

// A string for the whole attribute.
mod name_value {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool = "capacity"]
    struct Bullet([f32; 4]);
}

// An attribute without keys.
mod no_list {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool]
    struct Bullet([f32; 4]);
}

// The attribute on a field.
mod on_field {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    struct Bullet {
        #[pool(pad)]
        position: [f32; 4],
    }
}

// On a variant, and on a field of one.
mod on_variant {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    enum Shape {
        #[pool(pad)]
        Circle([f32; 3]),
        Square(#[pool(pad)] [f32; 4]),
    }
}

// Above the derive.
mod above_the_derive {
    use typed_pool::Pooled;

    #[pool(pad)]
    #[derive(Pooled)]
    struct Bullet([f32; 4]);
}

fn main() {}
