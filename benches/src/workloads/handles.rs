//! W6: the four things that are done with a handle.
//!
//! One cycle does them all: a map, empty but used, is filled; every value is asked for and then
//! removed, in shuffled orders; it is filled again, and asked for the keys of before. So insertion
//! meets slots that were vacated in any order, and a stale key meets a slot that is taken again.

use core::time::Duration;
use std::time::Instant;

use super::moved;
use crate::objects::{Obj64, Payload};
use crate::random::Random;
use crate::store::Keyed;

/// The timed part of a cycle; the rest is only done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Into the slots of removed values.
    Insert,
    /// Looks up living values, in shuffled order.
    Get,
    /// Looks up removed values.
    GetStale,
    /// In shuffled order; the value is dropped unread.
    Remove,
    /// In shuffled order; the value is read.
    Take,
}

/// A map, and the keys that it gave out.
pub struct Register<M: Keyed<Obj64>> {
    map: M,
    count: u32,
    keys: Vec<M::Key>,
    old_keys: Vec<M::Key>,
    random: Random,
}

impl<M: Keyed<Obj64>> Register<M> {
    /// With `count` values in it.
    #[must_use]
    pub fn new(count: u32) -> Self {
        let mut register = Self {
            map: M::new(),
            count,
            keys: Vec::with_capacity(count as usize),
            old_keys: Vec::with_capacity(count as usize),
            random: Random::new(5),
        };
        register.fill::<0>();
        register
    }

    /// Runs a cycle. Returns the time that `timed` took, and a sum over what was read.
    pub fn cycle<const PLACE: usize>(&mut self, timed: Phase) -> (Duration, u64) {
        let mut spent = Duration::ZERO;
        let mut sum = 0_u64;
        let mut clock = |phase, work: &mut dyn FnMut() -> u64| {
            let start = Instant::now();
            let result = work();
            if phase == timed {
                spent = start.elapsed();
            }
            sum = sum.wrapping_mul(3).wrapping_add(result);
        };
        self.shuffle();
        clock(Phase::Get, &mut || self.get::<PLACE>());
        self.shuffle();
        if timed == Phase::Remove {
            clock(Phase::Remove, &mut || self.remove::<PLACE>());
        } else {
            clock(Phase::Take, &mut || self.take::<PLACE>());
        }
        core::mem::swap(&mut self.keys, &mut self.old_keys);
        self.keys.clear();
        clock(Phase::Insert, &mut || self.fill::<PLACE>());
        clock(Phase::GetStale, &mut || if M::KNOWS_STALE { self.get_stale::<PLACE>() } else { 0 });
        (spent, sum)
    }

    fn shuffle(&mut self) {
        self.random.shuffle(&mut self.keys);
    }

    #[inline(never)]
    fn fill<const PLACE: usize>(&mut self) -> u64 {
        moved::<PLACE>();
        let Self { map, count, keys, .. } = self;
        keys.extend((0..u64::from(*count)).map(|seed| map.insert(Obj64::written(seed))));
        u64::from(*count)
    }

    #[inline(never)]
    fn get<const PLACE: usize>(&self) -> u64 {
        moved::<PLACE>();
        let mut sum = 0_u64;
        for &key in &self.keys {
            sum += self.map.get(key).map_or(0, Obj64::first);
        }
        sum
    }

    #[inline(never)]
    fn get_stale<const PLACE: usize>(&self) -> u64 {
        moved::<PLACE>();
        let found = self.old_keys.iter().filter(|&&key| self.map.get(key).is_some());
        found.count() as u64
    }

    #[inline(never)]
    fn remove<const PLACE: usize>(&mut self) -> u64 {
        moved::<PLACE>();
        self.keys.iter().filter(|&&key| self.map.remove(key).is_some()).count() as u64
    }

    #[inline(never)]
    fn take<const PLACE: usize>(&mut self) -> u64 {
        moved::<PLACE>();
        let mut sum = 0_u64;
        for &key in &self.keys {
            sum += self.map.remove(key).map_or(0, |value| value.first());
        }
        sum
    }
}
