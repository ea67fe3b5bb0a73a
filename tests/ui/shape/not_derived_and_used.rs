//! As `not_derived`: used by its methods, in a loop (the compiler does not find them then).

use typed_pool::PoolBox;

struct Bullet {
    speed: f64,
}

impl Bullet {
    fn fly(&mut self) {
        self.speed += 1.0;
    }
}

fn main() {
    let mut bullets: Vec<_> = (0..10).map(|_| PoolBox::new(Bullet { speed: 1.0 })).collect();
    for bullet in &mut bullets {
        bullet.fly();
    }
}
