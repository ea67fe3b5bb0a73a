//! Rollback netcode: two players over a line that delays and reorders, and neither waits for the other.
//!
//! ```text
//! cargo run --release -p typed-pool-examples --example rollback
//! ```
//!
//! Each player simulates the whole game, and guesses that the other repeats the last known input. If the true input arrives and differs, the
//! player rewinds to its frame and simulates again from there. So the world is marked in each frame. When all inputs of a frame are
//! known, both players must have the same state in it: they compare checksums.
//!
//! Handles are part of the state: bullets that are fired again after a rewind have their old handles.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use typed_pool::{Handle, Mark, Rewind, Rewindable, Roster};

const FRAMES: usize = 3_600;
/// The longest rewind. A player waits if the line is slower.
const MOST_FRAMES_BACK: usize = 16;
const MONSTERS: u32 = 2_000;
const SIDE: i32 = 10_000;

/// Random numbers that are the same on every machine, and part of the state.
#[derive(Clone, Copy)]
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

#[derive(Clone)]
struct Ship {
    at: [i32; 2],
    score: u64,
}

#[derive(Clone)]
struct Monster {
    at: [i32; 2],
    health: i32,
    /// Ballast: a real monster has more than a position.
    name: [u8; 40],
}

#[derive(Clone)]
struct Bullet {
    at: [i32; 2],
    speed: [i32; 2],
    left: u32,
    owner: usize,
    target: Handle<Monster>,
}

/// A player's input for one frame.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Input {
    direction: u8,
    fires: bool,
}

#[derive(Rewindable)]
struct World {
    monsters: Rewind<Monster>,
    bullets: Rewind<Bullet>,
    #[rewind(clone)]
    ships: [Ship; 2],
    #[rewind(clone)]
    random: Random,
}

impl World {
    fn new() -> Self {
        let mut random = Random(1);
        // A tag of the program's choice: both players have the same handles.
        let mut monsters = Rewind::from(Roster::tagged(1));
        for _ in 0..MONSTERS {
            monsters.insert(Monster::new(&mut random));
        }
        let ship = |x| Ship { at: [x, SIDE / 2], score: 0 };
        Self {
            monsters,
            bullets: Rewind::from(Roster::tagged(2)),
            ships: [ship(SIDE / 4), ship(SIDE / 4 * 3)],
            random,
        }
    }

    fn step(&mut self, inputs: [Input; 2]) {
        for (owner, (ship, input)) in self.ships.iter_mut().zip(inputs).enumerate() {
            let step =
                [[0, 0], [30, 0], [-30, 0], [0, 30], [0, -30]][usize::from(input.direction % 5)];
            ship.at = [0, 1].map(|axis| (ship.at[axis] + step[axis]).rem_euclid(SIDE));
            if input.fires {
                let index = self.random.next(self.monsters.len() as u64) as usize;
                if let Some(target) = self.monsters.handles().nth(index) {
                    let bullet = Bullet { at: ship.at, speed: [0, 0], left: 60, owner, target };
                    self.bullets.insert(bullet);
                }
            }
        }
        // A tenth of the monsters moves in a frame; the others are looked at, which costs nothing.
        let turn = self.random.next(10) as usize;
        for (handle, mut monster) in self.monsters.iter_mut() {
            if handle.index() % 10 == turn {
                monster.at[0] = (monster.at[0] + 7).rem_euclid(SIDE);
            }
        }
        let Self { monsters, bullets, ships, random } = self;
        bullets.retain(|_, bullet| {
            bullet.left -= 1;
            // It finds nothing if somebody else has hit it.
            let Some(target) = monsters.get(bullet.target) else { return false };
            let way = [0, 1].map(|axis| target.at[axis] - bullet.at[axis]);
            bullet.speed = way.map(|way| way.clamp(-400, 400));
            bullet.at = [0, 1].map(|axis| bullet.at[axis] + bullet.speed[axis]);
            if way.iter().all(|way| way.abs() <= 400) {
                let target = &mut monsters[bullet.target];
                target.health -= 5;
                if target.health <= 0 {
                    ships[bullet.owner].score += 1;
                    monsters.remove(bullet.target);
                    monsters.insert(Monster::new(random));
                }
                return false;
            }
            bullet.left > 0
        });
    }

    /// A checksum of the whole state, handles included.
    fn checksum(&self) -> u64 {
        let mut sum = self.random.0;
        let mut add = |number: u64| sum = (sum ^ number).wrapping_mul(0x0100_0000_01b3);
        for (handle, monster) in &self.monsters {
            add(handle.to_bits());
            add(monster.at[0] as u64
                ^ ((monster.health as u64) << 32)
                ^ u64::from(monster.name[0]));
        }
        for (handle, bullet) in &self.bullets {
            add(handle.to_bits());
            add(bullet.at[0] as u64 ^ ((bullet.at[1] as u64) << 32));
            add(bullet.target.to_bits());
        }
        for ship in &self.ships {
            add(ship.score ^ ((ship.at[0] as u64) << 32));
        }
        sum
    }
}

impl Monster {
    fn new(random: &mut Random) -> Self {
        let at = [0, 1].map(|_| random.next(SIDE as u64) as i32);
        Self { at, health: 10, name: [random.next(256) as u8; 40] }
    }
}

/// One of the two players, who simulates the whole game.
struct Player {
    number: usize,
    world: World,
    /// The states that it can go back to: before the frame `confirmed`, and before each one since.
    marks: VecDeque<Mark>,
    /// All inputs of earlier frames are known.
    confirmed: usize,
    /// The next frame.
    now: usize,
    /// The inputs that the other player has sent.
    known: Vec<Option<Input>>,
    /// The other player's input with which each frame was simulated.
    used: Vec<Input>,
    /// The state before each frame.
    checksums: Vec<u64>,
    fingers: Random,
    own: Vec<Input>,
    figures: Figures,
}

#[derive(Default)]
struct Figures {
    rollbacks: usize,
    frames_back: usize,
    farthest: usize,
    simulating: Duration,
    marking: Duration,
    rewinding: Duration,
    simulated: usize,
}

impl Player {
    fn new(number: usize) -> Self {
        Self {
            number,
            world: World::new(),
            marks: VecDeque::new(),
            confirmed: 0,
            now: 0,
            known: vec![None; FRAMES],
            used: Vec::new(),
            checksums: Vec::new(),
            fingers: Random(77 + number as u64),
            own: Vec::new(),
            figures: Figures::default(),
        }
    }

    /// The player's input for this frame, which is sent at once. A direction is held for a while, so most guesses are right.
    fn decide(&mut self) -> Input {
        let last = self.own.last().copied().unwrap_or_default();
        let turns = self.fingers.next(12) == 0;
        let direction = if turns { self.fingers.next(5) as u8 } else { last.direction };
        let fires = if self.fingers.next(6) == 0 { !last.fires } else { last.fires };
        let input = Input { direction, fires };
        self.own.push(input);
        input
    }

    /// The other's input: what it was, or what it was last.
    fn others(&self, frame: usize) -> Input {
        let last = self.known[..=frame].iter().rev().find_map(|input| *input);
        last.unwrap_or_default()
    }

    fn frame(&mut self, frame: usize) {
        let start = Instant::now();
        self.marks.push_back(self.world.mark());
        self.figures.marking += start.elapsed();
        self.checksums.truncate(frame);
        self.checksums.push(self.world.checksum());
        let start = Instant::now();
        let others = self.others(frame);
        self.used.truncate(frame);
        self.used.push(others);
        let (own, mut inputs) = (self.own[frame], [others; 2]);
        inputs[self.number] = own;
        self.world.step(inputs);
        self.figures.simulating += start.elapsed();
        self.figures.simulated += 1;
    }

    /// Goes back if a guess was wrong, and forgets what is certain.
    fn catch_up(&mut self) {
        let mut guessed = self.confirmed..self.now;
        let wrong =
            guessed.find(|&frame| self.known[frame].is_some_and(|input| input != self.used[frame]));
        if let Some(wrong) = wrong {
            let start = Instant::now();
            let at = wrong - self.confirmed;
            self.world.rewind(self.marks[at]).expect("it was not confirmed");
            // This frame is marked anew.
            self.marks.truncate(at);
            self.figures.rewinding += start.elapsed();
            self.figures.rollbacks += 1;
            self.figures.frames_back += self.now - wrong;
            self.figures.farthest = self.figures.farthest.max(self.now - wrong);
            (wrong..self.now).for_each(|frame| self.frame(frame));
        }
        let start = Instant::now();
        while self.confirmed + 1 < self.now && self.known[self.confirmed].is_some() {
            self.marks.pop_front();
            self.confirmed += 1;
        }
        if let Some(&first) = self.marks.front() {
            self.world.confirm(first);
        }
        self.figures.marking += start.elapsed();
    }
}

/// A line on which each message has a different delay.
struct Line {
    random: Random,
    /// To whom, when it arrives, and what the other did in which frame.
    under_way: Vec<(usize, usize, usize, Input)>,
}

impl Line {
    fn send(&mut self, to: usize, now: usize, frame: usize, input: Input) {
        let delay = 2 + self.random.next(7) as usize;
        self.under_way.push((to, now + delay, frame, input));
    }

    fn deliver(&mut self, now: usize, players: &mut [Player; 2]) {
        self.under_way.retain(|&(to, at, frame, input)| {
            if at <= now {
                players[to].known[frame] = Some(input);
            }
            at > now
        });
    }
}

fn play() -> [Player; 2] {
    let mut players = [0, 1].map(Player::new);
    let mut line = Line { random: Random(5), under_way: Vec::new() };
    let mut tick = 0;
    while players.iter().any(|player| player.confirmed + 1 < FRAMES) {
        line.deliver(tick, &mut players);
        for player in &mut players {
            player.catch_up();
            if player.now < FRAMES && player.now - player.confirmed < MOST_FRAMES_BACK {
                let input = player.decide();
                line.send(1 - player.number, tick, player.now, input);
                player.frame(player.now);
                player.now += 1;
            }
        }
        tick += 1;
    }
    players
}

fn main() {
    let players = play();
    for player in &players {
        let Figures { rollbacks, frames_back, farthest, simulating, marking, rewinding, simulated } =
            player.figures;
        let of_frame = |time: Duration| time.as_secs_f64() * 1e6 / simulated as f64;
        println!(
            "player {}: went back {rollbacks} times in {FRAMES} frames, {:.1} frames on average and {farthest} at most",
            player.number,
            frames_back as f64 / rollbacks as f64
        );
        println!(
            "  a frame: {:.1} us to simulate (what it changes is remembered), {:.2} us to mark and confirm; going back took {:.1} us",
            of_frame(simulating),
            of_frame(marking),
            rewinding.as_secs_f64() * 1e6 / rollbacks as f64
        );
        println!("  a clone of the same: {:.1} us", cloning(&player.world).as_secs_f64() * 1e6);
        println!("  scores {:?}", player.world.ships.each_ref().map(|ship| ship.score));
    }
    println!("both have had the same state in each of {} frames", compare(&players));
}

/// Returns the time of a clone, in a game that keeps eight. The first hundred are not timed: they ask the system for memory.
fn cloning(world: &World) -> Duration {
    let mut kept = VecDeque::new();
    let mut copy = || {
        if kept.len() == 8 {
            kept.pop_front();
        }
        kept.push_back((world.monsters.clone(), world.bullets.clone()));
    };
    (0..100).for_each(|_| copy());
    let start = Instant::now();
    (0..1000).for_each(|_| copy());
    start.elapsed() / 1000
}

/// The number of frames for which both have all inputs.
fn compare(players: &[Player; 2]) -> usize {
    let certain = players[0].confirmed.min(players[1].confirmed);
    assert_eq!(players[0].checksums[..certain], players[1].checksums[..certain]);
    certain
}

#[test]
fn both_see_the_same_game() {
    let players = play();
    assert_eq!(compare(&players), FRAMES - 1);
    assert!(players.iter().all(|player| player.figures.rollbacks > 100));
    assert!(players.iter().all(|player| player.world.ships.iter().all(|ship| ship.score > 0)));
}
