//! A steady game allocates nothing for its marks: buffers are kept.

use std::alloc::System;
use std::collections::VecDeque;

use typed_pool::{Rewind, Rewindable, Tracked};

#[global_allocator]
static HEAP: Tracked<System> = Tracked::new(System);

#[derive(Rewindable)]
struct World {
    monsters: Rewind<[u64; 8]>,
    bullets: Rewind<Bullet>,
    #[rewind(clone)]
    tick: u64,
    /// It owns memory.
    #[rewind(clone)]
    title: String,
}

#[derive(Clone)]
struct Bullet {
    left: u32,
}

impl Drop for Bullet {
    fn drop(&mut self) {
        std::hint::black_box(self.left);
    }
}

fn frame(world: &mut World, share: u64) {
    let tick = world.tick;
    for (handle, mut monster) in world.monsters.iter_mut() {
        if (handle.index() as u64 + tick) % 64 < share {
            monster[0] += 1;
        }
    }
    world.bullets.retain(|_, bullet| {
        bullet.left -= 1;
        bullet.left > 0
    });
    (0..10).for_each(|_| {
        world.bullets.insert(Bullet { left: 20 });
    });
    world.tick += 1;
    world.title.replace_range(..8, ["one game", "the game"][tick as usize % 2]);
}

fn main() {
    marks_of_a_steady_game_allocate_nothing();
    reserved_memory_is_there();
}

fn marks_of_a_steady_game_allocate_nothing() {
    // The last copies.
    for share in [1, 8, 30, 64] {
        let mut world = World {
            monsters: (0..1_000).map(|number| [number; 8]).collect(),
            bullets: Rewind::new(),
            tick: 0,
            title: "one game".to_owned(),
        };
        let mut marks = VecDeque::new();
        let mut before = 0;
        for number in 0..600 {
            if number == 300 {
                before = HEAP.stats().total_count;
            }
            marks.push_back(world.mark());
            if marks.len() > 8 {
                marks.pop_front();
                world.confirm(marks[0]);
            }
            frame(&mut world, share);
            if number % 10 == 9 {
                // Late input: eight frames once more.
                world.rewind(marks[0]).unwrap();
                let again = marks.len();
                marks.truncate(1);
                frame(&mut world, share);
                (1..again).for_each(|_| {
                    marks.push_back(world.mark());
                    frame(&mut world, share);
                });
                assert!(world.monsters.changes(marks[0]).count() > 0);
                assert!(world.monsters.dirty(marks[4]).count() > 0);
            }
        }
        assert_eq!(HEAP.stats().total_count, before, "{share} of 64");
    }
}

fn reserved_memory_is_there() {
    let mut world: Rewind<[u64; 4]> = (0..1_000).map(|number| [number; 4]).collect();
    world.reserve(1_000);
    let mark = world.mark();
    let before = HEAP.stats().total_count;
    world.values_mut().step_by(2).for_each(|mut element| element[0] += 1);
    world.retain(|handle, _| handle.index() % 2 == 0);
    (0..400).for_each(|number| _ = world.insert([number; 4]));
    assert_eq!(HEAP.stats().total_count, before);
    world.rewind(mark).unwrap();
    assert_eq!(world.len(), 1_000);
}
