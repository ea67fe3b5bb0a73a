//! As `not_derived`: named in many places (each is an error, and one derive mends them all).

use typed_pool::PoolBox;

struct Bullet {
    speed: f64,
}

struct Gun {
    loaded: Vec<PoolBox<Bullet>>,
}

fn fire(gun: &mut Gun) -> Option<PoolBox<Bullet>> {
    gun.loaded.pop()
}

fn main() {
    let mut gun = Gun { loaded: Vec::new() };
    gun.loaded.push(PoolBox::new(Bullet { speed: 1.0 }));
    let bullet = PoolBox::new(Bullet { speed: (*gun.loaded[0]).speed });
    drop(bullet);
    drop(fire(&mut gun));
}
