//! The game: two ships shoot at monsters, some of which wear armour.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use typed_pool::{Handle, PoolBox, Pooled, Rewind, Rewindable, Roster, SparseSecondaryMap};

/// Random numbers that are part of the state: the same after a rewind.
#[derive(Clone, Hash)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self, below: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

#[derive(Clone, Hash)]
pub(crate) struct Monster {
    at: [i32; 2],
    /// In the pool of its type. A clone for the log is a box as well.
    armour: Option<PoolBox<Armour>>,
}

#[derive(Pooled, Clone, Hash)]
struct Armour {
    strength: u32,
    plates: [u32; 6],
}

#[derive(Clone, Hash)]
pub(crate) struct Bullet {
    left: u32,
    owner: usize,
    target: Handle<Monster>,
}

/// The whole state. Rosters log what changes; the rest is cloned by each mark.
#[derive(Rewindable)]
pub(crate) struct World {
    monsters: Rewind<Monster>,
    bullets: Rewind<Bullet>,
    /// How often each of the living was hit: few were, so a clone is small.
    #[rewind(clone)]
    hits: SparseSecondaryMap<Monster, u32>,
    #[rewind(clone)]
    ships: [[i32; 2]; 2],
    #[rewind(clone)]
    scores: [u32; 2],
    #[rewind(clone)]
    random: Random,
}

const MONSTERS: u64 = 2_000;

impl World {
    pub(crate) fn new() -> Self {
        // Chosen tags: handles are part of checksums, and the same on both sides.
        let mut world = Self {
            monsters: Rewind::from(Roster::tagged(1)),
            bullets: Rewind::from(Roster::tagged(2)),
            hits: SparseSecondaryMap::new(),
            ships: [[-500, 0], [500, 0]],
            scores: [0; 2],
            random: Random(1),
        };
        for _ in 0..MONSTERS {
            world.spawn();
        }
        world
    }

    fn spawn(&mut self) {
        let at = [0; 2].map(|_: i32| self.random.next(4_000) as i32 - 2_000);
        let is_armoured = self.random.next(3) == 0;
        let armour = is_armoured.then(|| PoolBox::new(Armour { strength: 3, plates: [1; 6] }));
        self.monsters.insert(Monster { at, armour });
    }

    /// A frame: nothing here depends on anything but the state and the inputs.
    pub(crate) fn step(&mut self, inputs: &[u8; 2]) {
        for (owner, &input) in inputs.iter().enumerate() {
            let ship = &mut self.ships[owner];
            ship[0] += i32::from(input & 1) - i32::from(input >> 1 & 1);
            ship[1] += i32::from(input >> 2 & 1) - i32::from(input >> 3 & 1);
            if input & 16 != 0 {
                let nearest = self.monsters.iter().min_by_key(|(handle, monster)| {
                    let [x, y] = [0, 1].map(|axis| monster.at[axis] - ship[axis]);
                    (x * x + y * y + self.hits.get(*handle).map_or(0, |&hits| hits as i32), *handle)
                });
                let (target, _) = nearest.expect("as many as ever");
                self.bullets.insert(Bullet { left: 4, owner, target });
            }
        }
        for mut monster in self.monsters.values_mut() {
            if self.random.next(50) == 0 {
                monster.at[0] += 1;
            }
        }
        let mut killed = 0;
        let Self { monsters, bullets, hits, scores, .. } = self;
        bullets.retain(|_, bullet| {
            let Some(monster) = monsters.get_mut(bullet.target) else { return false };
            bullet.left -= 1;
            if bullet.left > 0 {
                return true;
            }
            *hits.get_or_insert_with(bullet.target, || 0).expect("it is alive") += 1;
            match &mut monster.armour {
                Some(armour) if armour.strength > 1 => armour.strength -= 1,
                Some(_) => monster.armour = None,
                None => {
                    monsters.remove(bullet.target);
                    hits.remove(bullet.target);
                    scores[bullet.owner] += 1;
                    killed += 1;
                }
            }
            false
        });
        for _ in 0..killed {
            self.spawn();
        }
    }

    /// A hash of all that there is, handles included.
    pub(crate) fn checksum(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for (handle, monster) in &*self.monsters {
            (handle, monster, self.hits.get(handle)).hash(&mut hasher);
        }
        for bullet in &*self.bullets {
            bullet.hash(&mut hasher);
        }
        (self.ships, self.scores, &self.random).hash(&mut hasher);
        hasher.finish()
    }

    /// The copy that a game without rewinds keeps for each frame.
    pub(crate) fn copy(&self) -> impl Sized {
        let rosters = (Roster::clone(&self.monsters), Roster::clone(&self.bullets));
        (rosters, self.hits.clone(), self.ships, self.scores, self.random.clone())
    }

    #[cfg(test)]
    pub(crate) fn deaths(&self) -> u32 {
        self.scores.iter().sum()
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { monsters, bullets, scores, .. } = self;
        write!(f, "{} monsters, {} bullets, scores {scores:?}", monsters.len(), bullets.len())
    }
}
