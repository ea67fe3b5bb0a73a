//! Elements without size in a static pool

// An element without size in a static pool.
mod zero_sized {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(static, strategy = free_list, capacity = 64)]
    struct Marker;
}

fn main() {}
