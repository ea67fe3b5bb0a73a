//! The occupied slots of a roster, and the lowest that is vacant.

use crate::memory::heap::PoolVec;
use crate::roster::store::{NoRoom, copy_with_room};

#[cfg(test)]
mod tests;

/// Bits in a word, and words under one bit of the level above.
const BITS: usize = u64::BITS as usize;

/// A bit for each slot, which is 1 while the slot is not vacant, and a way to find the lowest 0 in O(1).
///
/// The lowest vacant slot is taken first, so new elements lie close together and in the order of memory, whatever
/// the order in which others were removed.
///
/// A word is *open* while it has a vacancy. The two lowest open words are known: in a crowd of constant size the element
/// that dies opens a word, the one that is born fills it, and then the lowest is what it was before. Two levels of
/// summaries tell of the others. A bit there says that a word may be open; it is set when the word opens, and cleared
/// when a search finds it out of date.
pub(super) struct Occupancy {
    /// Bits of slots that do not exist are 0.
    words: PoolVec<u64>,
    /// A bit for each word, which is 1 if the word is open, except for those named below. Empty for a single word.
    open_words: PoolVec<u64>,
    /// A bit for each of `open_words`, which is 1 if that is not 0. Empty for a single one.
    open_groups: PoolVec<u64>,
    /// The lowest open word; the number of words if there is none.
    lowest: usize,
    /// The lowest open word once `lowest` is full; 0 if it is not known.
    next: usize,
    /// How many slots there are.
    slots: usize,
}

impl Occupancy {
    #[inline]
    pub(super) const fn new() -> Self {
        Self {
            words: PoolVec::new(),
            open_words: PoolVec::new(),
            open_groups: PoolVec::new(),
            lowest: 0,
            next: 0,
            slots: 0,
        }
    }

    /// How many slots there are.
    #[inline]
    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    /// A bit for each slot.
    #[inline(always)]
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// A slot before which none is occupied: the first of a word.
    #[inline]
    pub(super) fn start(&self) -> usize {
        if self.words.first() == Some(&0) { self.skip_empty() } else { 0 }
    }

    #[cold]
    #[inline]
    fn skip_empty(&self) -> usize {
        let is_empty = |words: &&[u64]| words.iter().fold(0, |all, word| all | word) == 0;
        let first = BITS * self.words.chunks_exact(BITS).take_while(is_empty).count();
        first_one(&self.words, first * BITS).map_or(self.slots, |slot| slot / BITS * BITS)
    }

    /// A copy with room for `slots` slots; an error if the heap has no room. [`Occupancy::resize`] must follow.
    #[inline]
    pub(super) fn with_room(&self, slots: usize) -> Result<Self, NoRoom> {
        let words = slots.div_ceil(BITS);
        let groups = words_above(words);
        Ok(Self {
            words: copy_with_room(&self.words, words)?,
            open_words: copy_with_room(&[], groups)?,
            open_groups: copy_with_room(&[], words_above(groups))?,
            ..*self
        })
    }

    /// Sets the number of slots; new ones are vacant. If there are more than before, [`Occupancy::with_room`] has made the
    /// room.
    #[inline]
    pub(super) fn resize(&mut self, slots: usize) {
        self.words.resize(slots.div_ceil(BITS), 0);
        if let Some(part) = self.words.get_mut(slots / BITS) {
            *part &= (1 << (slots % BITS)) - 1;
        }
        self.slots = slots;
        // The summaries and the lowest words are found anew, in the memory at hand.
        summarise(&self.words, u64::MAX, &mut self.open_words);
        summarise(&self.open_words, 0, &mut self.open_groups);
        let lowest = self.words.iter().position(|&word| word != u64::MAX);
        (self.lowest, self.next) = (lowest.unwrap_or(self.words.len()), 0);
    }

    /// Takes the lowest vacant slot. `None` also if the next open word would have to be searched further than in one group.
    #[inline(always)]
    pub(super) fn take_at_hand(&mut self) -> Option<usize> {
        let at = self.lowest;
        let word = self.words.get(at)?;
        let slot = at * BITS + word.trailing_ones() as usize;
        if slot >= self.slots {
            return None;
        }
        let with_it = *word | word.wrapping_add(1);
        if with_it == u64::MAX {
            self.lowest = if self.next == 0 { self.next_at_hand(at)? } else { self.next };
            self.next = 0;
        }
        self.words[at] = with_it;
        Some(slot)
    }

    /// The first open word behind the lowest, which is this one, if it is in the same group and the summary is up to date.
    #[inline(always)]
    fn next_at_hand(&mut self, at: usize) -> Option<usize> {
        let words = self.open_words.get_mut(at / BITS)?;
        let rest = *words & behind(at);
        let next = at / BITS * BITS + rest.trailing_zeros() as usize;
        if rest == 0 || *self.words.get(next)? == u64::MAX {
            return None;
        }
        *words = rest;
        Some(next)
    }

    /// Finds the first open word behind the lowest, which is this one.
    #[inline]
    fn open_behind(&mut self, mut at: usize) -> usize {
        loop {
            match self.listed_behind(at) {
                None => return self.words.len(),
                Some(listed) if self.words.get(listed) != Some(&u64::MAX) => return listed,
                Some(full) => at = full,
            }
        }
    }

    /// The next word behind this one that the summaries call open. Those before it, which are full or the lowest, are
    /// struck off.
    #[inline]
    fn listed_behind(&mut self, at: usize) -> Option<usize> {
        let group = at / BITS;
        let words = self.open_words.get_mut(group)?;
        *words &= behind(at);
        if *words != 0 {
            return Some(group * BITS + words.trailing_zeros() as usize);
        }
        *self.open_groups.get_mut(group / BITS)? &= !(1 << (group % BITS));
        let group = first_one(&self.open_groups, group + 1)?;
        Some(group * BITS + self.open_words[group].trailing_zeros() as usize)
    }

    /// Makes an occupied slot vacant.
    ///
    /// # Safety
    ///
    /// The slot exists.
    #[inline(always)]
    pub(super) unsafe fn release(&mut self, slot: usize) {
        let at = slot / BITS;
        // SAFETY: there is a bit for every slot.
        let word = unsafe { self.words.get_unchecked_mut(at) };
        let was_full = *word == u64::MAX;
        *word &= !(1 << (slot % BITS));
        if was_full {
            self.opened(at);
        }
    }

    /// Makes a slot occupied, whichever it is.
    #[inline]
    pub(super) fn occupy(&mut self, slot: usize) {
        let at = slot / BITS;
        self.words[at] |= 1 << (slot % BITS);
        if self.words[at] != u64::MAX {
            return;
        }
        if at == self.lowest {
            self.lowest = if self.next == 0 { self.open_behind(at) } else { self.next };
            self.next = 0;
        } else if at == self.next {
            self.next = 0;
        }
    }

    /// A word that was full is open.
    #[inline(always)]
    fn opened(&mut self, at: usize) {
        let mut other = at;
        if at < self.lowest {
            (self.lowest, self.next, other) = (at, self.lowest, self.next);
        } else if at < self.next {
            (self.next, other) = (at, self.next);
        }
        // The first word can only be the lowest: here 0 means that there is none.
        if other != 0 {
            self.list(other);
        }
    }

    /// Enters an open word into the summaries.
    #[inline(never)]
    fn list(&mut self, at: usize) {
        let group = at / BITS;
        let Some(words) = self.open_words.get_mut(group) else { return };
        let was = *words;
        *words = was | (1 << (at % BITS));
        if was == 0 {
            if let Some(groups) = self.open_groups.get_mut(group / BITS) {
                *groups |= 1 << (group % BITS);
            }
        }
    }

    /// Whether the slot exists and is occupied.
    #[inline]
    pub(super) fn is_occupied(&self, slot: usize) -> bool {
        self.words.get(slot / BITS).is_some_and(|word| word & (1 << (slot % BITS)) != 0)
    }

    /// The lowest vacant slot.
    #[inline]
    pub(super) fn lowest_vacant(&self) -> Option<usize> {
        let word = self.words.get(self.lowest)?;
        Some(self.lowest * BITS + word.trailing_ones() as usize).filter(|&slot| slot < self.slots)
    }

    /// Heap bytes held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        let tables = [&self.words, &self.open_words, &self.open_groups];
        tables.map(|table| table.capacity()).iter().sum::<usize>() * size_of::<u64>()
    }
}

/// How many words there are in the level above this many words.
#[inline]
fn words_above(words: usize) -> usize {
    if words > 1 { words.div_ceil(BITS) } else { 0 }
}

/// Fills the level above `words`: a bit for each word, which is 0 if that is `closed`.
#[inline]
fn summarise(words: &[u64], closed: u64, above: &mut PoolVec<u64>) {
    let bit = |bits, &word| (bits << 1) | u64::from(word != closed);
    let bits = words.chunks(BITS).map(|words| words.iter().rev().fold(0, bit));
    above.clear();
    above.extend(bits.take(words_above(words.len())));
}

/// The first bit from `first` on that is 1.
#[inline]
pub(super) fn first_one(words: &[u64], first: usize) -> Option<usize> {
    let mut at = first / BITS;
    let mut word = words.get(at)? & (u64::MAX << (first % BITS));
    while word == 0 {
        at += 1;
        word = *words.get(at)?;
    }
    Some(at * BITS + word.trailing_zeros() as usize)
}

/// The bits of a word that are higher than that of `at`.
const fn behind(at: usize) -> u64 {
    (u64::MAX << (at % BITS)) << 1
}
