//! `rewind` where it cannot be

// A type's own roster that goes back.
mod of_a_type {
    use typed_pool::Pooled;

    #[derive(Pooled, Clone)]
    #[pool(strategy = roster, rewind)]
    struct Bullet([f32; 4]);

    fn shoot() {
        Bullet::pool_insert(Bullet([0.0; 4]));
    }
}

// A world without a part that remembers.
mod of_nothing {
    use typed_pool::Rewindable;

    #[derive(Rewindable)]
    struct World {
        #[rewind(clone)]
        tick: u64,
    }
}

// A field that cannot go back.
mod of_a_number {
    use typed_pool::{Rewind, Rewindable};

    #[derive(Rewindable)]
    struct World {
        things: Rewind<u8>,
        tick: u64,
    }
}

// A word that there is not.
mod by_another_word {
    use typed_pool::{Rewind, Rewindable};

    #[derive(Rewindable)]
    struct World {
        things: Rewind<u8>,
        #[rewind(copy)]
        tick: u64,
    }
}

// A value that marks cannot keep.
mod of_an_rc {
    use std::rc::Rc;

    use typed_pool::{Rewind, Rewindable};

    #[derive(Rewindable)]
    struct World {
        things: Rewind<u8>,
        #[rewind(clone)]
        settings: Rc<u64>,
    }
}

// As a strategy.
mod as_a_strategy {
    use typed_pool::Pooled;

    #[derive(Pooled, Clone)]
    #[pool(strategy = rewind)]
    struct Bullet([f32; 4]);
}

fn main() {}
