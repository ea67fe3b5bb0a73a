//! W3h: a crowd that is known by handles. Step by step one dies and one is born.
//!
//! A death and a birth are far apart in a program, in code that knows nothing of each other. In one loop the compiler
//! merges them: what a map has just written down as vacant it takes from a register, which only the simplest maps are
//! simple enough for. So there is one loop for all maps, and it calls them.

use core::mem::transmute_copy;

use crate::contestant::Keyed;
use crate::objects::{Obj64, Payload};
use crate::random::Random;

/// A crowd's map. Its keys are words here, whatever they are there.
trait Register {
    /// Inserts a value that is written from the seed.
    fn insert(&mut self, seed: u64) -> u64;

    /// Removes a value and returns its first field.
    fn remove(&mut self, key: u64) -> u64;

    /// Adds up the fields of a value.
    fn get(&self, key: u64) -> u64;
}

struct Map<M>(M);

impl<M: Keyed<Obj64>> Map<M> {
    fn key(word: u64) -> M::Key {
        const { assert!(size_of::<M::Key>() == size_of::<u64>(), "a key is a word") };
        // SAFETY: of one size, and the word was a key.
        unsafe { transmute_copy(&word) }
    }
}

impl<M: Keyed<Obj64>> Register for Map<M> {
    fn insert(&mut self, seed: u64) -> u64 {
        let key = self.0.insert(Obj64::written(seed));
        // SAFETY: of one size, as `key` asserts, and a key has no padding.
        unsafe { transmute_copy(&key) }
    }

    fn remove(&mut self, key: u64) -> u64 {
        self.0.remove(Self::key(key)).map_or(0, |dead| dead.first())
    }

    fn get(&self, key: u64) -> u64 {
        self.0.get(Self::key(key)).expect("the value lives").sum()
    }
}

/// A map of constant size, and the keys of all that is in it.
pub struct Crowd {
    map: Box<dyn Register>,
    keys: Vec<u64>,
    random: Random,
}

impl Crowd {
    /// This many newborn values.
    pub fn gather<M: Keyed<Obj64>>(count: u32) -> Self {
        let mut map = Box::new(Map(M::new()));
        let keys = (0..u64::from(count)).map(|seed| map.insert(seed)).collect();
        Self { map, keys, random: Random::new(3) }
    }

    /// This many random deaths, each followed by a birth. Adds up the first fields of the dead.
    #[inline(never)]
    pub fn churn(&mut self, steps: u64) -> u64 {
        let Self { map, keys, random } = self;
        let mut sum = 0_u64;
        for step in 0..steps {
            let place = random.below(keys.len() as u32) as usize;
            sum += map.remove(keys[place]);
            keys[place] = map.insert(step);
        }
        sum
    }

    /// Adds all values up by their keys, each by its place in the crowd.
    pub fn census(&self) -> u64 {
        let add = |sum: u64, &key: &u64| sum.rotate_left(1).wrapping_add(self.map.get(key));
        self.keys.iter().fold(0, add)
    }
}
