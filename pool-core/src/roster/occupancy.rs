//! Which slots of a roster are occupied, and the lowest that is vacant.

use alloc::vec::Vec;

use crate::roster::table::copy_with_room;

/// Bits in a word, and words under one bit of the level above.
const BITS: usize = u64::BITS as usize;

/// A bit for each slot, which is 1 while the slot is not vacant, and a way to find the lowest 0 in O(1).
///
/// Above the bits are levels of summaries, with a bit for each word below that has a vacancy. They are touched only
/// when a word fills up, or stops being full.
///
/// The lowest vacant slot is taken first, so new elements lie close together and in the order of memory, whatever
/// the order in which others were removed.
#[derive(Clone, Debug)]
pub(super) struct Occupancy {
    /// Bits of slots that do not exist are 0.
    words: Vec<u64>,
    /// The first is over `words`, the last has one word.
    summaries: Vec<Vec<u64>>,
    /// The first of `words` that is not full; their number if all are.
    lowest: usize,
    /// How many slots there are.
    slots: usize,
    /// Slots from here on may not be taken: none, unless there are more slots than a limit allows, or some have no
    /// memory.
    open: usize,
}

impl Occupancy {
    pub(super) const fn new() -> Self {
        Self { words: Vec::new(), summaries: Vec::new(), lowest: 0, slots: 0, open: 0 }
    }

    /// How many slots there are.
    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    /// A bit for each slot.
    #[inline(always)]
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// A copy with room for `slots` slots; `None` if the heap has no room. [`Occupancy::resize`] must follow.
    pub(super) fn with_room(&self, slots: usize) -> Option<Self> {
        let mut level = slots.div_ceil(BITS);
        let words = copy_with_room(&self.words, level).ok()?;
        let mut summaries = Vec::new();
        while level > 1 {
            level = level.div_ceil(BITS);
            summaries.try_reserve(1).ok()?;
            summaries.push(copy_with_room(&[], level).ok()?);
        }
        Some(Self { words, summaries, ..*self })
    }

    /// Sets the number of slots, all of which may be taken; `occupied` are not vacant. If there are more than
    /// before, [`Occupancy::with_room`] has made the room.
    pub(super) fn resize(&mut self, slots: usize, occupied: impl IntoIterator<Item = usize>) {
        self.words.resize(slots.div_ceil(BITS), 0);
        if slots % BITS != 0 {
            if let Some(last) = self.words.last_mut() {
                *last &= (1 << (slots % BITS)) - 1;
            }
        }
        for slot in occupied {
            self.words[slot / BITS] |= 1 << (slot % BITS);
        }
        (self.slots, self.open) = (slots, slots);
        self.summarise();
    }

    /// Rebuilds the summaries, in the memory that they have.
    fn summarise(&mut self) {
        let (mut below, mut closed) = (&self.words[..], u64::MAX);
        let mut levels = 0;
        for summary in &mut self.summaries {
            if below.len() <= 1 {
                break;
            }
            // A bit for each word that is not closed.
            let open = |bits, &word| (bits << 1) | u64::from(word != closed);
            summary.clear();
            summary.extend(below.chunks(BITS).map(|words| words.iter().rev().fold(0, open)));
            (below, closed) = (summary, 0);
            levels += 1;
        }
        debug_assert!(below.len() <= 1);
        self.summaries.truncate(levels);
        self.lowest = self.find_lowest();
    }

    /// Takes the lowest vacant slot.
    #[inline(always)]
    pub(super) fn take_lowest(&mut self) -> Option<usize> {
        let at = self.lowest;
        let word = self.words.get_mut(at)?;
        let slot = at * BITS + word.trailing_ones() as usize;
        if slot >= self.open {
            return None;
        }
        *word |= word.wrapping_add(1);
        if *word == u64::MAX {
            self.lowest_filled();
        }
        Some(slot)
    }

    /// The lowest word with a vacancy has filled up.
    #[inline(never)]
    fn lowest_filled(&mut self) {
        let mut at = self.lowest;
        for summary in &mut self.summaries {
            let (word, bit) = (at / BITS, at % BITS);
            summary[word] &= !(1 << bit);
            if summary[word] != 0 {
                break;
            }
            at = word;
        }
        self.lowest = self.find_lowest();
    }

    /// The first of `words` that is not full; their number if all are.
    fn find_lowest(&self) -> usize {
        let mut at = 0;
        for summary in self.summaries.iter().rev() {
            let word = summary[at];
            if word == 0 {
                return self.words.len();
            }
            at = at * BITS + word.trailing_zeros() as usize;
        }
        if self.words.get(at).is_some_and(|&word| word != u64::MAX) { at } else { self.words.len() }
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
        let was = *word;
        *word = was & !(1 << (slot % BITS));
        if was == u64::MAX {
            self.no_longer_full(at);
        }
    }

    /// A word that was full has a vacancy.
    #[inline(never)]
    fn no_longer_full(&mut self, at: usize) {
        self.lowest = self.lowest.min(at);
        let mut at = at;
        for summary in &mut self.summaries {
            let word = &mut summary[at / BITS];
            let was = *word;
            *word = was | (1 << (at % BITS));
            if was != 0 {
                break;
            }
            at /= BITS;
        }
    }

    /// Whether the slot exists and is vacant.
    pub(super) fn is_vacant(&self, slot: usize) -> bool {
        slot < self.slots && self.words[slot / BITS] & (1 << (slot % BITS)) == 0
    }

    /// How many slots are vacant. O(slots / 64).
    pub(super) fn vacant(&self) -> usize {
        let occupied: usize = self.words.iter().map(|word| word.count_ones() as usize).sum();
        self.slots - occupied
    }

    /// No vacant slot is taken until [`Occupancy::open_to`].
    pub(super) fn close(&mut self) {
        self.open = 0;
    }

    /// Whether some slots may not be taken.
    pub(super) fn is_closed(&self) -> bool {
        self.open < self.slots
    }

    /// Lets vacant slots before `end` be taken.
    pub(super) fn open_to(&mut self, end: usize) {
        self.open = self.slots.min(end);
    }

    /// The lowest vacant slot, even if it may not be taken.
    pub(super) fn lowest_vacant(&self) -> Option<usize> {
        let word = self.words.get(self.lowest)?;
        Some(self.lowest * BITS + word.trailing_ones() as usize).filter(|&slot| slot < self.slots)
    }

    /// Gives unneeded memory back to the heap, unless the heap has no room for smaller tables.
    pub(super) fn shrink_to_fit(&mut self) {
        if let Some(mut smaller) = self.with_room(self.slots) {
            smaller.resize(self.slots, []);
            *self = smaller;
        }
    }

    /// Heap bytes held.
    pub(super) fn bytes(&self) -> usize {
        let summaries: usize = self.summaries.iter().map(Vec::capacity).sum();
        (self.words.capacity() + summaries) * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    fn vacant(slots: usize) -> Occupancy {
        let mut set = Occupancy::new().with_room(slots).unwrap();
        set.resize(slots, []);
        set
    }

    fn release(set: &mut Occupancy, slot: usize) {
        assert!(slot < set.slots());
        // SAFETY: just asserted.
        unsafe { set.release(slot) };
    }

    #[test]
    fn gives_the_lowest_of_any_number() {
        // One, two and three levels of summaries, and sizes about the boundaries.
        for slots in [1, 2, 63, 64, 65, 4095, 4096, 4097, 70_000, 262_145] {
            let mut set = vacant(slots);
            assert_eq!(set.vacant(), slots);
            for slot in 0..slots {
                assert_eq!(set.take_lowest(), Some(slot));
            }
            assert_eq!((set.take_lowest(), set.vacant()), (None, 0));
            for slot in [slots - 1, slots / 2, slots / 3] {
                release(&mut set, slot);
                assert!(set.is_vacant(slot));
                assert_eq!(set.take_lowest(), Some(slot));
                assert_eq!(set.take_lowest(), None);
            }
        }
    }

    #[test]
    fn agrees_with_a_tree() {
        let slots = 20_000;
        let mut set = vacant(slots);
        let mut model: BTreeSet<_> = (0..slots).collect();
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..300_000 {
            if random.bool() {
                assert_eq!(set.take_lowest(), model.pop_first());
            } else {
                let slot = random.usize(..slots);
                if model.insert(slot) {
                    release(&mut set, slot);
                }
            }
        }
        assert_eq!(set.vacant(), model.len());
    }

    #[test]
    fn shrinks_and_grows() {
        let mut set = vacant(10_000);
        (0..10_000).for_each(|_| assert!(set.take_lowest().is_some()));
        [5, 70, 9_999].into_iter().for_each(|slot| release(&mut set, slot));
        let words = set.bytes() / size_of::<u64>();
        assert!((160..200).contains(&words), "157, and 3 of a summary: {words}");
        set.resize(71, []);
        set.shrink_to_fit();
        assert_eq!(set.bytes(), 3 * size_of::<u64>());
        let lowest = [(); 3].map(|()| set.take_lowest());
        assert_eq!(lowest, [Some(5), Some(70), None]);
        set = set.with_room(5_000).unwrap();
        set.resize(5_000, (71..5_000).filter(|&slot| slot != 4_999));
        assert_eq!((set.take_lowest(), set.take_lowest()), (Some(4_999), None));
        set.resize(0, []);
        assert_eq!(set.take_lowest(), None);
    }
}
