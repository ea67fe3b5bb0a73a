//! Keys that are none, or are given twice

// A key that does not exist.
mod unknown_key {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(capcity = 64)]
    struct Bullet([f32; 4]);
}

// A key like none that exists.
mod unknown_key_like_no_other {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(colour = 64)]
    struct Bullet([f32; 4]);
}

// By the word that others have for it.
mod unknown_key_of_another_library {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(thread_safe, limit = 64, size = 64, handles)]
    struct Bullet([f32; 4]);
}

// `arc` for `rc`.
mod rc_misspelt {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(static, arc)]
    struct Squad(u64);
}

// `rc` a second time.
mod rc_twice {
    use typed_pool::{PoolRc, Pooled};

    #[derive(Pooled)]
    #[pool(rc, rc)]
    struct Squad(u64);

    pub fn main() {
        drop(PoolRc::new(Squad(1)));
    }
}

// A key given twice.
mod duplicate_key {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(chunk = 64, chunk = 128)]
    struct Bullet([f32; 4]);
}

// A path to the library in quotes.
mod crate_quoted {
    use typed_pool::Pooled;

    mod engine {
        pub use typed_pool as pools;
    }

    #[derive(Pooled)]
    #[pool(crate = "engine::pools")]
    struct Bullet([f32; 4]);
}

// A library that is not a path.
mod crate_not_a_path {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(crate = 64)]
    struct Bullet([f32; 4]);
}

fn main() {}
