//! References that are kept longer than the owner

use std::rc::Rc;

use typed_pool::{FreeList, PoolBox, PoolBoxIn, PoolRc, Pooled, Roster};

#[derive(Pooled)]
#[pool(rc)]
struct Texture([u32; 16]);

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Monster {
    health: i32,
}

struct Named<'a>(&'a str);

impl Drop for Named<'_> {
    fn drop(&mut self) {
        println!("{}", self.0);
    }
}

// A box that outlives its owned pool.
fn box_outlives_free_list() {
    let bullet = {
        let pool = FreeList::new();
        pool.alloc([0.0_f32; 4])
    };
    println!("{}", bullet[0]);
}

// An element that borrows from something dropped before its box.
fn element_borrows_longer_than_free_list_box() {
    let pool = FreeList::new();
    let name = String::from("bullet");
    let element = pool.alloc(&name);
    drop(name);
    println!("{}", *element);
}

// An element that borrows from something dropped before a box that keeps its pool alive.
fn element_borrows_longer_than_kept_box() {
    let pool = Rc::new(FreeList::new());
    let kept = {
        let name = String::from("Grendel");
        PoolBoxIn::new_in(name.as_str(), pool.clone())
    };
    println!("{kept}");
}

// An element that borrows from something dropped before its roster.
fn element_borrows_longer_than_roster() {
    let mut bullets = Roster::new();
    let name = String::from("bullet");
    bullets.insert(Named(&name));
}

// A reference kept after the free.
fn reference_outlives_box(grass: PoolBox<Texture>) {
    let texels = &grass.0;
    Texture::pool_free(grass);
    println!("{}", texels[0]);
}

// A reference to a shared element kept longer than its owner.
fn reference_outlives_rc(grass: PoolRc<Texture>) {
    let texels = &grass.0;
    drop(grass);
    println!("{}", texels[0]);
}

// A reference to an element, kept after `pool_get`.
fn reference_outlives_pool_get() {
    let goblin = Monster::pool_insert(Monster { health: 15 });
    let _kept: Option<&Monster> = Monster::pool_get(goblin, |goblin| goblin);
}

fn main() {}
