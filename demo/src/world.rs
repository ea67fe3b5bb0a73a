//! The rules: flowers fire bullets, a ship fires back, and what is hit bursts into sparks.
//!
//! Nothing here knows a window, or where memory comes from, so both kinds of memory play the same game to the bit.

use typed_pool::Pooled;

use crate::clock::Clock;
use crate::memory::Memory;
use crate::tree::{Area, Tree};

pub const SIZE: Point = [936.0, 800.0];
/// The flowers stop firing when there are this many.
pub const BULLETS: usize = 10_000;
const FLOWERS: usize = 5;
pub const SHIELD: f32 = 46.0;

pub type Point = [f32; 2];

pub const AREA: Area = Area { low: [0.0; 2], high: SIZE };

/// One that a flower fired, or the ship.
#[derive(Clone, Copy, Pooled)]
#[pool(name = "bullets")]
pub struct Bullet {
    pub at: Point,
    pub speed: Point,
    /// The flower, or [`SHIP`].
    pub owner: u32,
    pub is_hit: bool,
}

pub const SHIP: u32 = FLOWERS as u32;

/// The short-lived remains of a bullet.
#[derive(Clone, Copy, Pooled)]
#[pool(name = "sparks")]
pub struct Spark {
    pub at: Point,
    pub speed: Point,
    pub owner: u32,
    /// From 1 down to 0.
    pub heat: f32,
}

/// Goes round, and turns while it fires.
#[derive(Clone, Copy)]
pub struct Flower {
    pub at: Point,
    place: Point,
    aim: Point,
    turn: Point,
}

/// All fields of a world that are no objects.
pub type Rest = ([Flower; FLOWERS], Point, f32, u64, u32, u64);

/// Seconds of each part of a step.
#[derive(Clone, Copy, Default)]
pub struct Times {
    pub teardown: f64,
    pub moves: f64,
    pub build: f64,
    pub queries: f64,
}

pub struct World<M: Memory> {
    pub bullets: Vec<M::Bullet>,
    pub shots: Vec<M::Bullet>,
    pub sparks: Vec<M::Spark>,
    /// A tree of the present bullets. The picture uses it too, so it is dropped in the next step.
    pub tree: Option<Tree<M>>,
    pub flowers: [Flower; FLOWERS],
    pub ship: Point,
    /// How brightly the ship's shield glows.
    pub shield: f32,
    pub hits: u64,
    pub frame: u32,
    random: u64,
}

impl<M: Memory> World<M> {
    pub fn new() -> Self {
        let mut place = [1.0, 0.0];
        let flowers = [(); FLOWERS].map(|()| {
            // A fifth of a turn.
            place = turned(place, [0.309_017, 0.951_056_5]);
            let turn = if place[0] < 0.0 { [0.999_2, -0.04] } else { [0.999_5, 0.031_6] };
            Flower { at: place, place, aim: place, turn }
        });
        Self {
            bullets: Vec::new(),
            shots: Vec::new(),
            sparks: Vec::new(),
            tree: None,
            flowers,
            ship: [SIZE[0] / 2.0, SIZE[1] * 0.75],
            shield: 0.0,
            hits: 0,
            frame: 0,
            random: 1,
        }
    }

    /// The same world in another kind of memory.
    pub fn moved<N: Memory>(self) -> World<N> {
        let Self { flowers, ship, shield, hits, frame, random, .. } = self;
        World {
            bullets: self.bullets.into_iter().map(|bullet| N::bullet(*bullet)).collect(),
            shots: self.shots.into_iter().map(|shot| N::bullet(*shot)).collect(),
            sparks: self.sparks.into_iter().map(|spark| N::spark(*spark)).collect(),
            tree: None,
            flowers,
            ship,
            shield,
            hits,
            frame,
            random,
        }
    }

    pub fn rest(&self) -> Rest {
        (self.flowers, self.ship, self.shield, self.hits, self.frame, self.random)
    }

    pub fn set_rest(&mut self, rest: Rest) {
        (self.flowers, self.ship, self.shield, self.hits, self.frame, self.random) = rest;
    }

    /// A sixtieth of a second. The ship flies to the goal, or by itself.
    pub fn step(&mut self, goal: Option<Point>) -> Times {
        let mut clock = Clock::start();
        self.tree = None;
        let teardown = clock.lap();
        self.frame += 1;
        self.steer(goal);
        self.bloom();
        self.fly();
        let moves = clock.lap();
        let tree = Tree::build(AREA, &self.bullets);
        let build = clock.lap();
        self.hit(&tree);
        self.tree = Some(tree);
        Times { teardown, moves, build, queries: clock.lap() }
    }

    fn steer(&mut self, goal: Option<Point>) {
        let phase = (self.frame % 720) as f32 / 720.0;
        // Back and forth without a sine, which differs between platforms.
        let wave = |phase: f32| 1.0 - (2.0 * phase.fract() - 1.0).abs();
        let smooth = |x: f32| x * x * (3.0 - 2.0 * x);
        let by_itself =
            [0.2 + 0.6 * smooth(wave(phase)), 0.35 + 0.5 * smooth(wave(3.0 * phase + 0.25))];
        let goal = goal.unwrap_or([by_itself[0] * SIZE[0], by_itself[1] * SIZE[1]]);
        for (at, goal) in self.ship.iter_mut().zip(goal) {
            *at += (goal - *at) * 0.12;
        }
    }

    /// Flowers turn, and fire until there are enough bullets. The ship fires all round.
    fn bloom(&mut self) {
        for flower in &mut self.flowers {
            flower.place = turned(flower.place, [0.999_99, 0.004]);
            flower.aim = turned(flower.aim, flower.turn);
            let [x, y] = flower.place;
            flower.at = [0.5 * SIZE[0] + 300.0 * x, 0.46 * SIZE[1] + 250.0 * y];
        }
        for petal in 0..12 {
            for flower in 0..FLOWERS {
                // Not always the same ones first, since there may be enough before the last.
                let owner = (flower + self.frame as usize) % FLOWERS;
                let flower = &mut self.flowers[owner];
                // A twelfth of a turn.
                flower.aim = turned(flower.aim, [0.866_025_4, 0.5]);
                let Flower { at, aim, .. } = *flower;
                if self.bullets.len() < BULLETS {
                    let pace = if petal % 2 == 0 { 1.5 } else { 1.1 } + 0.15 * self.random();
                    let speed = aim.map(|part| part * pace);
                    let bullet = Bullet { at, speed, owner: owner as u32, is_hit: false };
                    self.bullets.push(M::bullet(bullet));
                }
            }
        }
        let mut aim = self.flowers[0].aim;
        for _ in 0..6 {
            aim = turned(aim, [0.5, 0.866_025_4]);
            let speed = aim.map(|part| part * 7.0);
            self.shots.push(M::bullet(Bullet { at: self.ship, speed, owner: SHIP, is_hit: false }));
        }
    }

    /// Everything moves. What leaves the picture is dropped, and its slot is vacant.
    fn fly(&mut self) {
        let is_inside = |at: Point| (0..2).all(|axis| (0.0..SIZE[axis]).contains(&at[axis]));
        for bullets in [&mut self.bullets, &mut self.shots] {
            bullets.retain_mut(|bullet| {
                bullet.at = plus(bullet.at, bullet.speed);
                !bullet.is_hit && is_inside(bullet.at)
            });
        }
        self.sparks.retain_mut(|spark| {
            spark.at = plus(spark.at, spark.speed);
            spark.speed = spark.speed.map(|part| part * 0.95);
            spark.heat -= 0.03;
            spark.heat > 0.0
        });
        self.shield *= 0.9;
    }

    /// Each shot and the shield look for bullets nearby, in the tree.
    fn hit(&mut self, tree: &Tree<M>) {
        let mut hits = Vec::new();
        for shot in &mut self.shots {
            tree.near(shot.at, 7.0, &self.bullets, |bullet| {
                hits.push(bullet);
                shot.is_hit = true;
            });
        }
        let by_shots = hits.len();
        tree.near(self.ship, SHIELD, &self.bullets, |bullet| hits.push(bullet));
        if by_shots < hits.len() {
            self.shield = 1.0;
        }
        for bullet in hits {
            if !std::mem::replace(&mut self.bullets[bullet].is_hit, true) {
                self.burst(*self.bullets[bullet]);
            }
        }
    }

    fn burst(&mut self, bullet: Bullet) {
        self.hits += 1;
        for _ in 0..7 {
            let speed = [self.random() - 0.5, self.random() - 0.5].map(|part| part * 5.0);
            let heat = 0.5 + 0.5 * self.random();
            let spark = Spark {
                at: bullet.at,
                speed: plus(speed, bullet.speed),
                owner: bullet.owner,
                heat,
            };
            self.sparks.push(M::spark(spark));
        }
    }

    /// From 0 to 1, and the same numbers in each run.
    fn random(&mut self) -> f32 {
        self.random = self.random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (self.random >> 40) as f32 / (1 << 24) as f32
    }

    /// A checksum of all positions.
    pub fn checksum(&self) -> u64 {
        let bullets = self.bullets.iter().chain(&self.shots).map(|bullet| bullet.at);
        let places = bullets.chain(self.sparks.iter().map(|spark| spark.at));
        places.flatten().fold(self.hits, |sum, part| {
            (sum ^ u64::from(part.to_bits())).wrapping_mul(0x100_0000_01b3)
        })
    }
}

fn plus(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

/// A direction turned by another, and as long as before.
fn turned(a: Point, b: Point) -> Point {
    let [x, y] = [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    let length = (x * x + y * y).sqrt();
    [x / length, y / length]
}
