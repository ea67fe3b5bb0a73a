//! Random operations on rosters whose slots wear out, against a model; with `serde`, some are written down and
//! read again in between.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::mem;
use core::num::NonZeroU32;

use fastrand::Rng;

use crate::base::handle::{Handle, LAST_GENERATION};
use crate::roster::Roster;
use crate::roster::word::first_word;

struct Model {
    limit: usize,
    /// The last handle of every slot that ever had one.
    last: Vec<Handle<u32>>,
    live: BTreeMap<Handle<u32>, u32>,
    detached: Vec<Handle<u32>>,
    /// In dense order, once that was requested.
    order: Option<Vec<Handle<u32>>>,
}

impl Model {
    fn is_vacant(&self, handle: Handle<u32>) -> bool {
        !self.live.contains_key(&handle) && !self.detached.contains(&handle)
    }

    fn is_retired(&self, handle: Handle<u32>) -> bool {
        handle.generation() == LAST_GENERATION && self.is_vacant(handle)
    }

    fn retired(&self) -> usize {
        self.last.iter().filter(|&&handle| self.is_retired(handle)).count()
    }

    /// How many more elements there can be, if no slot wears out before.
    fn room(&self) -> usize {
        self.limit - self.live.len() - self.detached.len() - self.retired()
    }

    /// The slot and the generation of the next handle.
    fn next(&self) -> Option<(usize, u32)> {
        let is_free = |handle: &Handle<u32>| self.is_vacant(*handle) && !self.is_retired(*handle);
        match self.last.iter().position(is_free) {
            Some(slot) => Some((slot, self.last[slot].generation() + 1)),
            None => (self.last.len() < self.limit).then_some((self.last.len(), 1)),
        }
    }

    fn issue(&mut self, handle: Handle<u32>) {
        assert_eq!(self.next(), Some((handle.index(), handle.generation())));
        match self.last.get_mut(handle.index()) {
            Some(last) => *last = handle,
            None => self.last.push(handle),
        }
    }

    fn put(&mut self, handle: Handle<u32>, value: u32) {
        self.live.insert(handle, value);
        self.order.iter_mut().for_each(|order| order.push(handle));
    }

    fn take(&mut self, handle: Handle<u32>) -> Option<u32> {
        let value = self.live.remove(&handle)?;
        if let Some(order) = &mut self.order {
            let place = order.iter().position(|other| *other == handle).unwrap();
            order.swap_remove(place);
        }
        Some(value)
    }

    fn take_all(&mut self) {
        // In the order of memory.
        while let Some((&handle, _)) = self.live.first_key_value() {
            self.take(handle);
        }
    }

    fn insert(&mut self, roster: &mut Roster<u32>, value: u32) {
        let expected = self.next();
        match roster.try_insert(value) {
            Ok(handle) => {
                self.issue(handle);
                self.put(handle, value);
            }
            Err(error) => {
                assert_eq!((expected, error.capacity()), (None, self.limit));
                assert_eq!(roster.directory.retired, self.retired());
            }
        }
    }

    fn step(&mut self, roster: &mut Roster<u32>, random: &mut Rng, value: u32) {
        let live: Vec<_> = self.live.keys().copied().collect();
        match random.usize(..42) {
            0..10 => self.insert(roster, value),
            10..22 => {
                let Some(handle) = random.choice(live.iter().copied()) else { return };
                assert_eq!(roster.remove(handle), self.take(handle));
            }
            // The lowest slot wears out soonest.
            22..26 => {
                let Some(&handle) = live.first() else { return };
                assert_eq!(roster.remove(handle), self.take(handle));
                self.insert(roster, value);
            }
            26 => {
                let Ok(handle) = roster.reserve_slot() else {
                    return assert_eq!(self.next(), None);
                };
                self.issue(handle);
                if value % 2 == 0 {
                    roster.release(handle);
                } else {
                    self.detached.push(handle);
                }
            }
            27 | 28 => {
                let Some(handle) = random.choice(live.iter().copied()) else { return };
                assert_eq!(roster.detach(handle), self.take(handle));
                self.detached.push(handle);
            }
            29..32 => {
                let Some(handle) = random.choice(self.detached.iter().copied()) else { return };
                self.detached.retain(|other| *other != handle);
                roster.reattach(handle, value);
                self.put(handle, value);
            }
            // The closure of an `insert_with` cannot reach its roster, so what is reserved is detached.
            40 | 41 => {
                let Some(handle) = random.choice(self.last.iter().copied()) else { return };
                let is_detached = self.detached.contains(&handle);
                self.detached.retain(|other| *other != handle);
                assert_eq!(roster.release(handle), is_detached);
            }
            32 => {
                let is_kept = |value: &u32| value % 3 != 0;
                roster.retain(|_, value| is_kept(value));
                for handle in live {
                    if !is_kept(&self.live[&handle]) {
                        self.take(handle);
                    }
                }
            }
            33 => {
                roster.clear();
                self.take_all();
            }
            34 => {
                let additional = random.usize(..12);
                let is_reserved = roster.try_reserve(additional).is_ok();
                assert_eq!(is_reserved, additional <= self.room());
                if is_reserved {
                    let capacity = roster.capacity();
                    (0..additional).for_each(|_| self.insert(roster, value));
                    assert_eq!(roster.capacity(), capacity, "there was room");
                }
            }
            35 | 36 => {
                roster.shrink_to_fit();
                let ends = self.live.keys().chain(&self.detached).map(|handle| handle.index() + 1);
                let used = ends.max().unwrap_or(0);
                assert!(roster.capacity() >= used && (used > 0 || roster.capacity() == 0));
            }
            37 => {
                let clone = roster.clone();
                mem::replace(roster, clone).clear();
            }
            38 if !live.is_empty() => {
                let order: Vec<_> = roster.order().iter().map(|(handle, _)| handle).collect();
                assert_eq!(*self.order.get_or_insert_with(|| order.clone()), order);
            }
            _ => {
                #[cfg(feature = "serde")]
                {
                    let written = serde_json::to_string(roster).unwrap();
                    *roster = serde_json::from_str(&written).unwrap();
                }
            }
        }
    }

    fn check(&self, roster: &mut Roster<u32>) {
        let stats = roster.stats();
        assert_eq!((stats.live, stats.high_water), (self.live.len(), self.last.len()));
        assert_eq!(stats.detached, self.detached.len());
        assert_eq!(roster.directory.retired, self.retired());
        assert!(roster.capacity() <= self.limit);
        assert!(roster.iter().map(|(handle, value)| (handle, *value)).eq(self.live.clone()));
        assert!(
            roster.iter().rev().map(|(handle, value)| (handle, *value)).eq(self
                .live
                .clone()
                .into_iter()
                .rev())
        );
        assert_eq!(roster.iter().len(), self.live.len());
        for &last in &self.last {
            for generation in 1..=LAST_GENERATION {
                let word = first_word(last.tag()) + 2 * (generation - 1) + 1;
                let handle = Handle::new(last.slot(), NonZeroU32::new(word).unwrap());
                let is_detached = self.detached.contains(&handle);
                assert_eq!(roster.get(handle), self.live.get(&handle));
                let entry = handle.raw();
                assert_eq!(roster.directory.is_reserved(entry), is_detached);
            }
        }
        for (place, &handle) in self.order.iter().flatten().enumerate() {
            assert_eq!(roster.order().index_of(handle), Some(place));
        }
    }
}

#[test]
fn a_roster_that_wears_out_agrees_with_its_model() {
    let (mut most_retired, mut was_full) = (0, false);
    for seed in 0..400 {
        let mut random = Rng::with_seed(seed);
        let limit = [usize::MAX, 1, 3, 6, 17, 70][random.usize(..6)];
        let mut roster = Roster::new();
        if limit < usize::MAX {
            roster = Roster::bounded(limit);
        }
        let mut model = Model {
            limit,
            last: Vec::new(),
            live: BTreeMap::new(),
            detached: Vec::new(),
            order: None,
        };
        for n in 0..200 {
            model.step(&mut roster, &mut random, n);
            model.check(&mut roster);
        }
        most_retired = most_retired.max(model.retired());
        was_full |= model.next().is_none();
    }
    assert!(most_retired >= 10 && was_full, "{most_retired}");
}
