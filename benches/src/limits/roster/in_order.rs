//! The least that iteration in the order of memory can cost: the indices are known, and in order.

use core::cell::OnceCell;

use super::{Chunks, FIRST_SLOTS, Key};
use crate::store::{Keyed, Store};

/// Chunks of slots, and which of them are live, listed when that is first asked for.
pub struct InOrder<T> {
    slots: Chunks<T>,
    /// Odd where a slot is live.
    words: Vec<u32>,
    vacant: Vec<u32>,
    listed: OnceCell<Vec<u32>>,
}

impl<T: 'static> InOrder<T> {
    #[cold]
    fn grow(&mut self) {
        let before = self.words.len();
        let slots = (2 * before).max(FIRST_SLOTS);
        self.slots.grow(slots);
        self.words.resize(slots, 0);
        self.vacant.extend((before as u32..slots as u32).rev());
    }

    fn listed(&self) -> &[u32] {
        let is_live = |&index: &u32| self.words[index as usize] % 2 == 1;
        self.listed.get_or_init(|| (0..self.words.len() as u32).filter(is_live).collect())
    }

    fn is_live(&self, key: Key) -> bool {
        self.words.get(key.index as usize) == Some(&key.word)
    }
}

impl<T: 'static> Store<T> for InOrder<T> {
    fn name() -> &'static str {
        "limit: indices in order"
    }

    fn new() -> Self {
        Self {
            slots: Chunks::new(),
            words: Vec::new(),
            vacant: Vec::new(),
            listed: OnceCell::new(),
        }
    }

    fn add(&mut self, value: T) {
        self.insert(value);
    }

    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        for index in self.listed().to_vec() {
            // SAFETY: a live slot's value.
            if !keep(unsafe { &mut *self.slots.address(index as usize) }) {
                self.remove(Key { index, word: self.words[index as usize] });
            }
        }
    }

    #[inline(always)]
    fn visit(&self, mut see: impl FnMut(&T)) {
        for &index in self.listed() {
            // SAFETY: a live slot's value.
            see(unsafe { &*self.slots.address(index as usize) });
        }
    }
}

impl<T: 'static> Keyed<T> for InOrder<T> {
    type Key = Key;

    fn insert(&mut self, value: T) -> Key {
        self.listed.take();
        if self.vacant.is_empty() {
            self.grow();
        }
        let index = self.vacant.pop().expect("it has just grown");
        let word = &mut self.words[index as usize];
        *word += 1;
        // SAFETY: a vacant slot.
        unsafe { self.slots.address(index as usize).write(value) };
        Key { index, word: *word }
    }

    fn remove(&mut self, key: Key) -> Option<T> {
        if !self.is_live(key) {
            return None;
        }
        self.listed.take();
        self.words[key.index as usize] += 1;
        self.vacant.push(key.index);
        // SAFETY: the value was live, and can no longer be found.
        Some(unsafe { self.slots.address(key.index as usize).read() })
    }

    fn get(&self, key: Key) -> Option<&T> {
        // SAFETY: a live slot's value.
        self.is_live(key).then(|| unsafe { &*self.slots.address(key.index as usize) })
    }
}
