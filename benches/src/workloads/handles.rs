//! W6: what is done with a handle.
//!
//! One cycle does it all: every value of a full map is asked for and then removed, in shuffled orders; it is filled again, and asked for
//! the keys of before. So insertion meets slots that were vacated in any order, and a stale key meets a slot that is taken again.

use core::marker::PhantomData;
use core::mem;
use core::time::Duration;
use std::time::Instant;

use super::{moved, use_caches};
use crate::contestant::Keyed;
use crate::objects::Payload;
use crate::random::Random;

/// The timed part of a cycle.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Into the slots of removed values.
    Insert,
    /// Into the slots of values that were removed in the order in which they came.
    InsertUsed,
    /// Into a new map.
    InsertNew,
    /// Looks up living values, in shuffled order.
    Get,
    /// The same after the caches were used by others.
    GetCold,
    /// Looks up removed values.
    GetStale,
    /// In shuffled order; the value is dropped unread.
    Remove,
    /// In shuffled order; the value is read.
    Take,
}

/// A map, and the keys that it gave out.
pub struct Register<T: Payload, M: Keyed<T>> {
    map: M,
    count: u32,
    keys: Vec<M::Key>,
    old_keys: Vec<M::Key>,
    random: Random,
    values: PhantomData<T>,
}

impl<T: Payload, M: Keyed<T>> Register<T, M> {
    /// With `count` values in it.
    pub fn new(count: u32) -> Self {
        let keys = || Vec::with_capacity(count as usize);
        let (random, values) = (Random::new(5), PhantomData);
        let mut register =
            Self { map: M::new(), count, keys: keys(), old_keys: keys(), random, values };
        register.fill::<0>();
        register
    }

    /// Runs a cycle. Returns the time that `timed` took, and a sum over what was read.
    pub fn cycle<const PLACE: usize>(&mut self, timed: Phase) -> (Duration, u64) {
        let mut spent = Duration::ZERO;
        let mut sum = 0_u64;
        let mut clock = |is_timed: bool, work: &mut dyn FnMut() -> u64| {
            let start = Instant::now();
            let result = work();
            if is_timed {
                spent = start.elapsed();
            }
            sum = sum.wrapping_mul(3).wrapping_add(result);
        };
        self.shuffle(timed);
        if timed == Phase::GetCold {
            use_caches();
        }
        clock(matches!(timed, Phase::Get | Phase::GetCold), &mut || self.get::<PLACE>());
        self.shuffle(timed);
        if timed == Phase::Remove {
            clock(true, &mut || self.remove::<PLACE>());
        } else {
            clock(timed == Phase::Take, &mut || self.take::<PLACE>());
        }
        mem::swap(&mut self.keys, &mut self.old_keys);
        self.keys.clear();
        if timed == Phase::InsertNew {
            self.map = M::new();
        }
        let is_insertion = matches!(timed, Phase::Insert | Phase::InsertUsed | Phase::InsertNew);
        clock(is_insertion, &mut || self.fill::<PLACE>());
        if timed == Phase::GetStale {
            clock(true, &mut || self.get_stale::<PLACE>());
        }
        (spent, sum)
    }

    fn shuffle(&mut self, timed: Phase) {
        if timed != Phase::InsertUsed {
            self.random.shuffle(&mut self.keys);
        }
    }

    #[inline(never)]
    fn fill<const PLACE: usize>(&mut self) -> u64 {
        moved::<PLACE>();
        let Self { map, count, keys, .. } = self;
        keys.extend((0..u64::from(*count)).map(|seed| map.insert(T::written(seed))));
        u64::from(*count)
    }

    #[inline(never)]
    fn get<const PLACE: usize>(&self) -> u64 {
        moved::<PLACE>();
        let mut sum = 0_u64;
        for &key in &self.keys {
            sum += self.map.get(key).map_or(0, T::first);
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
