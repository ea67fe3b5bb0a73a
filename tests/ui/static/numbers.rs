//! Numbers of slots that a static pool, or a roster, cannot have

// More than any memory has room for.
mod capacity_over_address_space {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(static, capacity = 1 << 60)]
    struct Bullet([f32; 4]);
}

// More slots than a static pool can have.
mod capacity_over_index_range {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(static, capacity = 1 << 32)]
    struct Spark(u8);
}

// A static pool of no slots.
mod capacity_zero {
    use typed_pool::Pooled;

    const NONE: usize = 0;

    #[derive(Pooled)]
    #[pool(static, capacity = NONE)]
    struct Bullet([f32; 4]);
}

// More slots than a handle can number.
mod max_over_index_range_of_a_roster {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = roster, max = 1 << 32)]
    struct Monster {
        health: i32,
    }
}

fn main() {}
