//! Keys that do not go together

// A first chunk for a pool that never grows.
mod capacity_with_chunk {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capacity = 64, chunk = 16)]
    struct Bullet([f32; 4]);
}

// With `max` as well.
mod capacity_with_chunk_and_max {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(chunk = 16, max = 64, capacity = 64)]
    struct Bullet([f32; 4]);
}

// A first chunk over the limit.
mod chunk_over_max {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(chunk = 128, max = 64)]
    struct Bullet([f32; 4]);
}

// `pad` where nothing needs padding.
mod pad_with_pointer_stack {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = pointer_stack, pad)]
    struct Spark(u8);
}

// `pad` with `static`, which implies a pointer stack.
mod pad_with_static {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(static, pad)]
    struct Spark(u8);
}

// `pad` where slots have room for a link already.
mod pad_with_rc {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(pad, rc)]
    struct Spark(u8);
}

// `pad` with a strategy that does not need it.
mod pad {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = roster, pad)]
    struct Spark(u8);
}

// `rc` on a roster.
mod r#rc {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = roster, rc)]
    struct Monster(u64);

    pub fn main() {
        drop(Monster::pool_insert(Monster(40)));
    }
}

// `pad` in a static pool with a capacity.
mod pad_in_a_static_pool {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(static, strategy = free_list, capacity = 64, pad)]
    struct Spark(u8);
}

// `static` and `thread_local`.
mod with_thread_local {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(static, thread_local, capacity = 64)]
    struct Bullet([f32; 4]);
}

// A tag for a pool without handles.
mod tag_of_boxes {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(tag = 7)]
    struct Bullet([f32; 4]);
}

fn main() {}
