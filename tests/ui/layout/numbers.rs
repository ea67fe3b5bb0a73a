//! Numbers of slots that cannot be, by constants

// More slots than the address space has room for.
mod capacity_over_address_space {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = usize::MAX / 8)]
    struct Bullet([f32; 4]);
}

// With elements that would fit, but not the pointers to them.
mod capacity_of_small_elements {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = pointer_stack, capacity = usize::MAX / 4)]
    struct Spark(u8);
}

// In the limit.
mod max_over_address_space {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(max = usize::MAX)]
    struct Bullet([f32; 4]);
}

// A pool of no slots, by a constant.
mod capacity_zero {
    use typed_pool::Pooled;

    const LIMIT: usize = 0;

    #[derive(Pooled)]
    #[pool(capacity = LIMIT)]
    struct Bullet([f32; 4]);
}

// In the first chunk.
mod chunk_zero {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(chunk = 64 - 64)]
    struct Bullet([f32; 4]);
}

// A first chunk over the limit, by constants.
mod chunk_over_max {
    use typed_pool::Pooled;

    const LIMIT: usize = 64;

    #[derive(Pooled)]
    #[pool(chunk = 2 * LIMIT, max = LIMIT)]
    struct Bullet([f32; 4]);
}

fn main() {}
