//! Numbers that are none, or cannot be

// A boolean for a number. Fix: write the number of slots: `capacity = 64`.
mod number_bool {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = true)]
    struct Bullet([f32; 4]);
}

// A number with a fraction. Fix: write a whole number of slots: `capacity = 64`.
mod number_float {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = 64.0)]
    struct Bullet([f32; 4]);
}

// A negative number. Fix: write 1 or more.
mod number_negative {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = -64)]
    struct Bullet([f32; 4]);
}

// A number in quotes. Fix: write it without: `capacity = 64`.
mod number_string {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = "64")]
    struct Bullet([f32; 4]);
}

// A number with the suffix of another type. Fix: write `64`, or `64usize`.
mod number_suffix {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = 64u8)]
    struct Bullet([f32; 4]);
}

// A number beyond `usize`. Fix: write fewer slots; or leave the key out, and the pool grows as it needs to.
mod number_too_large {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = 0x1_0000_0000_0000_0000)]
    struct Bullet([f32; 4]);
}

// A pool of no slots. Fix: write 1 or more; or leave the key out, and the pool grows as it needs to.
mod number_zero {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = 0)]
    struct Bullet([f32; 4]);
}

// A value in parentheses. Fix: write `capacity = 64`.
mod value_in_parentheses {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity(64))]
    struct Bullet([f32; 4]);
}

// A tag that is none. Fix: write a number from 0 to 255.
mod tag_too_large {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = roster, tag = 256)]
    struct Monster(u64);
}

fn main() {}
