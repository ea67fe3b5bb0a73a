//! W4: a bullet-hell frame. All bullets move, the expired die, and new ones are fired in their place.

use typed_pool::Pooled;

use super::moved;
use crate::contestant::Store;
use crate::random::Random;

/// The longest life in frames. Lives are uniform, so one in a hundred dies each frame, anywhere.
const LONGEST_LIFE: u32 = 199;

/// Three generations, after which a store is as fragmented as it will be.
const WARM_UP: u64 = 300;

/// 64 bytes. A frame writes the first 20.
#[derive(Pooled)]
#[repr(C)]
pub struct Bullet {
    position: [f32; 4],
    life: u32,
    velocity: [f32; 4],
    payload: [u32; 7],
}

impl Bullet {
    #[inline(always)]
    fn fired(random: &mut Random) -> Self {
        let bits = random.bits();
        let fraction = (bits >> 40) as f32 / (1_u32 << 24) as f32;
        Self {
            position: [fraction, 0.0, 1.0 - fraction, 1.0],
            life: 1 + random.below(LONGEST_LIFE),
            velocity: [fraction - 0.5, 0.25, fraction, 0.0],
            payload: [bits as u32; 7],
        }
    }

    /// Moves on. False when its life is over.
    #[inline(always)]
    fn step(&mut self) -> bool {
        for (position, velocity) in self.position.iter_mut().zip(self.velocity) {
            *position += velocity;
        }
        self.life -= 1;
        self.life > 0
    }
}

/// This many bullets in the air.
pub struct Barrage<S> {
    bullets: S,
    count: u32,
    random: Random,
}

impl<S: Store<Bullet>> Barrage<S> {
    /// `count` bullets after three generations.
    pub fn new(count: u32) -> Self {
        let mut random = Random::new(11);
        let mut bullets = S::new();
        for _ in 0..count {
            bullets.add(Bullet::fired(&mut random));
        }
        let mut barrage = Self { bullets, count, random };
        barrage.frames::<0>(WARM_UP);
        barrage
    }

    #[inline(never)]
    pub fn frames<const PLACE: usize>(&mut self, frames: u64) {
        moved::<PLACE>();
        let mut random = self.random.clone();
        for _ in 0..frames {
            let mut dead = 0_u32;
            self.bullets.retain(|bullet| {
                let lives = bullet.step();
                dead += u32::from(!lives);
                lives
            });
            for _ in 0..dead {
                self.bullets.add(Bullet::fired(&mut random));
            }
        }
        self.random = random;
    }

    /// A sum over all bullets, in any order.
    pub fn census(&self) -> u64 {
        let mut sum = 0_u64;
        let mut count = 0;
        self.bullets.visit(|bullet| {
            count += 1;
            let place = bullet.position.iter().map(|at| u64::from(at.to_bits())).sum::<u64>();
            let rest = u64::from(bullet.payload[6]) << 8;
            sum = sum.wrapping_add((place ^ rest).wrapping_mul(u64::from(bullet.life)));
        });
        assert_eq!(count, self.count, "{} loses bullets", S::name());
        sum
    }
}
