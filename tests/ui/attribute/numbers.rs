//! Numbers that are none, or cannot be

// A boolean for a number.
mod number_bool {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = true)]
    struct Bullet([f32; 4]);
}

// A number with a fraction.
mod number_float {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = 64.0)]
    struct Bullet([f32; 4]);
}

// A negative number.
mod number_negative {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = -64)]
    struct Bullet([f32; 4]);
}

// A number in quotes.
mod number_string {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = "64")]
    struct Bullet([f32; 4]);
}

// A number with the suffix of another type.
mod number_suffix {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = 64u8)]
    struct Bullet([f32; 4]);
}

// A number beyond `usize`.
mod number_too_large {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = 0x1_0000_0000_0000_0000)]
    struct Bullet([f32; 4]);
}

// A pool of no slots.
mod number_zero {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = 0)]
    struct Bullet([f32; 4]);
}

// A value in parentheses.
mod value_in_parentheses {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity(64))]
    struct Bullet([f32; 4]);
}

// A tag that is none.
mod tag_too_large {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = roster, tag = 256)]
    struct Monster(u64);
}

fn main() {}
