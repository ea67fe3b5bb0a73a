//! A cache of boxed entries behind a `HashMap`: a random look-up, and, in one of five, an eviction and an insertion.

use std::collections::{HashMap, VecDeque};
use std::hint::black_box;

use typed_pool::Pooled;

use super::pointers::Box;
use crate::clock::{Clock, Phases};
use crate::random::Random;

const ENTRIES: usize = 50_000;
const KEYS: usize = ENTRIES * 5 / 4;
const LOOK_UPS: usize = 200_000;
const ROUNDS: usize = 5;

#[derive(Pooled)]
struct Entry {
    payload: [u64; 7],
    hits: u64,
}

/// The entries, and their keys from the oldest on.
#[derive(Default)]
struct Cache {
    map: HashMap<usize, Box<Entry>>,
    order: VecDeque<usize>,
}

impl Cache {
    fn get(&mut self, key: usize) -> u64 {
        if let Some(entry) = self.map.get_mut(&key) {
            entry.hits += 1;
            return entry.payload[0];
        }
        if self.map.len() == ENTRIES {
            let oldest = self.order.pop_front().expect("an entry has a key");
            self.map.remove(&oldest);
        }
        self.order.push_back(key);
        self.map.insert(key, Box::new(Entry { payload: [key as u64; 7], hits: 0 }));
        key as u64
    }
}

pub(crate) fn run() -> Phases {
    let mut clock = Clock::start();
    let mut random = Random::new();
    for _ in 0..ROUNDS {
        let mut cache = Cache::default();
        (0..ENTRIES).for_each(|key| {
            cache.get(key);
        });
        clock.phase("cache: look up, evict, insert", LOOK_UPS, || {
            black_box((0..LOOK_UPS).fold(0, |sum, _| sum ^ cache.get(random.below(KEYS))))
        });
    }
    clock.stop()
}
