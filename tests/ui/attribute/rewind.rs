//! `rewind` where it cannot be

// A pool of boxes. Fix: `strategy = roster`, or remove `rewind`.
mod of_boxes {
    use typed_pool::Pooled;

    #[derive(Pooled, Clone)]
    #[pool(rewind)]
    struct Bullet([f32; 4]);
}

// One roster for all threads. Fix: remove `static`, or keep a `Rewind` behind a lock.
mod of_all_threads {
    use typed_pool::Pooled;

    #[derive(Pooled, Clone)]
    #[pool(strategy = roster, static, rewind)]
    struct Bullet([f32; 4]);
}

// A world without a part that remembers. Fix: make one of its fields a `Rewind`.
mod of_nothing {
    use typed_pool::Rewindable;

    #[derive(Rewindable)]
    struct World {
        #[rewind(clone)]
        tick: u64,
    }
}

// A field that cannot go back. Fix: `#[rewind(clone)]` or `#[rewind(skip)]` above it.
mod of_a_number {
    use typed_pool::{Rewind, Rewindable};

    #[derive(Rewindable)]
    struct World {
        things: Rewind<u8>,
        tick: u64,
    }
}

// A word that there is not. Fix: `clone` or `skip`.
mod by_another_word {
    use typed_pool::{Rewind, Rewindable};

    #[derive(Rewindable)]
    struct World {
        things: Rewind<u8>,
        #[rewind(copy)]
        tick: u64,
    }
}

// A value that marks cannot keep. Fix: an `Arc`, or `#[rewind(skip)]`.
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

// A type that cannot be remembered. Fix: derive `Clone`.
mod without_clone {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = roster, rewind)]
    struct Unit {
        health: u32,
    }

    fn rest(unit: typed_pool::Handle<Unit>) {
        Unit::pool_get_mut(unit, |unit| unit.health += 1);
    }
}

// A guard of a rewind. Fix: `Unit::pool_with(|units| ..)`.
mod lent_by_a_guard {
    use typed_pool::{Handle, Pooled};

    #[derive(Pooled, Clone)]
    #[pool(strategy = roster, rewind)]
    struct Unit {
        health: u32,
    }

    fn rest(unit: Handle<Unit>) {
        let mut units = Unit::pool_borrow_mut();
        units.get_mut(unit).unwrap().health += 1;
    }
}

fn main() {}
