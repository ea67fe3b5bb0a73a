//! What a roster knows of its slots: which are live, and by what handle.
//!
//! Not generic: compiled once for all element types. One bitmap tells iteration which slots are live,
//! in the order of memory; another finds the lowest that is vacant (`vacancies.rs`).

use alloc::vec::Vec;
use core::num::NonZeroU32;

use super::dense::Dense;
use super::vacancies::Vacancies;
use crate::handle::{handles_word, is_handles, next_word, vacant_word};

/// A slot is in one of four states:
///
/// | | `words` | `live` | `vacancies` |
/// |---|---|---|---|
/// | live | its handle's word | yes | no |
/// | vacant | the next handle's word, less the lowest bit | no | yes |
/// | reserved: detached, or its element is being made | its handle's word, less the lowest bit | no | no |
/// | retired | 0 | no | no |
///
/// A handle's word has the lowest bit, so a look at `words` is all that it takes to check one.
#[derive(Clone, Debug)]
pub(super) struct Directory {
    /// As long as there ever were slots: what has been given back to the heap keeps its generation.
    words: Vec<u32>,
    live: Vec<u64>,
    vacancies: Vacancies,
    dense: Dense,
    /// How many slots there are.
    slots: usize,
    /// Live slots.
    len: usize,
    /// The most that were live at a time, but for those that are so now.
    peak: usize,
    retired: usize,
}

/// A slot, and the word of the handle to it.
pub(super) type Entry = (u32, NonZeroU32);

impl Directory {
    pub(super) const fn new() -> Self {
        Self {
            words: Vec::new(),
            live: Vec::new(),
            vacancies: Vacancies::new(),
            dense: Dense::new(),
            slots: 0,
            len: 0,
            peak: 0,
            retired: 0,
        }
    }

    /// Live slots.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn retired(&self) -> usize {
        self.retired
    }

    pub(super) fn peak(&self) -> usize {
        self.peak.max(self.len)
    }

    /// How many slots can be taken without growth. O(slots / 64).
    pub(super) fn vacant(&self) -> usize {
        self.vacancies.len()
    }

    /// Of the slots that were given back to the heap, those that are retired.
    pub(super) fn retired_and_lost(&self) -> usize {
        self.words[self.slots..].iter().filter(|&&word| word == 0).count()
    }

    /// A bit for each slot.
    #[inline(always)]
    pub(super) fn live(&self) -> &[u64] {
        &self.live
    }

    #[inline(always)]
    pub(super) fn words(&self) -> &[u32] {
        &self.words
    }

    /// Whether the slot is live and known by this word, which is a handle's.
    #[inline(always)]
    pub(super) fn contains(&self, (index, word): Entry) -> bool {
        self.words.get(index as usize) == Some(&word.get())
    }

    /// The handle to a slot, if it is live.
    pub(super) fn entry(&self, index: u32) -> Option<Entry> {
        let word = NonZeroU32::new(*self.words.get(index as usize)?)?;
        is_handles(word).then_some((index, word))
    }

    /// The dense index of a live slot.
    pub(super) fn place(&self, entry: Entry) -> Option<usize> {
        self.contains(entry).then(|| self.dense.place(entry.0, &self.live))
    }

    /// The live slot with this dense index.
    pub(super) fn at_place(&self, place: usize) -> Option<Entry> {
        if place >= self.len {
            return None;
        }
        self.entry(self.dense.slot(place, &self.live))
    }

    /// Whether the slot is reserved for this handle.
    pub(super) fn is_reserved(&self, (index, word): Entry) -> bool {
        let at = index as usize;
        // A forged handle's word may be 0 but for the lowest bit, as is that of a retired slot.
        at < self.slots
            && vacant_word(word) != 0
            && self.words.get(at) == Some(&vacant_word(word))
            && !self.vacancies.contains(at)
    }

    /// Takes the lowest vacant slot, which is live from here on.
    #[inline(always)]
    pub(super) fn insert(&mut self) -> Option<Entry> {
        let at = self.vacancies.take_lowest()?;
        let word = handles_word(self.words[at]);
        self.enrol(at, word);
        Some((at as u32, word))
    }

    /// Takes the lowest vacant slot, which is reserved from here on.
    pub(super) fn reserve(&mut self) -> Option<Entry> {
        let at = self.vacancies.take_lowest()?;
        Some((at as u32, handles_word(self.words[at])))
    }

    /// Makes a slot that is neither live nor vacant live.
    #[inline(always)]
    fn enrol(&mut self, at: usize, word: NonZeroU32) {
        self.words[at] = word.get();
        self.live[at / 64] |= 1 << (at % 64);
        self.dense.insert(at, self.len);
        self.len += 1;
    }

    /// Makes a reserved slot live.
    pub(super) fn fill(&mut self, entry: Entry) {
        debug_assert!(self.is_reserved(entry));
        self.enrol(entry.0 as usize, entry.1);
    }

    /// Makes a live slot one that is neither live nor vacant.
    #[inline(always)]
    fn strike(&mut self, at: usize) {
        self.peak = self.peak.max(self.len);
        self.len -= 1;
        self.dense.remove(at, self.len);
        self.live[at / 64] &= !(1 << (at % 64));
    }

    /// Makes a live slot vacant; `false` if the handle is not that of a live slot.
    #[inline(always)]
    pub(super) fn remove(&mut self, entry: Entry) -> bool {
        if !self.contains(entry) {
            return false;
        }
        let at = entry.0 as usize;
        self.strike(at);
        self.vacate(at, entry.1);
        true
    }

    /// Makes a slot that is neither live nor vacant vacant; `word` was its last handle's.
    #[inline(always)]
    fn vacate(&mut self, at: usize, word: NonZeroU32) {
        let next = next_word(word);
        self.words[at] = next;
        if next == 0 {
            self.retired += 1;
        } else {
            self.vacancies.insert(at);
        }
    }

    /// Makes a live slot reserved; `false` if the handle is not that of a live slot.
    pub(super) fn detach(&mut self, entry: Entry) -> bool {
        if !self.contains(entry) {
            return false;
        }
        self.strike(entry.0 as usize);
        self.words[entry.0 as usize] = vacant_word(entry.1);
        true
    }

    /// Makes a reserved slot vacant.
    pub(super) fn give_back(&mut self, entry: Entry) {
        debug_assert!(self.is_reserved(entry));
        self.vacate(entry.0 as usize, entry.1);
    }

    /// Forgets the handle to a live slot for a moment, so that it cannot be shown twice; `false` if it
    /// is not that of a live slot.
    pub(super) fn hide(&mut self, entry: Entry) -> bool {
        let is_live = self.contains(entry);
        if is_live {
            self.words[entry.0 as usize] = vacant_word(entry.1);
        }
        is_live
    }

    /// Undoes [`Directory::hide`].
    pub(super) fn show(&mut self, (index, word): Entry) {
        self.words[index as usize] = word.get();
    }

    /// Makes room for `slots` slots, which [`Directory::resize`] is to follow; `None` if the heap has
    /// none.
    pub(super) fn try_reserve(&mut self, slots: usize) -> Option<()> {
        let missing = |present: usize| slots.saturating_sub(present);
        self.words.try_reserve_exact(missing(self.words.len())).ok()?;
        self.live.try_reserve_exact(slots.div_ceil(64).saturating_sub(self.live.len())).ok()?;
        self.vacancies.try_reserve(slots).ok()?;
        self.dense.try_resize(slots)
    }

    /// From here on there are `slots` slots. New ones are vacant, and `first` is what the table says of
    /// those that never were before; no lost one is live or reserved.
    pub(super) fn resize(&mut self, slots: usize, first: u32) {
        if self.words.len() < slots {
            self.words.resize(slots, first);
        }
        self.live.resize(slots.div_ceil(64), 0);
        let words = &self.words;
        let added = (self.slots..slots).filter(|&at| words[at] != 0);
        self.vacancies.resize(slots, added);
        self.slots = slots;
    }

    /// Gives table memory that is not needed back to the heap.
    pub(super) fn shrink_to_fit(&mut self) {
        self.live.shrink_to_fit();
        // If the heap has no room for smaller tables, the large ones do.
        let _ = self.dense.try_resize(self.slots);
    }

    /// Whether the slot is neither live nor reserved.
    pub(super) fn is_spare(&self, at: usize) -> bool {
        self.words[at] == 0 || self.vacancies.contains(at)
    }

    /// Heap bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
            + self.live.capacity() * size_of::<u64>()
            + self.vacancies.bytes()
            + self.dense.bytes()
    }
}
