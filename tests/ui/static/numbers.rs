//! Numbers of slots that a static pool, or a roster, cannot have

// More than any memory has room for.
mod capacity_over_address_space {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(static, capacity = 1 << 60)]
    struct Bullet([f32; 4]);
}

// More slots than a static pool can have. Fix: write 4294967295 or less (65535 or less on a target that compares
// and swaps 32 bits).
mod capacity_over_index_range {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(static, capacity = 1 << 32)]
    struct Spark(u8);
}

// A static pool of no slots. Fix: write 1 or more.
mod capacity_zero {
    use typed_pool::Pooled;

    const NONE: usize = 0;

    #[derive(Pooled)]
    #[pool(static, capacity = NONE)]
    struct Bullet([f32; 4]);
}

// More slots than a handle can number. Fix: write `u32::MAX` or less: a handle has 32 bits for its slot's
// number.
mod max_over_index_range_of_a_roster {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = roster, max = 1 << 32)]
    struct Monster {
        health: i32,
    }
}

fn main() {}
