//! The roster as it was published: one array of all slots, the live ones first.

use super::{Chunks, FIRST_SLOTS, Key};
use crate::store::{Keyed, Store};

/// Live slots before the partition, vacant ones after it; the one vacated last is next.
pub struct SwapDelete<T> {
    slots: Chunks<T>,
    words: Vec<u32>,
    /// The position of each live slot in the roster.
    positions: Vec<u32>,
    roster: Vec<u32>,
    live: usize,
}

impl<T: 'static> SwapDelete<T> {
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let slots = (2 * self.words.len()).max(FIRST_SLOTS);
        self.slots.grow(slots);
        self.words.resize(slots, 0);
        self.positions.resize(slots, 0);
        let fresh = self.roster.len() as u32..slots as u32;
        self.roster.extend(fresh);
    }

    /// Moves the partition below a slot after its value is gone.
    ///
    /// # Safety
    ///
    /// The slot was live.
    #[inline(always)]
    unsafe fn retire(&mut self, index: usize) {
        // SAFETY: a slot that exists.
        *unsafe { self.words.get_unchecked_mut(index) } += 1;
        // SAFETY: as above.
        let position = unsafe { *self.positions.get_unchecked(index) };
        self.live -= 1;
        // SAFETY: below the number of slots.
        let last = unsafe { *self.roster.get_unchecked(self.live) };
        // SAFETY: positions of live slots are below the partition.
        *unsafe { self.roster.get_unchecked_mut(position as usize) } = last;
        // SAFETY: below the number of slots.
        *unsafe { self.roster.get_unchecked_mut(self.live) } = index as u32;
        // SAFETY: the roster holds slots that exist.
        *unsafe { self.positions.get_unchecked_mut(last as usize) } = position;
    }
}

impl<T: 'static> Store<T> for SwapDelete<T> {
    fn name() -> &'static str {
        "limit: swap-delete roster, chunks by table of 128, words apart"
    }

    fn new() -> Self {
        Self {
            slots: Chunks::new(),
            words: Vec::new(),
            positions: Vec::new(),
            roster: Vec::new(),
            live: 0,
        }
    }

    #[inline(always)]
    fn add(&mut self, value: T) {
        self.insert(value);
    }

    #[inline(always)]
    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        let mut position = 0;
        while position < self.live {
            let index = self.roster[position] as usize;
            let value = self.slots.address(index);
            // SAFETY: a live slot's value.
            if keep(unsafe { &mut *value }) {
                position += 1;
                continue;
            }
            // SAFETY: as above, and retired below.
            unsafe { value.drop_in_place() };
            // SAFETY: it was live.
            unsafe { self.retire(index) };
        }
    }

    #[inline(always)]
    fn visit(&self, mut see: impl FnMut(&T)) {
        for &index in &self.roster[..self.live] {
            // SAFETY: a live slot's value.
            see(unsafe { &*self.slots.address(index as usize) });
        }
    }
}

impl<T: 'static> Keyed<T> for SwapDelete<T> {
    type Key = Key;

    #[inline(always)]
    fn insert(&mut self, value: T) -> Key {
        if self.live == self.roster.len() {
            self.grow();
        }
        // SAFETY: below the number of slots.
        let index = unsafe { *self.roster.get_unchecked(self.live) } as usize;
        // SAFETY: a vacant slot.
        unsafe { self.slots.address(index).write(value) };
        // SAFETY: a slot that exists.
        *unsafe { self.positions.get_unchecked_mut(index) } = self.live as u32;
        // SAFETY: as above.
        let word = unsafe { self.words.get_unchecked_mut(index) };
        *word += 1;
        self.live += 1;
        Key { index: index as u32, word: *word }
    }

    #[inline(always)]
    fn remove(&mut self, key: Key) -> Option<T> {
        let index = key.index as usize;
        if self.words.get(index) != Some(&key.word) {
            return None;
        }
        // SAFETY: it is live.
        unsafe { self.retire(index) };
        // SAFETY: the value was live, and can no longer be found.
        Some(unsafe { self.slots.address(index).read() })
    }

    #[inline(always)]
    fn get(&self, key: Key) -> Option<&T> {
        let index = key.index as usize;
        if self.words.get(index) != Some(&key.word) {
            return None;
        }
        // SAFETY: the word belongs to a live slot.
        Some(unsafe { &*self.slots.address(index) })
    }
}
