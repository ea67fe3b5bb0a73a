//! References that are kept longer than the owner

// A box that outlives its owned pool.
mod box_outlives_free_list {
    use typed_pool::FreeList;

    pub fn main() {
        let bullet = {
            let pool = FreeList::new();
            pool.alloc([0.0_f32; 4])
        };
        println!("{}", bullet[0]);
    }
}

// An element that borrows from something dropped before its box.
mod element_borrows_longer_than_free_list_box {
    use typed_pool::FreeList;

    pub fn main() {
        let pool = FreeList::new();
        let name = String::from("bullet");
        let element = pool.alloc(&name);
        drop(name);
        println!("{}", *element);
    }
}

// An element that borrows from something dropped before a box that keeps its pool alive.
mod element_borrows_longer_than_kept_box {
    use std::rc::Rc;

    use typed_pool::{FreeList, PoolBoxIn};

    pub fn main() {
        let pool = Rc::new(FreeList::new());
        let kept = {
            let name = String::from("Grendel");
            PoolBoxIn::new_in(name.as_str(), pool.clone())
        };
        println!("{kept}");
    }
}

// An element that borrows from something dropped before its roster.
mod element_borrows_longer_than_roster {
    use typed_pool::Roster;

    struct Bullet<'a>(&'a str);

    impl Drop for Bullet<'_> {
        fn drop(&mut self) {
            println!("{}", self.0);
        }
    }

    pub fn main() {
        let mut bullets = Roster::new();
        let name = String::from("bullet");
        bullets.insert(Bullet(&name));
    }
}

// A reference kept after the free.
mod reference_outlives_box {
    use typed_pool::Pooled;

    #[derive(Pooled, Default)]
    struct Bullet([f32; 4]);

    pub fn main() {
        let bullet = Bullet::pool_alloc();
        let x = &bullet.0[0];
        Bullet::pool_free(bullet);
        println!("{x}");
    }
}

// A reference to a shared element kept longer than its owner.
mod reference_outlives_rc {
    use typed_pool::{PoolRc, Pooled};

    #[derive(Pooled)]
    #[pool(rc)]
    struct Texture([u32; 16]);

    pub fn main() {
        let grass = PoolRc::new(Texture([7; 16]));
        let texels = &grass.0;
        drop(grass);
        assert_eq!(texels[0], 7);
    }
}

// A reference to an element, kept after `pool_get`.
mod reference_outlives_pool_get {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Monster {
        health: i32,
    }

    pub fn main() {
        let goblin = Monster::pool_insert(Monster { health: 15 });
        let _kept: Option<&Monster> = Monster::pool_get(goblin, |goblin| goblin);
    }
}

fn main() {}
