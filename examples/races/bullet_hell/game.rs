//! The game: monsters walk, bullets follow and hit them, or lose their target when another bullet was
//! faster.
//!
//! What happens does not depend on the order in which a container visits its objects, so that all
//! containers come to the same result: random numbers are drawn only at births, and damage to a monster
//! is a sum.

use fastrand::Rng;

use super::backends::{Backend, Keyed, Store};

/// The side of the square in which everything takes place.
const SIDE: f32 = 1000.0;
/// How close a bullet must come to hit.
const REACH: f32 = 4.0;
/// Per frame.
const BULLET_SPEED: f32 = 6.0;
/// How far a bullet turns towards its target in a frame.
const TURN: f32 = 0.08;
/// The monsters among which bullets choose their targets: the youngest, dead or alive.
const TARGETS: usize = 512;

pub(crate) struct Monster {
    position: [f32; 2],
    velocity: [f32; 2],
    health: i32,
}

/// A bullet knows its target by a key, which it may keep for as long as it likes. A monster need not
/// know what aims at it.
pub(crate) struct Bullet<B: Backend> {
    position: [f32; 2],
    velocity: [f32; 2],
    /// Frames until it drops.
    life: u32,
    damage: i32,
    target: Option<MonsterKey<B>>,
}

/// The key by which a monster is known.
pub(crate) type MonsterKey<B> = <<B as Backend>::Monsters as Keyed<Monster>>::Key;

/// A game whose objects live in the containers of `B`.
pub(crate) struct Game<B: Backend> {
    rng: Rng,
    monsters: B::Monsters,
    bullets: B::Bullets,
    /// How many there are after each frame.
    crowd: [usize; 2],
    /// The youngest monsters, in a ring.
    youngest: Vec<MonsterKey<B>>,
    births: usize,
    pub(crate) tally: Tally,
}

/// What has happened so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) shots: u64,
    pub(crate) hits: u64,
    pub(crate) kills: u64,
    /// Targets that were looked up and had died.
    pub(crate) stale: u64,
    /// Of all positions, frame by frame, whatever the order of the visits.
    pub(crate) checksum: u64,
}

impl<B: Backend> Game<B> {
    pub(crate) fn new(monsters: usize, bullets: usize, seed: u64) -> Self {
        let mut game = Self {
            rng: Rng::with_seed(seed),
            monsters: B::Monsters::new(),
            bullets: B::Bullets::new(),
            crowd: [monsters, bullets],
            youngest: Vec::with_capacity(TARGETS),
            births: 0,
            tally: Tally::default(),
        };
        game.spawn();
        game
    }

    pub(crate) fn monsters(&self) -> &B::Monsters {
        &self.monsters
    }

    /// Bullets fly, and vanish when they hit or when their time is over.
    pub(crate) fn fly(&mut self) {
        let Self { bullets, monsters, tally, .. } = self;
        bullets.retain(|bullet| {
            bullet.life -= 1;
            if let Some(key) = bullet.target {
                match monsters.get_mut(key) {
                    Some(monster) if bullet.follow(monster) => {
                        monster.health -= bullet.damage;
                        tally.hits += 1;
                        return false;
                    }
                    Some(_) => {}
                    None => {
                        // Stale: its monster died. It flies straight on from here.
                        bullet.target = None;
                        tally.stale += 1;
                    }
                }
            }
            advance(&mut bullet.position, bullet.velocity);
            bullet.life > 0
        });
    }

    /// Monsters walk, and the dead ones go.
    pub(crate) fn walk(&mut self) {
        let Self { monsters, tally, .. } = self;
        monsters.retain(|monster| {
            advance(&mut monster.position, monster.velocity);
            for axis in [0, 1] {
                if !(0.0..=SIDE).contains(&monster.position[axis]) {
                    monster.velocity[axis] = -monster.velocity[axis];
                }
            }
            let lives = monster.health > 0;
            tally.kills += u64::from(!lives);
            lives
        });
    }

    /// New monsters and bullets replace those that are gone.
    pub(crate) fn spawn(&mut self) {
        for _ in self.monsters.len()..self.crowd[0] {
            let monster = Monster {
                position: [self.rng.f32() * SIDE, self.rng.f32() * SIDE],
                velocity: [self.rng.f32() - 0.5, self.rng.f32() - 0.5],
                health: self.rng.i32(20..60),
            };
            let key = self.monsters.insert(monster);
            if self.youngest.len() < TARGETS {
                self.youngest.push(key);
            } else {
                self.youngest[self.births % TARGETS] = key;
            }
            self.births += 1;
        }
        for _ in self.bullets.len()..self.crowd[1] {
            let (sine, cosine) = (self.rng.f32() * core::f32::consts::TAU).sin_cos();
            self.bullets.add(Bullet {
                position: [self.rng.f32() * SIDE, self.rng.f32() * SIDE],
                velocity: [BULLET_SPEED * cosine, BULLET_SPEED * sine],
                life: self.rng.u32(20..200),
                damage: self.rng.i32(1..4),
                target: self.rng.choice(&self.youngest).copied(),
            });
            self.tally.shots += 1;
        }
    }

    /// Visits everything, for the checksum. Not part of a frame.
    pub(crate) fn look(&mut self) {
        let mut sum = 0_u64;
        let mut see = |[x, y]: [f32; 2], rest: u32| {
            let place = u64::from(x.to_bits()) << 32 | u64::from(y.to_bits());
            sum = sum.wrapping_add(mix(place ^ u64::from(rest)));
        };
        self.monsters.visit(|monster| see(monster.position, monster.health as u32));
        self.bullets.visit(|bullet| see(bullet.position, bullet.life));
        // A sum of sums would not see two frames change places.
        self.tally.checksum = mix(self.tally.checksum.wrapping_add(sum));
    }
}

impl<B: Backend> Bullet<B> {
    /// Turns towards the monster, and says whether the bullet has reached it.
    fn follow(&mut self, monster: &Monster) -> bool {
        let [dx, dy] = [0, 1].map(|axis| monster.position[axis] - self.position[axis]);
        let distance = (dx * dx + dy * dy).sqrt();
        if distance < REACH {
            return true;
        }
        for (velocity, way) in self.velocity.iter_mut().zip([dx, dy]) {
            *velocity += TURN * (BULLET_SPEED * way / distance - *velocity);
        }
        false
    }
}

fn advance(position: &mut [f32; 2], velocity: [f32; 2]) {
    for (position, velocity) in position.iter_mut().zip(velocity) {
        *position += velocity;
    }
}

/// The finalizer of SplitMix64: every bit of the input changes half of the output's.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
