//! Shared between threads: what belongs to one

// A box shared between threads.
mod box_shared_between_threads {
    use typed_pool::Pooled;

    #[derive(Pooled, Default)]
    struct Bullet([f32; 4]);

    pub fn main() {
        let bullet = Bullet::pool_alloc();
        std::thread::scope(|scope| {
            scope.spawn(|| println!("{}", bullet.0[0]));
        });
    }
}

// An owned pool shared between threads.
mod free_list_shared_between_threads {
    use typed_pool::FreeList;

    pub fn main() {
        let pool = FreeList::new();
        std::thread::scope(|scope| {
            scope.spawn(|| drop(pool.alloc([0.0_f32; 4])));
            scope.spawn(|| drop(pool.alloc([0.0_f32; 4])));
        });
    }
}

// A box that keeps its pool alive.
mod box_with_its_pool_shared_between_threads {
    use std::rc::Rc;

    use typed_pool::{FreeList, PoolBoxIn};

    pub fn main() {
        let boxed = PoolBoxIn::new_in(5_u64, Rc::new(FreeList::new()));
        std::thread::scope(|scope| {
            scope.spawn(|| println!("{boxed}"));
        });
    }
}

// A `PoolRc` used by two threads.
mod rc_shared_between_threads {
    use typed_pool::{PoolRc, Pooled};

    #[derive(Pooled)]
    #[pool(static, rc)]
    struct Texture([u32; 16]);

    pub fn main() {
        let grass = PoolRc::new(Texture([7; 16]));
        std::thread::scope(|scope| {
            scope.spawn(|| PoolRc::clone(&grass).0[0]);
        });
    }
}

// A roster shared between threads, with elements that must not be.
mod roster_shared_between_threads {
    use std::cell::Cell;

    use typed_pool::Roster;

    struct Bullet {
        hits: Cell<u32>,
    }

    pub fn main() {
        let bullets = Roster::<Bullet>::new();
        std::thread::scope(|scope| {
            scope.spawn(|| println!("{}", bullets.len()));
        });
    }
}

// A box shared between threads, of an element that is not `Sync`.
mod box_of_what_is_not_sync_shared {
    use std::cell::Cell;

    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(static, capacity = 64)]
    struct Counter(Cell<u32>);

    pub fn main() {
        let counter = Counter::pool_alloc_with(|| Counter(Cell::new(0)));
        std::thread::scope(|scope| {
            scope.spawn(|| counter.0.set(1));
        });
    }
}

fn main() {}
