//! The slots of a secondary map: in pages where values are near one another, and else in a list.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::num::NonZeroU32;

use crate::roster::occupancy::last_one;

/// Bytes of a page, unless one slot needs more.
const PAGE: usize = 256;

/// How many pages the table may always name.
const FREE: usize = 64;

/// A value, and the word of its handle.
#[derive(Clone)]
pub(super) struct KeyedValue<V> {
    pub(super) word: NonZeroU32,
    pub(super) value: V,
}

impl<V> KeyedValue<V> {
    /// Slots in a page: a power of two.
    pub(super) const IN_PAGE: usize = {
        let slots = PAGE / size_of::<Option<Self>>();
        if slots > 1 { 1 << slots.ilog2() } else { 1 }
    };
}

/// Slots in one piece, by the lower bits of their number.
pub(super) type Page<V> = Box<[Option<KeyedValue<V>>]>;

/// Values by slot.
///
/// A table names the pages of the first slots. It is as long as the values pay for, so no slot, however high, decides
/// what is allocated; values behind the table's end are in the list, until the table reaches them. `SPARSE`: there is no table.
#[derive(Clone)]
pub(super) struct Pages<V, const SPARSE: bool> {
    pub(super) table: Vec<Option<Page<V>>>,
    /// A bit for each page of the table, which is 1 if a slot of it has a value.
    pub(super) used: Vec<u64>,
    /// Values behind the table's end.
    pub(super) far: List<V>,
    pub(super) len: usize,
}

impl<V, const SPARSE: bool> Pages<V, SPARSE> {
    pub(super) const SLOTS: usize = KeyedValue::<V>::IN_PAGE;

    /// How many pages the table may name for each value: they take as much memory as a page.
    const PAID: usize = {
        let page = Self::SLOTS * size_of::<Option<KeyedValue<V>>>();
        let page = if page > PAGE { page } else { PAGE };
        page / size_of::<Option<Page<V>>>()
    };

    pub(super) const fn new() -> Self {
        Self { table: Vec::new(), used: Vec::new(), far: List::new(), len: 0 }
    }

    /// For how many slots, from the first, the table is long enough; of a list, for how many values there is room.
    pub(super) fn capacity(&self) -> usize {
        if SPARSE { self.far.capacity() } else { self.table.len() * Self::SLOTS }
    }

    /// A slot's value, and the word of its handle.
    pub(super) fn get(&self, at: usize) -> Option<(&NonZeroU32, &V)> {
        match self.table.get(at / Self::SLOTS) {
            Some(page) => {
                let slot = page.as_deref()?[at % Self::SLOTS].as_ref()?;
                Some((&slot.word, &slot.value))
            }
            None => self.far.get(at),
        }
    }

    /// Puts a value into a slot that has none, nor a page; gives it back if the heap has no room.
    #[cold]
    #[inline(never)]
    pub(super) fn insert(&mut self, listed: Listed<V>) -> Result<(), V> {
        let number = listed.at as usize / Self::SLOTS;
        let paid = self.paid(self.len + 1);
        self.adopt(paid);
        let is_first = self.far.first().is_none_or(|first| first / Self::SLOTS > number);
        if number >= self.table.len()
            && !(number < paid && is_first && self.lengthen(number + 1).is_some())
        {
            self.far.insert(listed).map_err(|listed| listed.value)?;
        } else {
            let Listed { at, word, value } = listed;
            let Some(page) = Self::page_in(&mut self.table[number]) else { return Err(value) };
            page[at as usize % Self::SLOTS] = Some(KeyedValue { word, value });
            self.used[number / 64] |= 1 << (number % 64);
        }
        self.len += 1;
        Ok(())
    }

    /// How many pages the table may name if there are `len` values.
    fn paid(&self, len: usize) -> usize {
        if SPARSE { 0 } else { len.saturating_mul(Self::PAID).saturating_add(FREE) }
    }

    /// Moves values whose pages are before `pages` from the list into the table, while the heap has room.
    fn adopt(&mut self, pages: usize) {
        while let Some(first) = self.far.first() {
            let number = first / Self::SLOTS;
            let mut place = None;
            if number >= pages
                || Self::page_in(&mut place).is_none()
                || self.lengthen(number + 1).is_none()
            {
                return;
            }
            self.table[number] = place;
            self.fetch(number);
        }
    }

    /// Moves what the list has for the table's last page there.
    fn fetch(&mut self, number: usize) {
        let Some(page) = &mut self.table[number] else { return };
        while let Some(at) = self.far.first().filter(|at| at / Self::SLOTS == number) {
            let Some(Listed { word, value, .. }) = self.far.remove(at) else { return };
            page[at % Self::SLOTS] = Some(KeyedValue { word, value });
            self.used[number / 64] |= 1 << (number % 64);
        }
    }

    /// Makes the table name `pages` pages; `None` if the heap has no room.
    fn lengthen(&mut self, pages: usize) -> Option<()> {
        // With 32 bits, the last page could hold slots whose number has no successor.
        pages.checked_mul(Self::SLOTS)?;
        let words = pages.div_ceil(64);
        self.table.try_reserve(pages - self.table.len()).ok()?;
        self.used.try_reserve(words - self.used.len()).ok()?;
        self.table.resize_with(pages, || None);
        self.used.resize(words, 0);
        Some(())
    }

    /// The page in its place, where it is made if there is none; `None` if the heap has no room.
    #[inline]
    fn page_in(place: &mut Option<Page<V>>) -> Option<&mut Page<V>> {
        if place.is_none() {
            let mut page = Vec::new();
            page.try_reserve_exact(Self::SLOTS).ok()?;
            page.resize_with(Self::SLOTS, || None);
            *place = Some(page.into_boxed_slice());
        }
        place.as_mut()
    }

    /// Makes places for `additional` slots behind the last page with a value, or for as many values in a list;
    /// `None` if the heap has no room.
    pub(super) fn reserve(&mut self, additional: usize) -> Option<()> {
        let used = last_one(&self.used, 0..self.table.len()).map_or(0, |last| last + 1);
        let present = if SPARSE { self.len } else { used * Self::SLOTS };
        let slots = present.saturating_add(additional);
        if Layout::array::<Option<KeyedValue<V>>>(slots).is_err() {
            panic!(
                "capacity overflow: {slots} slots of {} bytes for `{}` exceed isize::MAX bytes",
                size_of::<Option<KeyedValue<V>>>(),
                core::any::type_name::<V>()
            );
        }
        if SPARSE {
            return self.far.reserve(additional);
        }
        let pages = slots.div_ceil(Self::SLOTS);
        self.adopt(pages);
        if self.far.first().is_some_and(|first| first / Self::SLOTS < pages) {
            return None;
        }
        if pages > self.table.len() {
            self.lengthen(pages)?;
        }
        for place in &mut self.table[used..pages] {
            Self::page_in(place)?;
        }
        Some(())
    }

    /// Takes out what the slot has for the handle with this word.
    pub(super) fn remove(&mut self, at: usize, word: NonZeroU32) -> Option<V> {
        let number = at / Self::SLOTS;
        let value = if let Some(page) = self.table.get_mut(number) {
            let page = page.as_deref_mut()?;
            let removed = page[at % Self::SLOTS].take_if(|kept| kept.word == word)?;
            if page.iter().all(Option::is_none) {
                self.used[number / 64] &= !(1 << (number % 64));
            }
            removed.value
        } else {
            self.far.get(at).filter(|(present, _)| **present == word)?;
            self.far.remove(at)?.value
        };
        self.len -= 1;
        Some(value)
    }

    /// Empties every slot, even if a destructor panics.
    pub(super) fn clear(&mut self) {
        // What is not back in its place after a panic is dropped by the unwinding.
        let Self { mut table, mut used, mut far, .. } = core::mem::replace(self, Self::new());
        table.iter_mut().flatten().flatten().for_each(|slot| *slot = None);
        used.fill(0);
        far.pieces.truncate(1);
        far.pieces.iter_mut().for_each(Vec::clear);
        (self.table, self.used, self.far) = (table, used, far);
    }

    /// Gives memory without a value back to the heap, as far as that has room for smaller blocks; so that is as if the
    /// values had been put in one by one.
    pub(super) fn shrink_to_fit(&mut self) {
        while let Some(number) = self.table.len().checked_sub(1) {
            let is_used = self.used[number / 64] & (1 << (number % 64)) != 0;
            if is_used && (number < self.paid(self.len) || !self.expel(number)) {
                break;
            }
            self.table.pop();
        }
        self.used.truncate(self.table.len().div_ceil(64));
        for place in &mut self.table {
            if place.iter().flatten().all(Option::is_none) {
                *place = None;
            }
        }
        shrink(&mut self.table);
        shrink(&mut self.used);
        self.far.shrink_to_fit();
    }

    /// Moves the values of the table's last page into the list; `false` if the heap has no room.
    fn expel(&mut self, number: usize) -> bool {
        let page = self.table[number].as_deref_mut().unwrap_or_default();
        for (at, slot) in page.iter_mut().enumerate().rev() {
            let Some(KeyedValue { word, value }) = slot.take() else { continue };
            let at = (number * Self::SLOTS + at) as u32;
            if let Err(Listed { word, value, .. }) = self.far.insert(Listed { at, word, value }) {
                *slot = Some(KeyedValue { word, value });
                self.fetch(number);
                return false;
            }
        }
        self.used[number / 64] &= !(1 << (number % 64));
        true
    }
}

/// Bytes of a piece, unless that is room for fewer than eight values.
const PIECE: usize = 4096;

/// A value, its slot, and the word of its handle.
#[derive(Clone)]
pub(super) struct Listed<V> {
    pub(super) at: u32,
    pub(super) word: NonZeroU32,
    pub(super) value: V,
}

/// Values by slot. It takes memory for them alone, and no number of a slot takes more than another, or longer.
#[derive(Clone)]
pub(super) struct List<V> {
    /// None is empty, unless it is the only one.
    pub(super) pieces: Vec<Vec<Listed<V>>>,
}

impl<V> List<V> {
    /// The most values in a piece.
    const MOST: usize = {
        let values = PIECE / size_of::<Listed<V>>();
        if values > 8 { values } else { 8 }
    };

    pub(super) const fn new() -> Self {
        Self { pieces: Vec::new() }
    }

    /// For how many values there is room, where they are now.
    pub(super) fn capacity(&self) -> usize {
        self.pieces.iter().map(Vec::capacity).sum()
    }

    /// The piece that a slot belongs to, and where in it the slot is, or would be.
    pub(super) fn find(&self, at: usize) -> (usize, Result<usize, usize>) {
        let piece = find_piece(&self.pieces, at);
        (piece, self.pieces.get(piece).map_or(Err(0), |values| find_in(values, at)))
    }

    /// The first slot that has a value.
    pub(super) fn first(&self) -> Option<usize> {
        Some(self.pieces.first()?.first()?.at as usize)
    }

    /// A slot's value, and the word of its handle.
    #[inline(never)]
    pub(super) fn get(&self, at: usize) -> Option<(&NonZeroU32, &V)> {
        let (piece, place) = self.find(at);
        let Listed { word, value, .. } = self.pieces.get(piece)?.get(place.ok()?)?;
        Some((word, value))
    }

    /// [`List::get`], exclusively.
    #[inline(never)]
    pub(super) fn get_mut(&mut self, at: usize) -> Option<(&mut NonZeroU32, &mut V)> {
        let (piece, place) = self.find(at);
        let Listed { word, value, .. } = self.pieces.get_mut(piece)?.get_mut(place.ok()?)?;
        Some((word, value))
    }

    /// Puts in a value whose slot has none; gives it back if the heap has no room.
    pub(super) fn insert(&mut self, listed: Listed<V>) -> Result<(), Listed<V>> {
        let (mut piece, place) = self.find(listed.at as usize);
        let mut place = place.unwrap_or_else(|place| place);
        match self.pieces.get_mut(piece) {
            Some(values) if values.len() < Self::MOST => {
                if values.try_reserve(1).is_err() {
                    return Err(listed);
                }
            }
            full => {
                // The upper half moves to a piece of its own; behind the last value, nothing does.
                let len = full.map_or(0, |values| values.len());
                let kept = if place == len { len } else { len / 2 };
                let mut upper = Vec::new();
                if self.pieces.try_reserve(1).is_err() || upper.try_reserve(len - kept + 1).is_err()
                {
                    return Err(listed);
                }
                let next = self.pieces.len().min(piece + 1);
                if let Some(values) = self.pieces.get_mut(piece) {
                    upper.extend(values.drain(kept..));
                }
                self.pieces.insert(next, upper);
                if place >= kept {
                    (piece, place) = (next, place - kept);
                }
            }
        }
        self.pieces[piece].insert(place, listed);
        Ok(())
    }

    pub(super) fn remove(&mut self, at: usize) -> Option<Listed<V>> {
        let (piece, place) = self.find(at);
        let removed = self.pieces.get_mut(piece)?.remove(place.ok()?);
        if self.pieces[piece].is_empty() && self.pieces.len() > 1 {
            self.pieces.remove(piece);
        }
        Some(removed)
    }

    /// Makes room for `additional` values behind the last, up to the end of a piece; `None` if the heap has none.
    pub(super) fn reserve(&mut self, additional: usize) -> Option<()> {
        self.pieces.try_reserve(additional / Self::MOST + 1).ok()?;
        if self.pieces.is_empty() {
            self.pieces.push(Vec::new());
        }
        let last = self.pieces.last_mut()?;
        last.try_reserve_exact(additional.min(Self::MOST - last.len())).ok()
    }

    /// Gives room without a value back to the heap, as far as that has room for smaller blocks.
    pub(super) fn shrink_to_fit(&mut self) {
        self.pieces.retain(|piece| !piece.is_empty());
        self.pieces.iter_mut().for_each(shrink);
        shrink(&mut self.pieces);
    }
}

/// The last piece that begins at the slot or before it; or the first.
pub(super) fn find_piece<V>(pieces: &[Vec<Listed<V>>], at: usize) -> usize {
    let is_before =
        |piece: &Vec<Listed<V>>| piece.first().is_some_and(|first| first.at as usize <= at);
    pieces.partition_point(is_before).saturating_sub(1)
}

/// Where in a piece the slot is, or would be.
pub(super) fn find_in<V>(piece: &[Listed<V>], at: usize) -> Result<usize, usize> {
    piece.binary_search_by_key(&at, |listed| listed.at as usize)
}

/// `Vec::shrink_to_fit` that changes nothing if the heap has no room.
pub(super) fn shrink<U>(items: &mut Vec<U>) {
    let mut smaller = Vec::new();
    if items.len() < items.capacity() && smaller.try_reserve_exact(items.len()).is_ok() {
        smaller.append(items);
        *items = smaller;
    }
}
