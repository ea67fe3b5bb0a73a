//! Which slots of a roster are vacant, the lowest first.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

/// Bits in a word, and words under one bit of the level above.
const BITS: usize = u64::BITS as usize;

/// A set of indices that gives its lowest member in O(1).
///
/// A bit for each index, and above it levels of summaries: a bit for each word below that is not 0.
/// The lowest vacant slot is taken first, so new elements come to lie close together and in the order
/// of memory, whatever the order in which others died.
#[derive(Clone, Debug)]
pub(super) struct Vacancies {
    /// A bit for each index.
    words: Vec<u64>,
    /// The first is over `words`, the last has one word.
    summaries: Vec<Vec<u64>>,
    /// The first of `words` that is not 0; their number if all are.
    lowest: usize,
}

impl Vacancies {
    pub(super) const fn new() -> Self {
        Self { words: Vec::new(), summaries: Vec::new(), lowest: 0 }
    }

    /// Makes room for the indices below `len`, but for the summaries, which take a sixtieth.
    pub(super) fn try_reserve(&mut self, len: usize) -> Result<(), TryReserveError> {
        let missing = len.div_ceil(BITS).saturating_sub(self.words.len());
        self.words.try_reserve_exact(missing)
    }

    /// The indices below `len` from here on, those of `added` among them as vacant. What was
    /// vacant below `len` stays so.
    pub(super) fn resize(&mut self, len: usize, added: impl IntoIterator<Item = usize>) {
        self.words.resize(len.div_ceil(BITS), 0);
        if len % BITS != 0 {
            if let Some(last) = self.words.last_mut() {
                *last &= (1 << (len % BITS)) - 1;
            }
        }
        for index in added {
            self.words[index / BITS] |= 1 << (index % BITS);
        }
        self.summarise();
    }

    /// Makes the summaries anew.
    fn summarise(&mut self) {
        self.summaries.clear();
        let mut below = &self.words;
        while below.len() > 1 {
            let any = |words: &[u64]| {
                words.iter().rev().fold(0, |bits, &word| (bits << 1) | u64::from(word != 0))
            };
            let summary = below.chunks(BITS).map(any).collect();
            self.summaries.push(summary);
            below = &self.summaries[self.summaries.len() - 1];
        }
        self.lowest = self.find_lowest();
    }

    /// Takes the lowest index out of the set.
    #[inline(always)]
    pub(super) fn take_lowest(&mut self) -> Option<usize> {
        let at = self.lowest;
        let word = self.words.get_mut(at)?;
        let bit = word.trailing_zeros() as usize;
        *word &= word.wrapping_sub(1);
        if *word == 0 {
            self.lowest_spent();
        }
        Some(at * BITS + bit)
    }

    /// The word that was the lowest has become 0.
    #[cold]
    #[inline(never)]
    fn lowest_spent(&mut self) {
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

    /// The first of `words` that is not 0; their number if all are.
    fn find_lowest(&self) -> usize {
        let mut at = 0;
        for summary in self.summaries.iter().rev() {
            let word = summary[at];
            if word == 0 {
                return self.words.len();
            }
            at = at * BITS + word.trailing_zeros() as usize;
        }
        if self.words.get(at).is_some_and(|&word| word != 0) { at } else { self.words.len() }
    }

    /// Puts an index into the set.
    #[inline(always)]
    pub(super) fn insert(&mut self, index: usize) {
        let at = index / BITS;
        let word = &mut self.words[at];
        let was = *word;
        *word = was | (1 << (index % BITS));
        if was == 0 {
            self.first_in_word(at);
        }
    }

    /// The word `at` was 0 and is no longer.
    #[cold]
    #[inline(never)]
    fn first_in_word(&mut self, at: usize) {
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

    pub(super) fn contains(&self, index: usize) -> bool {
        let word = self.words.get(index / BITS);
        word.is_some_and(|word| word & (1 << (index % BITS)) != 0)
    }

    /// How many indices are in the set. O(n / 64).
    pub(super) fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
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

    #[test]
    fn gives_the_lowest_of_any_number() {
        // One, two and three levels of summaries, and sizes about the boundaries.
        for len in [1, 2, 63, 64, 65, 4095, 4096, 4097, 70_000, 262_145] {
            let mut set = Vacancies::new();
            set.try_reserve(len).unwrap();
            set.resize(len, 0..len);
            assert_eq!(set.len(), len);
            for index in 0..len {
                assert_eq!(set.take_lowest(), Some(index));
            }
            assert_eq!(set.take_lowest(), None);
            for index in [len - 1, len / 2, len / 3] {
                set.insert(index);
                assert!(set.contains(index));
                assert_eq!(set.take_lowest(), Some(index));
                assert_eq!(set.take_lowest(), None);
            }
        }
    }

    #[test]
    fn agrees_with_a_tree() {
        let len = 20_000;
        let mut set = Vacancies::new();
        set.try_reserve(len).unwrap();
        set.resize(len, []);
        let mut model = BTreeSet::new();
        let mut state = 7_u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            if state >> 63 == 0 {
                let index = (state >> 33) as usize % len;
                if model.insert(index) {
                    set.insert(index);
                }
            } else {
                assert_eq!(set.take_lowest(), model.pop_first());
            }
        }
        assert_eq!(set.len(), model.len());
    }

    #[test]
    fn shrinks_and_grows() {
        let mut set = Vacancies::new();
        set.try_reserve(10_000).unwrap();
        set.resize(10_000, [5, 70, 9_999]);
        set.resize(71, []);
        assert_eq!(
            (set.take_lowest(), set.take_lowest(), set.take_lowest()),
            (Some(5), Some(70), None)
        );
        set.try_reserve(5_000).unwrap();
        set.resize(5_000, [4_999]);
        assert_eq!((set.take_lowest(), set.take_lowest()), (Some(4_999), None));
        set.resize(0, []);
        assert_eq!(set.take_lowest(), None);
    }
}
