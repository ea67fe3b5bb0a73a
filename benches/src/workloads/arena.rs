//! The comparison that crates of arenas make: numbers, in a fresh arena for each task.

use core::mem;
use core::time::Duration;
use std::time::Instant;

use super::moved;
use crate::random::Random;
use crate::store::Keyed;

/// The timed part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// All of them by their keys, in shuffled order.
    Get,
    /// Into a new arena.
    Insert,
    /// Into an arena from which all were removed, in the order in which they came.
    InsertUsed,
    /// All of them.
    Iterate,
    /// A loop over the rest after a random half was removed.
    IterateHalf,
    /// All of them, in shuffled order.
    Remove,
}

/// An arena that is ready for a task.
pub struct Yard<M: Keyed<u64>> {
    task: Task,
    arena: M,
    /// The keys of its elements, in shuffled order.
    keys: Vec<M::Key>,
    count: u32,
    random: Random,
}

impl<M: Keyed<u64>> Yard<M> {
    /// For this many values.
    #[must_use]
    pub fn new(task: Task, count: u32) -> Self {
        let mut yard =
            Self { task, arena: M::new(), keys: Vec::new(), count, random: Random::new(13) };
        yard.prepare();
        yard
    }

    /// How many values the task is about.
    #[must_use]
    pub const fn operations(&self) -> u32 {
        match self.task {
            Task::IterateHalf => self.count / 2,
            _ => self.count,
        }
    }

    /// Does the task. Returns the time that it took, and a sum over what was seen.
    pub fn turn<const PLACE: usize>(&mut self) -> (Duration, u64) {
        let start = Instant::now();
        let sum = match self.task {
            Task::Get => self.get::<PLACE>(),
            Task::Insert | Task::InsertUsed => self.insert::<PLACE>(),
            Task::Iterate | Task::IterateHalf => self.iterate::<PLACE>(),
            Task::Remove => self.remove::<PLACE>(),
        };
        let spent = start.elapsed();
        self.prepare();
        (spent, sum)
    }

    fn prepare(&mut self) {
        match self.task {
            Task::Get | Task::Iterate if self.keys.is_empty() => self.fill(),
            Task::Get => self.random.shuffle(&mut self.keys),
            Task::Iterate => {}
            Task::Insert => {
                self.keys.clear();
                self.arena = M::new();
            }
            Task::InsertUsed => {
                if self.keys.is_empty() {
                    self.insert::<0>();
                }
                for key in mem::take(&mut self.keys) {
                    self.arena.remove(key);
                }
                self.keys.reserve(self.count as usize);
            }
            Task::IterateHalf if self.keys.is_empty() => {
                self.fill();
                for key in self.keys.split_off(self.count as usize / 2) {
                    self.arena.remove(key);
                }
            }
            Task::IterateHalf => {}
            Task::Remove => self.fill(),
        }
    }

    fn fill(&mut self) {
        self.keys.clear();
        self.insert::<0>();
        self.random.shuffle(&mut self.keys);
    }

    #[inline(never)]
    fn insert<const PLACE: usize>(&mut self) -> u64 {
        moved::<PLACE>();
        let Self { arena, keys, count, .. } = self;
        keys.extend((0..u64::from(*count)).map(|value| arena.insert(value)));
        u64::from(*count)
    }

    #[inline(never)]
    fn get<const PLACE: usize>(&self) -> u64 {
        moved::<PLACE>();
        self.keys.iter().filter_map(|&key| self.arena.get(key)).sum()
    }

    #[inline(never)]
    fn iterate<const PLACE: usize>(&self) -> u64 {
        moved::<PLACE>();
        let mut sum = 0_u64;
        self.arena.visit(|value| sum = sum.wrapping_add(*value));
        sum
    }

    #[inline(never)]
    fn remove<const PLACE: usize>(&mut self) -> u64 {
        moved::<PLACE>();
        self.keys.iter().filter_map(|&key| self.arena.remove(key)).sum()
    }
}
