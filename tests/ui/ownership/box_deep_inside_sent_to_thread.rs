//! As `box_sent_to_thread`: deep inside a structure, where other types have static pools.

use std::collections::HashMap;
use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
struct Bullet([f32; 4]);

#[derive(Pooled)]
#[pool(static)]
struct Rocket([f32; 4]);

#[derive(Pooled)]
#[pool(static, capacity = 4)]
struct Bomb([f32; 4]);

enum Shot {
    Bullet(PoolBox<Bullet>),
    Rocket(PoolBox<Rocket>),
    Bomb(PoolBox<Bomb>),
}

struct Gun {
    loaded: Vec<Option<Shot>>,
}

struct World {
    guns: HashMap<u32, Gun>,
}

fn main() {
    let world = World { guns: HashMap::new() };
    std::thread::spawn(move || world.guns.len());
}
