//! Strategies that are none

// A strategy without its key.
mod strategy_as_key {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(roster)]
    struct Bullet([f32; 4]);

    pub fn main() {
        Bullet::pool_insert(Bullet([0.0; 4]));
    }
}

// By another library's word for it.
mod strategy_by_another_name {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = stack)]
    struct Bullet([f32; 4]);
}

// By what it hands out.
mod strategy_by_what_it_hands_out {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = handles)]
    struct Bullet([f32; 4]);
}

// `pointer_stack`, misspelt.
mod strategy_misspelt {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = pointerstack)]
    struct Bullet([f32; 4]);
}

// A strategy in quotes.
mod strategy_quoted {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = "free_list")]
    struct Bullet([f32; 4]);
}

// A strategy that does not exist.
mod strategy_unknown {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = freelist)]
    struct Bullet([f32; 4]);
}

// A word like none of them.
mod strategy_unlike_any {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = bitmap)]
    struct Bullet([f32; 4]);
}

// A strategy with a hyphen.
mod strategy_with_a_hyphen {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = pointer-stack)]
    struct Bullet([f32; 4]);
}

fn main() {}
