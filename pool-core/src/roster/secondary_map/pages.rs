//! The slots of a secondary map, in pages that are there where a value is.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::num::NonZeroU32;

use crate::base::handle::tag_of;

/// Bytes of a page, unless one slot needs more.
const PAGE: usize = 256;

/// A value, and the word of its handle.
#[derive(Clone)]
pub(super) struct KeyedValue<V> {
    pub(super) word: NonZeroU32,
    pub(super) value: V,
}

impl<V> KeyedValue<V> {
    /// Whether a handle with this word is known to be older than this value's handle. Between rosters with
    /// different tags, that is not known.
    pub(super) fn is_newer_than(&self, word: NonZeroU32) -> bool {
        tag_of(self.word.get()) == tag_of(word.get()) && self.word > word
    }
}

/// Slots in one piece, by the lower bits of their number.
pub(super) type Page<V> = Box<[Option<KeyedValue<V>>]>;

/// Slots by their number.
///
/// A slot without a value takes at most two words, or its share of a page in which another slot has one. So a map
/// of few values, or from untrusted input, takes memory for its values and little for the gaps.
#[derive(Clone)]
pub(super) struct Pages<V> {
    table: Vec<Option<Page<V>>>,
    /// The number of slots that were ever requested.
    end: usize,
}

impl<V> Pages<V> {
    /// Slots in a page: a power of two.
    pub(super) const SLOTS: usize = {
        let slots = PAGE / size_of::<Option<KeyedValue<V>>>();
        if slots > 1 { 1 << slots.ilog2() } else { 1 }
    };

    pub(super) const fn new() -> Self {
        Self { table: Vec::new(), end: 0 }
    }

    /// For how many slots, from the first, the table is long enough.
    pub(super) fn capacity(&self) -> usize {
        self.table.len() * Self::SLOTS
    }

    /// What is in a slot.
    #[inline(always)]
    pub(super) fn get(&self, at: usize) -> Option<&KeyedValue<V>> {
        self.table.get(at / Self::SLOTS)?.as_deref()?[at % Self::SLOTS].as_ref()
    }

    /// The place of a slot, if there is one.
    #[inline(always)]
    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut Option<KeyedValue<V>>> {
        Some(&mut self.table.get_mut(at / Self::SLOTS)?.as_deref_mut()?[at % Self::SLOTS])
    }

    /// The place of a slot, which is made if there is none.
    #[inline]
    pub(super) fn place(&mut self, at: usize) -> &mut Option<KeyedValue<V>> {
        let number = at / Self::SLOTS;
        if number >= self.table.len() {
            self.lengthen(number + 1);
        }
        self.end = self.end.max(at + 1);
        let page = self.table[number].get_or_insert_with(Self::page);
        &mut page[at % Self::SLOTS]
    }

    #[cold]
    fn lengthen(&mut self, pages: usize) {
        // With 32 bits, the last page could hold slots whose number has no successor.
        assert!(pages.checked_mul(Self::SLOTS).is_some(), "capacity overflow");
        self.table.resize_with(pages, || None);
    }

    #[cold]
    fn page() -> Page<V> {
        (0..Self::SLOTS).map(|_| None).collect()
    }

    /// Makes places for `additional` slots behind those that were ever requested.
    pub(super) fn reserve(&mut self, additional: usize) {
        let slots = self.end.saturating_add(additional);
        if Layout::array::<Option<KeyedValue<V>>>(slots).is_err() {
            panic!(
                "capacity overflow: {slots} slots of {} bytes for `{}` exceed isize::MAX bytes",
                size_of::<Option<KeyedValue<V>>>(),
                core::any::type_name::<V>()
            );
        }
        let pages = slots.div_ceil(Self::SLOTS);
        if pages > self.table.len() {
            self.lengthen(pages);
        }
        for page in &mut self.table[self.end / Self::SLOTS..pages] {
            page.get_or_insert_with(Self::page);
        }
    }

    /// The first slot from `from` on that has a value.
    pub(super) fn occupied_from(&self, from: usize) -> Option<usize> {
        let first = from / Self::SLOTS;
        let pages = self.table.get(first..)?.iter().zip(first..);
        pages.into_iter().find_map(|(page, number)| {
            let start = number * Self::SLOTS;
            let skipped = from.saturating_sub(start);
            let at = page.as_deref()?.iter().skip(skipped).position(Option::is_some)?;
            Some(start + skipped + at)
        })
    }

    /// The last slot before `end` that has a value.
    pub(super) fn occupied_before(&self, end: usize) -> Option<usize> {
        let mut pages = self.table.iter().enumerate().take(end.div_ceil(Self::SLOTS)).rev();
        pages.find_map(|(number, page)| {
            let start = number * Self::SLOTS;
            let last = page.as_deref()?.iter().take(end - start).rposition(Option::is_some)?;
            Some(start + last)
        })
    }

    /// How many slots there are up to the last that has a value.
    pub(super) fn used(&self) -> usize {
        self.occupied_before(self.capacity()).map_or(0, |last| last + 1)
    }

    /// Empties every slot, even if a destructor panics.
    pub(super) fn clear(&mut self) {
        // What is not back in its place after a panic is dropped by the unwinding.
        let mut table = core::mem::take(&mut self.table);
        table.iter_mut().flatten().flatten().for_each(|slot| *slot = None);
        (self.table, self.end) = (table, 0);
    }

    /// Gives pages without a value, and the table's end, back to the heap.
    pub(super) fn shrink_to_fit(&mut self) {
        self.end = self.used();
        self.table.truncate(self.end.div_ceil(Self::SLOTS));
        self.table.shrink_to_fit();
        for page in &mut self.table {
            if page.as_deref().is_some_and(|slots| slots.iter().all(Option::is_none)) {
                *page = None;
            }
        }
    }

    /// Pages in order, the first of which has slot 0.
    pub(super) fn iter(&self) -> core::slice::Iter<'_, Option<Page<V>>> {
        self.table.iter()
    }

    #[cfg(feature = "rayon")]
    pub(super) fn as_slice(&self) -> &[Option<Page<V>>] {
        &self.table
    }

    #[cfg(feature = "rayon")]
    pub(super) fn as_mut_slice(&mut self) -> &mut [Option<Page<V>>] {
        &mut self.table
    }

    pub(super) fn iter_mut(&mut self) -> core::slice::IterMut<'_, Option<Page<V>>> {
        self.table.iter_mut()
    }

    pub(super) fn into_iter(self) -> alloc::vec::IntoIter<Option<Page<V>>> {
        self.table.into_iter()
    }
}
