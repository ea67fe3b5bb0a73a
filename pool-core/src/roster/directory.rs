//! The directory of a roster's slots: which are live, and by what handle.
//!
//! Not generic: except for what is inlined, it is compiled once for all element types.

use core::num::NonZeroU32;

use crate::base::handle::{is_of_handle, tag_of};
use crate::memory::heap::PoolVec;
use crate::roster::dense::OrderTables;
use crate::roster::occupancy::{Occupancy, first_one};
use crate::roster::store::{NoRoom, copy_with_room};
use crate::roster::word::{RawHandle, handle_word, next_word, vacant_word};

pub(crate) mod restore;

/// A slot is in one of four states:
///
/// | | `words` | `occupancy` |
/// |---|---|---|
/// | live | its handle's word | 1 |
/// | vacant | the next handle's word, less the lowest bit | 0 |
/// | reserved: detached, or its element is being made | its handle's word, less the lowest bit | 1 |
/// | retired | 0 | 1 |
///
/// A handle's word has the lowest bit, so one look at `words` checks a handle. The last two states are rare, and
/// while no slot is in either, the occupied slots are the live ones; so no third table is needed.
pub(super) struct Directory {
    /// For as many slots as there ever were: a slot whose memory went back to the heap keeps its generation.
    words: PoolVec<u32>,
    /// The word of a slot before its first use; 0 before the roster has a tag.
    pub(super) first_word: u32,
    pub(super) occupancy: Occupancy,
    pub(super) order: OrderTables,
    /// How many slots became live so far, and how many of these are no longer. (The numbers wrap.)
    pub(super) inserted: usize,
    removed: usize,
    pub(super) reserved: usize,
    /// Retired slots, with memory or without.
    pub(super) retired: usize,
}

impl Directory {
    /// Without a slot. A constant for the derive, which then evaluates it once for all types.
    pub(super) const EMPTY: Self = Self {
        words: PoolVec::new(),
        first_word: 0,
        occupancy: Occupancy::new(),
        order: OrderTables::NONE,
        inserted: 0,
        removed: 0,
        reserved: 0,
        retired: 0,
    };

    /// Live slots.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.inserted.wrapping_sub(self.removed)
    }

    /// The tag of the handles, once there is one.
    #[inline]
    pub(super) fn tag(&self) -> Option<u8> {
        (self.first_word != 0).then(|| tag_of(self.first_word))
    }

    /// How many slots were ever used. O(slots) if some are reserved, otherwise O(log slots).
    ///
    /// A slot is first used only when all before it are occupied, so the used slots come first, and their number is
    /// the most that were occupied at a time.
    #[inline]
    pub(super) fn used(&self) -> usize {
        if self.reserved == 0 {
            return self.words.partition_point(|&word| word != self.first_word);
        }
        let is_used = |&at: &usize| self.words[at] != self.first_word || !self.is_spare(at);
        (0..self.words.len()).rev().find(is_used).map_or(0, |last| last + 1)
    }

    /// How many slots can be taken without growth. O(1), unless memory went back whose slots are retired.
    #[inline]
    pub(super) fn vacant(&self) -> usize {
        let slots = self.occupancy.slots();
        // Retired slots whose memory went back are occupied, but none of these slots.
        let gone = if self.retired == 0 { &[] } else { &self.words[slots..] };
        slots + gone.iter().filter(|&&word| word == 0).count() - self.occupied_or_lost()
    }

    /// How many slots are live, reserved, or retired, with memory or without.
    #[inline]
    pub(super) fn occupied_or_lost(&self) -> usize {
        self.len() + self.reserved + self.retired
    }

    /// Whether there may be occupied slots that are not live.
    #[inline(always)]
    pub(super) fn has_exceptions(&self) -> bool {
        self.reserved + self.retired != 0
    }

    #[inline(always)]
    pub(super) fn words(&self) -> &[u32] {
        &self.words
    }

    /// Whether the slot is live, and this is its handle's word.
    #[inline(always)]
    pub(super) fn contains(&self, (index, word): RawHandle) -> bool {
        let (words, at) = (self.words.as_slice(), index as usize);
        // (In an unoptimised build indexing is no call, and `get` is several.)
        at < words.len() && words[at] == word.get()
    }

    /// The handle to a slot, if it is live.
    #[inline]
    pub(super) fn entry(&self, index: u32) -> Option<RawHandle> {
        let word = NonZeroU32::new(*self.words.get(index as usize)?)?;
        is_of_handle(word.get()).then_some((index, word))
    }

    /// Finds the first live slot from `first` on, and moves `first` behind it.
    #[inline]
    pub(super) fn pop_first(&self, first: &mut usize) -> Option<RawHandle> {
        // The next slot often is live. What lies behind the last element is not looked at.
        while self.len() != 0 {
            if let Some(entry) = self.entry(*first as u32) {
                *first += 1;
                return Some(entry);
            }
            *first = first_one(self.occupancy.words(), *first + 1)?;
        }
        None
    }

    /// Whether the slot is reserved for this handle.
    #[inline]
    pub(super) fn is_reserved(&self, (index, word): RawHandle) -> bool {
        let at = index as usize;
        // A forged handle's word may be 0 except for the lowest bit, and a retired slot's word is 0.
        self.occupancy.is_occupied(at)
            && vacant_word(word) != 0
            && self.words[at] == vacant_word(word)
    }

    /// Takes the lowest vacant slot, which is live from here on.
    #[inline]
    pub(super) fn insert(&mut self) -> Option<RawHandle> {
        let entry = self.reserve()?;
        self.fill(entry);
        Some(entry)
    }

    /// [`Directory::insert`]. `None` also if there is more to do than usual.
    #[inline(always)]
    pub(super) fn insert_at_hand(&mut self) -> Option<RawHandle> {
        if self.order.is_kept {
            return None;
        }
        let at = self.occupancy.take_at_hand()?;
        // SAFETY: there is a word for every slot.
        let known = unsafe { self.words.get_unchecked_mut(at) };
        let word = handle_word(*known);
        *known = word.get();
        self.inserted = self.inserted.wrapping_add(1);
        Some((at as u32, word))
    }

    /// Makes a live slot vacant; `false` if the handle is stale.
    #[inline(always)]
    pub(super) fn remove(&mut self, entry: RawHandle) -> bool {
        let at = entry.0 as usize;
        let Some(known) = self.words.get_mut(at).filter(|known| **known == entry.1.get()) else {
            return false;
        };
        self.removed = self.removed.wrapping_add(1);
        if self.order.is_kept {
            self.order.remove(at);
        }
        let Some(next) = next_word(entry.1) else {
            *known = 0;
            self.retired += 1;
            return true;
        };
        *known = next;
        // SAFETY: a slot that is live exists.
        unsafe { self.occupancy.release(at) };
        true
    }

    /// The lowest vacant slot, and the handle that it will have.
    #[inline]
    pub(super) fn next(&self) -> Option<RawHandle> {
        let at = self.occupancy.lowest_vacant()?;
        Some((at as u32, handle_word(self.words[at])))
    }

    /// Takes the lowest vacant slot, which is reserved from here on.
    #[inline]
    pub(super) fn reserve(&mut self) -> Option<RawHandle> {
        let entry = self.next()?;
        self.occupancy.occupy(entry.0 as usize);
        self.reserved += 1;
        Some(entry)
    }

    /// Makes a reserved slot live.
    #[inline]
    pub(super) fn fill(&mut self, entry: RawHandle) {
        debug_assert!(self.is_reserved(entry));
        self.reserved -= 1;
        self.words[entry.0 as usize] = entry.1.get();
        self.inserted = self.inserted.wrapping_add(1);
        if self.order.is_kept {
            self.order.insert(entry.0);
        }
    }

    /// Makes a live slot reserved; `false` if the handle is stale.
    #[inline]
    pub(super) fn detach(&mut self, entry: RawHandle) -> bool {
        let is_live = self.contains(entry);
        if is_live {
            self.words[entry.0 as usize] = vacant_word(entry.1);
            self.removed = self.removed.wrapping_add(1);
            if self.order.is_kept {
                self.order.remove(entry.0 as usize);
            }
            self.reserved += 1;
        }
        is_live
    }

    /// Makes a reserved slot vacant; `false` if it is none.
    #[inline]
    pub(super) fn release(&mut self, entry: RawHandle) -> bool {
        let is_reserved = self.is_reserved(entry);
        if is_reserved {
            self.fill(entry);
            self.remove(entry);
        }
        is_reserved
    }

    /// Returns a copy with `slots` slots; an error if the heap has no room. New ones are vacant, with the first word if they never
    /// existed before; none that goes is live or reserved.
    #[inline]
    pub(super) fn resized(&self, slots: usize) -> Result<Self, NoRoom> {
        let mut resized = Self {
            words: copy_with_room(&self.words, slots)?,
            occupancy: self.occupancy.with_room(slots)?,
            order: self.order.resized(slots)?,
            ..*self
        };
        resized.resize(slots);
        Ok(resized)
    }

    /// [`Directory::resized`], in memory that has room. The order stays as it was.
    #[inline]
    fn resize(&mut self, slots: usize) {
        let known = self.words.len();
        self.words.resize(known.max(slots), self.first_word);
        let returning = self.occupancy.slots()..known.min(slots);
        self.occupancy.resize(slots);
        // A slot that never existed is not retired.
        returning.filter(|&at| self.words[at] == 0).for_each(|at| self.occupancy.occupy(at));
    }

    /// Makes all slots as if they were new, with the word `first`. None is live or reserved.
    #[inline]
    pub(super) fn renew(&mut self, first: u32) {
        let slots = self.occupancy.slots();
        self.first_word = first;
        self.words.clear();
        self.retired = 0;
        self.occupancy.resize(0);
        self.resize(slots);
    }

    /// The directory that has no slot yet, and these words for the first ones that it gets. None of them is live or reserved.
    #[cfg(feature = "serde")]
    #[inline]
    pub(super) fn of_words(words: &[u32], first_word: u32) -> Result<Self, NoRoom> {
        Ok(Self {
            words: copy_with_room(words, 0)?,
            first_word,
            retired: words.iter().filter(|&&word| word == 0).count(),
            ..Self::EMPTY
        })
    }

    /// Keeps the first `slots` slots; those behind them are spare. Table memory goes back to the heap, unless the
    /// heap has no room for smaller tables.
    #[inline]
    pub(super) fn shrink(&mut self, slots: usize) {
        self.resize(slots);
        if let Ok(smaller) = self.resized(slots) {
            *self = smaller;
        }
    }

    /// How many slots there are up to the last that is live or reserved. O(slots).
    #[inline]
    pub(super) fn end(&self) -> usize {
        (0..self.occupancy.slots()).rfind(|&at| !self.is_spare(at)).map_or(0, |last| last + 1)
    }

    /// Whether the slot is neither live nor reserved.
    #[inline]
    pub(super) fn is_spare(&self, at: usize) -> bool {
        self.words[at] == 0 || !self.occupancy.is_occupied(at)
    }

    /// Heap bytes held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>() + self.occupancy.bytes() + self.order.bytes()
    }
}
