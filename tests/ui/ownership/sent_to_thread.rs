//! Sent to another thread: what belongs to its own

// A box by layout that leaves its thread.
mod any_box_sent_to_thread {
    use typed_pool::any;

    pub fn main() {
        let job = any::Box::new([1, 2, 3]);
        std::thread::spawn(move || drop(job));
    }
}

// A box of an owned pool sent to another thread.
mod free_list_box_sent_to_thread {
    use typed_pool::FreeList;

    pub fn main() {
        let pool = FreeList::new();
        let bullet = pool.alloc([0.0_f32; 4]);
        std::thread::scope(|scope| {
            scope.spawn(move || drop(bullet));
        });
    }
}

// A box that keeps its pool alive.
mod kept_box_sent_to_thread {
    use std::rc::Rc;
    use std::thread;

    use typed_pool::{FreeList, PoolBoxIn};

    pub fn main() {
        let pool = Rc::new(FreeList::new());
        let bullet = PoolBoxIn::new_in([0.0_f32; 4], pool);
        thread::spawn(move || drop(bullet));
    }
}

// A `PoolRc` sent to another thread.
mod rc_sent_to_thread {
    use typed_pool::{PoolRc, Pooled};

    #[derive(Pooled)]
    #[pool(rc)]
    struct Texture([u32; 16]);

    pub fn main() {
        let grass = PoolRc::new(Texture([7; 16]));
        std::thread::spawn(move || grass.0[0]);
    }
}

// A roster sent to another thread, with elements that must stay on theirs.
mod roster_sent_to_thread {
    use std::rc::Rc;

    use typed_pool::Roster;

    struct Bullet {
        sprite: Rc<str>,
    }

    pub fn main() {
        let bullets = Roster::<Bullet>::new();
        std::thread::spawn(move || drop(bullets));
    }
}

// When one of its iterators is sent.
mod roster_iterator_sent_to_thread {
    use std::cell::Cell;

    use typed_pool::Roster;

    pub fn main() {
        let bullets = Roster::<Cell<u32>>::new();
        let hits = bullets.values();
        std::thread::scope(|scope| {
            scope.spawn(move || println!("{}", hits.len()));
        });
    }
}

// A shared pointer by layout that leaves its thread.
mod any_rc_sent_to_thread {
    use typed_pool::any;

    pub fn main() {
        let shared = any::Rc::new(7);
        std::thread::spawn(move || println!("{shared}"));
    }
}

// A reserved slot sent to another thread.
mod vacant_sent_to_thread {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    struct Bullet([f32; 4]);

    pub fn main() {
        let slot = Bullet::pool_vacant();
        std::thread::spawn(move || drop(slot));
    }
}

// A `PoolArc` of an element that is not `Sync`, sent to another thread.
mod arc_of_what_is_not_sync_sent {
    use std::cell::Cell;

    use typed_pool::{PoolArc, Pooled};

    #[derive(Pooled)]
    #[pool(static, rc)]
    struct Counter(Cell<u64>);

    pub fn main() {
        let counter = PoolArc::new(Counter(Cell::new(0)));
        std::thread::spawn(move || counter.0.set(1));
    }
}

fn main() {}
