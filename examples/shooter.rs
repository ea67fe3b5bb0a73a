//! A shooter without a screen: a tower fires missiles at monsters, which explode and leave what they carried.
//!
//! ```text
//! cargo run --release -p typed-pool-examples --example shooter
//! ```
//!
//! Missiles hold handles of their targets, monsters own boxes with their items, and lists for one step lie in the thread's scratch
//! memory. Halfway the game is saved and loaded, and both games continue alike.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use typed_pool::pools::Report;
use typed_pool::{Handle, PoolBox, Pooled, Roster, frame};

const SECOND: u32 = 60;
const SIDE: f32 = 200.0;
const TOWER: Point = [SIDE / 2.0; 2];

type Point = [f32; 2];

/// The derive gives the type a pool, and boxes lie in it. The pool is `static`, shared by all threads, because rayon's threads
/// look at monsters, and so at their boxes.
#[derive(Pooled, Serialize, Deserialize)]
#[pool(static, name = "items")]
struct Item {
    worth: u32,
}

#[derive(Serialize, Deserialize)]
struct Monster {
    at: Point,
    health: i32,
    loot: Vec<PoolBox<Item>>,
}

/// A missile does not own its target. When the target dies, the handle finds nothing.
#[derive(Serialize, Deserialize)]
struct Missile {
    at: Point,
    speed: Point,
    fuel: u32,
    target: Handle<Monster>,
}

#[derive(Serialize, Deserialize)]
struct Explosion {
    at: Point,
    radius: f32,
}

/// The world owns its rosters, so that there can be two worlds, and a function may borrow two rosters of one.
#[derive(Serialize, Deserialize)]
struct World {
    random: u64,
    monsters: Roster<Monster>,
    missiles: Roster<Missile>,
    explosions: Roster<Explosion>,
    /// The items of dead monsters.
    treasure: Vec<PoolBox<Item>>,
    kills: u32,
}

impl World {
    fn new() -> Self {
        Self {
            random: 1,
            // With a tag of our choice, handles and saved bytes are the same in every process. The name is for the report.
            monsters: Roster::tagged(1).with_name("monsters"),
            missiles: Roster::tagged(2).with_name("missiles"),
            explosions: Roster::tagged(3).with_name("explosions"),
            treasure: Vec::new(),
            kills: 0,
        }
    }

    fn step(&mut self) {
        self.spawn();
        self.fly();
        self.hit();
        self.explode();
    }

    /// Three monsters arrive at the edge, and the tower fires a missile at each.
    fn spawn(&mut self) {
        for _ in 0..3 {
            let at = [self.random() * SIDE, if self.random() < 0.5 { 0.0 } else { SIDE }];
            let health = 1 + (self.random() * 4.0) as i32;
            let loot =
                (0..health).map(|worth| PoolBox::new(Item { worth: worth as u32 })).collect();
            let target = self.monsters.insert(Monster { at, health, loot });
            let speed = [self.random() - 0.5, self.random() - 0.5];
            self.missiles.insert(Missile { at: TOWER, speed, fuel: 4 * SECOND, target });
        }
    }

    /// Everything moves, on all cores: each missile is changed by one thread, and all threads look at the monsters.
    fn fly(&mut self) {
        self.monsters.par_values_mut().for_each(|monster| {
            let way = direction(monster.at, TOWER);
            monster.at = plus(monster.at, way, 0.2);
        });
        let monsters = &self.monsters;
        self.missiles.par_values_mut().for_each(|missile| {
            if let Some(target) = monsters.get(missile.target) {
                missile.speed = plus(missile.speed, missile.speed, -0.1);
                missile.speed = plus(missile.speed, direction(missile.at, target.at), 0.1);
            }
            missile.at = plus(missile.at, missile.speed, 1.0);
            missile.fuel -= 1;
        });
        self.missiles.retain(|_, missile| missile.fuel > 0);
    }

    /// Missiles that reach their targets explode.
    fn hit(&mut self) {
        let monsters = &self.monsters;
        let reaches = |missile: &Missile| {
            monsters.get(missile.target).is_some_and(|target| distance(missile.at, target.at) < 2.0)
        };
        for (_, missile) in self.missiles.extract_if(|_, missile| reaches(missile)) {
            self.explosions.insert(Explosion { at: missile.at, radius: 1.0 });
        }
    }

    /// Explosions grow, hurt what is near, and kill: a dead monster's boxes change hands, and the items stay where they are.
    fn explode(&mut self) {
        for explosion in self.explosions.values_mut() {
            explosion.radius += 0.5;
            let is_near = |monster: &Monster| distance(monster.at, explosion.at) < explosion.radius;
            // A list for a moment, in memory that is taken back behind the closure. The roster is free again while it is read.
            frame::scratch(|frame| {
                let near = self.monsters.iter().filter(|(_, monster)| is_near(monster));
                let near = frame.alloc_iter(near.map(|(handle, _)| handle));
                for &handle in near.iter() {
                    self.monsters[handle].health -= 1;
                    if self.monsters[handle].health <= 0 {
                        let dead = self.monsters.remove(handle).expect("it was near");
                        self.treasure.extend(dead.loot);
                        self.kills += 1;
                    }
                }
            });
        }
        self.explosions.retain(|_, explosion| explosion.radius < 3.0);
    }

    /// From 0 to 1, and the same numbers in each run.
    fn random(&mut self) -> f32 {
        self.random = self.random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (self.random >> 40) as f32 / (1 << 24) as f32
    }

    fn save(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("memory is all that it takes")
    }

    fn load(file: &[u8]) -> postcard::Result<Self> {
        postcard::from_bytes(file)
    }

    /// A checksum of the saved game, and so of the whole state.
    fn checksum(&self) -> u64 {
        self.save()
            .iter()
            .fold(0, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
    }
}

fn distance(a: Point, b: Point) -> f32 {
    ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()
}

fn plus(a: Point, b: Point, times: f32) -> Point {
    [a[0] + b[0] * times, a[1] + b[1] * times]
}

fn direction(from: Point, to: Point) -> Point {
    let distance = distance(from, to).max(0.01);
    [(to[0] - from[0]) / distance, (to[1] - from[1]) / distance]
}

fn main() {
    play();
}

/// Ten seconds; returns the checksum.
fn play() -> u64 {
    let mut world = World::new();
    println!("second  monsters  missiles  explosions  kills  treasure");
    let print = |second: u32, world: &World| {
        let World { monsters, missiles, explosions, treasure, kills, .. } = world;
        let worth: u32 = treasure.iter().map(|item| item.worth).sum();
        let [monsters, missiles, explosions] = [monsters.len(), missiles.len(), explosions.len()];
        println!(
            "{second:>6}  {monsters:>8}  {missiles:>8}  {explosions:>10}  {kills:>5}  {worth:>8}"
        );
    };
    for second in 1..=5 {
        (0..SECOND).for_each(|_| world.step());
        print(second, &world);
    }

    let file = world.save();
    let mut loaded = World::load(&file).expect("it was saved a moment ago");
    println!("saved and loaded: {} bytes", file.len());
    for second in 6..=10 {
        for _ in 0..SECOND {
            world.step();
            loaded.step();
        }
        // Even handles are the same: new elements have the same in both games.
        assert_eq!(world.checksum(), loaded.checksum());
        print(second, &world);
    }
    let checksum = world.checksum();
    println!("both games went on alike, checksum {checksum:016x}\n");
    drop(loaded);
    let World { monsters, missiles, explosions, .. } = &world;
    let rosters = [monsters.stats(), missiles.stats(), explosions.stats()];
    println!("{}", rosters.into_iter().fold(typed_pool::report(), Report::with));
    drop(world);
    assert_eq!(Item::pool_stats().live, 0, "every item went with its owner");
    checksum
}

#[test]
fn the_game_is_the_same_everywhere() {
    assert_eq!(play(), 0xcf23_bb3e_5772_71bc);
}
