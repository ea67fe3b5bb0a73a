//! A bullet-hell tick: bullets and monsters come and go by the thousand, most of them in the
//! middle of a loop over their kind, and each type has a pool of its own.
//!
//! ```text
//! cargo run --release --example bullets -- --ticks 600
//! ```

use core::f32::consts::TAU;

use lexopt::{Arg, Parser, ValueExt};
use typed_pool::{PoolBox, Pooled};

const TICKS_PER_SECOND: u32 = 60;
const WIDTH: f32 = 160.0;
const HEIGHT: f32 = 90.0;

/// The derive is all it takes: from here on, the type has a pool.
#[derive(Pooled)]
struct Bullet {
    x: f32,
    y: f32,
    dx: f32,
    dy: f32,
}

#[derive(Pooled)]
struct Monster {
    x: f32,
    y: f32,
    hp: u32,
}

/// A `PoolBox` is owned like a `Box`, here by a `Vec`: the pointers move when the vector changes, the
/// bullets and monsters never do.
struct Game {
    rng: fastrand::Rng,
    bullets: Vec<PoolBox<Bullet>>,
    monsters: Vec<PoolBox<Monster>>,
    kills: u32,
}

impl Bullet {
    /// An optimised build constructs the bullet in its slot; `PoolBox::new(Bullet { .. })` builds it here and
    /// moves it.
    fn fire(x: f32, y: f32, angle: f32) -> PoolBox<Self> {
        let (dy, dx) = angle.sin_cos();
        Self::pool_alloc_with(|| Self { x, y, dx, dy })
    }

    /// Moves on, and says whether it is still on the screen.
    fn fly(&mut self) -> bool {
        self.x += self.dx;
        self.y += self.dy;
        (0.0..WIDTH).contains(&self.x) && (0.0..HEIGHT).contains(&self.y)
    }

    fn touches(&self, monster: &Monster) -> bool {
        (self.x - monster.x).hypot(self.y - monster.y) < 2.0
    }
}

impl Game {
    fn tick(&mut self, tick: u32) {
        self.spawn(tick);
        self.fly();
        self.hit();
    }

    fn spawn(&mut self, tick: u32) {
        for _ in 0..3 {
            let (x, y) = (self.rng.f32() * WIDTH, self.rng.f32() * HEIGHT / 2.0);
            self.monsters.push(PoolBox::new(Monster { x, y, hp: 5 }));
        }
        for arm in 0..7 {
            let angle = tick as f32 / 20.0 + arm as f32 * TAU / 7.0;
            self.bullets.push(Bullet::fire(WIDTH / 2.0, HEIGHT * 0.8, angle));
        }
    }

    /// What `retain_mut` removes is dropped at once, and its slot is free.
    fn fly(&mut self) {
        self.bullets.retain_mut(|bullet| bullet.fly());
        self.monsters.retain_mut(|monster| {
            monster.y += 0.1;
            monster.y < HEIGHT
        });
    }

    fn hit(&mut self) {
        let Self { bullets, monsters, kills, .. } = self;
        monsters.retain_mut(|monster| {
            while let Some(hit) = bullets.iter().position(|bullet| bullet.touches(monster)) {
                bullets.swap_remove(hit);
                monster.hp -= 1;
                if monster.hp == 0 {
                    *kills += 1;
                    // A kill allocates in the middle of the loop: the first shard takes the slot
                    // of the bullet that hit, and any shard may hit the next monster.
                    let shards = (0..8).map(|shard| shard as f32 * TAU / 8.0);
                    bullets.extend(shards.map(|angle| Bullet::fire(monster.x, monster.y, angle)));
                    return false;
                }
            }
            true
        });
    }
}

fn main() {
    let ticks = parse_ticks().unwrap_or_else(|error| {
        eprintln!("bullets: {error}\nusage: bullets [--ticks N]");
        std::process::exit(2);
    });
    // A fixed seed: the same game every time.
    let rng = fastrand::Rng::with_seed(1);
    let mut game = Game { rng, bullets: Vec::new(), monsters: Vec::new(), kills: 0 };
    // Memory for the whole game up front, so that no tick waits for the heap.
    Bullet::pool_reserve(2_000);
    Monster::pool_reserve(300);

    println!("second  bullets  monsters  kills");
    for tick in 1..=ticks {
        game.tick(tick);
        if tick % TICKS_PER_SECOND == 0 {
            let Game { bullets, monsters, kills, .. } = &game;
            let second = tick / TICKS_PER_SECOND;
            println!("{second:>6}  {:>7}  {:>8}  {kills:>5}", bullets.len(), monsters.len());
        }
    }
    println!("{}\n{}", Bullet::pool_stats(), Monster::pool_stats());
    // Whatever is still alive without a game has leaked.
    drop(game);
    assert_eq!([Bullet::pool_stats().live, Monster::pool_stats().live], [0, 0]);
}

fn parse_ticks() -> Result<u32, lexopt::Error> {
    let mut ticks = 10 * TICKS_PER_SECOND;
    let mut parser = Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("ticks") => ticks = parser.value()?.parse()?,
            unknown => return Err(unknown.unexpected()),
        }
    }
    Ok(ticks)
}
