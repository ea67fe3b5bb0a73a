//! The slots of a secondary map: in pages where values are near one another, and else in a list.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::alloc::Layout;

use crate::roster::RawHandle;

/// Bytes of a page, unless one slot needs more.
const PAGE: usize = 256;

/// How many pages the table may always name.
const FREE: usize = 64;

/// A value and its handle.
pub(super) type Keyed<V> = (RawHandle, V);

/// Slots in one piece, by the lower bits of their number. It has no memory before one of them has a value.
#[derive(Clone)]
pub(super) struct Page<V> {
    pub(super) slots: Box<[Option<Keyed<V>>]>,
    /// How many have a value.
    pub(super) live: usize,
}

impl<V> Page<V> {
    /// Slots in a page: a power of two.
    pub(super) const SLOTS: usize = {
        let slots = PAGE / size_of::<Option<Keyed<V>>>();
        if slots > 1 { 1 << slots.ilog2() } else { 1 }
    };

    fn new() -> Self {
        Self { slots: Box::default(), live: 0 }
    }

    /// Makes sure that there is memory; `None` if the heap has no room.
    fn make_room(&mut self) -> Option<()> {
        if self.slots.is_empty() {
            let mut slots = Vec::new();
            slots.try_reserve_exact(Self::SLOTS).ok()?;
            slots.resize_with(Self::SLOTS, || None);
            self.slots = slots.into_boxed_slice();
        }
        Some(())
    }

    /// Puts a value into a slot that has none.
    #[inline]
    fn put(&mut self, kept: Keyed<V>) {
        self.live += 1;
        let at = kept.0.0 as usize % Self::SLOTS;
        self.slots[at] = Some(kept);
    }
}

/// Values by slot.
///
/// A table has the pages of the first slots. It is as long as the values pay for, so no slot, however high, decides
/// what is allocated; values behind the table's end are in the list, until the table reaches them. `SPARSE`: there is no table.
#[derive(Clone)]
pub(super) struct Pages<V, const SPARSE: bool> {
    pub(super) table: Vec<Page<V>>,
    /// Values behind the table's end.
    pub(super) far: List<V>,
    pub(super) len: usize,
}

impl<V, const SPARSE: bool> Pages<V, SPARSE> {
    const SLOTS: usize = Page::<V>::SLOTS;

    /// How many pages the table may have for each value: they take as much memory as the slots of one.
    const PAID: usize = {
        let slots = Self::SLOTS * size_of::<Option<Keyed<V>>>();
        (if slots > PAGE { slots } else { PAGE }) / size_of::<Page<V>>()
    };

    pub(super) const fn new() -> Self {
        Self { table: Vec::new(), far: List::new(), len: 0 }
    }

    /// For how many slots, from the first, the table is long enough; of a list, for how many values there is room.
    pub(super) fn capacity(&self) -> usize {
        if SPARSE { self.far.capacity() } else { self.table.len() * Self::SLOTS }
    }

    /// Returns the value of a slot.
    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<&Keyed<V>> {
        match self.table.get(at / Self::SLOTS) {
            Some(page) => page.slots.get(at % Self::SLOTS)?.as_ref(),
            None => self.far.get(at),
        }
    }

    /// [`Pages::get`], exclusively.
    #[inline]
    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut Keyed<V>> {
        match self.table.get_mut(at / Self::SLOTS) {
            Some(page) => page.slots.get_mut(at % Self::SLOTS)?.as_mut(),
            None => self.far.get_mut(at),
        }
    }

    /// Puts a value into a slot that has none; gives it back if the heap has no room.
    #[inline]
    pub(super) fn insert(&mut self, kept: Keyed<V>) -> Result<(), V> {
        match self.table.get_mut(kept.0.0 as usize / Self::SLOTS) {
            Some(page) if !page.slots.is_empty() => page.put(kept),
            _ => self.insert_rarely(kept)?,
        }
        self.len += 1;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn insert_rarely(&mut self, kept: Keyed<V>) -> Result<(), V> {
        let number = kept.0.0 as usize / Self::SLOTS;
        let paid = self.paid(self.len + 1);
        self.adopt(paid);
        let is_first = self.far.first().is_none_or(|first| first / Self::SLOTS > number);
        let is_in_table = number < self.table.len()
            || (number < paid && is_first && self.lengthen(number + 1).is_some());
        if !is_in_table {
            return self.far.insert(kept).map_err(|(_, value)| value);
        }
        let page = &mut self.table[number];
        if page.make_room().is_none() {
            return Err(kept.1);
        }
        page.put(kept);
        Ok(())
    }

    /// How many pages the table may have if there are `len` values.
    fn paid(&self, len: usize) -> usize {
        if SPARSE { 0 } else { len.saturating_mul(Self::PAID).saturating_add(FREE) }
    }

    /// Moves values whose pages are before `pages` from the list into the table, while the heap has room.
    fn adopt(&mut self, pages: usize) {
        while let Some(first) = self.far.first() {
            let number = first / Self::SLOTS;
            let mut page = Page::new();
            if number >= pages || page.make_room().is_none() || self.lengthen(number + 1).is_none()
            {
                return;
            }
            self.table[number] = page;
            self.fetch(number);
        }
    }

    /// Moves what the list has for the table's last page there.
    fn fetch(&mut self, number: usize) {
        while let Some(at) = self.far.first().filter(|at| at / Self::SLOTS == number) {
            self.far.remove(at).into_iter().for_each(|kept| self.table[number].put(kept));
        }
    }

    /// Makes the table longer; `None` if the heap has no room.
    fn lengthen(&mut self, pages: usize) -> Option<()> {
        // With 32 bits, the last page could hold slots whose number has no successor.
        pages.checked_mul(Self::SLOTS)?;
        self.table.try_reserve(pages - self.table.len()).ok()?;
        self.table.resize_with(pages, Page::new);
        Some(())
    }

    /// Makes places for `additional` slots behind the last page with a value, or for as many values in a list;
    /// `None` if the heap has no room.
    pub(super) fn reserve(&mut self, additional: usize) -> Option<()> {
        let used = self.table.iter().rposition(|page| page.live > 0).map_or(0, |last| last + 1);
        let present = if SPARSE { self.len } else { used * Self::SLOTS };
        let slots = present.saturating_add(additional);
        if Layout::array::<Option<Keyed<V>>>(slots).is_err() {
            panic!(
                "capacity overflow: {slots} slots of {} bytes for `{}` exceed isize::MAX bytes",
                size_of::<Option<Keyed<V>>>(),
                core::any::type_name::<V>()
            );
        }
        if additional == 0 {
            return Some(());
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
        self.table[used..pages].iter_mut().try_for_each(Page::make_room)
    }

    /// Takes out what the slot has for this handle.
    pub(super) fn remove(&mut self, entry: RawHandle) -> Option<V> {
        let at = entry.0 as usize;
        let removed = if let Some(page) = self.table.get_mut(at / Self::SLOTS) {
            let slot = page.slots.get_mut(at % Self::SLOTS)?;
            let removed = slot.take_if(|kept| kept.0 == entry)?;
            page.live -= 1;
            removed
        } else {
            self.far.get(at).filter(|kept| kept.0 == entry)?;
            self.far.remove(at)?
        };
        self.len -= 1;
        Some(removed.1)
    }

    /// Empties every slot, even if a destructor panics.
    pub(super) fn clear(&mut self) {
        // What is not back in its place after a panic is dropped by the unwinding.
        let Self { mut table, mut far, .. } = core::mem::replace(self, Self::new());
        for page in &mut table {
            page.live = 0;
            page.slots.fill_with(|| None);
        }
        far.pieces.truncate(1);
        far.pieces.iter_mut().for_each(Vec::clear);
        (self.table, self.far) = (table, far);
    }

    /// Gives memory without a value back to the heap, as far as that has room for smaller blocks; so that is as if the
    /// values had been put in one by one.
    pub(super) fn shrink_to_fit(&mut self) {
        while let Some(last) = self.table.last() {
            let number = self.table.len() - 1;
            if last.live > 0 && (number < self.paid(self.len) || !self.expel(number)) {
                break;
            }
            self.table.pop();
        }
        let unused = self.table.iter_mut().filter(|page| page.live == 0);
        unused.for_each(|page| *page = Page::new());
        shrink(&mut self.table);
        self.far.shrink_to_fit();
    }

    /// Moves the values of the table's last page into the list; `false` if the heap has no room.
    fn expel(&mut self, number: usize) -> bool {
        for at in (0..Self::SLOTS).rev() {
            let page = &mut self.table[number];
            let Some(kept) = page.slots[at].take() else { continue };
            page.live -= 1;
            if let Err(kept) = self.far.insert(kept) {
                self.table[number].put(kept);
                self.fetch(number);
                return false;
            }
        }
        true
    }
}

/// Bytes of a piece, unless that is room for fewer than eight values.
const PIECE: usize = 4096;

/// Values by slot. It takes memory for them alone, and no number of a slot takes more than another, or longer.
#[derive(Clone)]
pub(super) struct List<V> {
    /// None is empty, unless it is the only one.
    pub(super) pieces: Vec<Vec<Keyed<V>>>,
}

impl<V> List<V> {
    /// The most values in a piece.
    const MOST: usize = {
        let values = PIECE / size_of::<Keyed<V>>();
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
        Some(self.pieces.first()?.first()?.0.0 as usize)
    }

    /// Returns the value of a slot.
    #[inline(never)]
    pub(super) fn get(&self, at: usize) -> Option<&Keyed<V>> {
        let (piece, place) = self.find(at);
        self.pieces.get(piece)?.get(place.ok()?)
    }

    /// [`List::get`], exclusively.
    #[inline(never)]
    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut Keyed<V>> {
        let (piece, place) = self.find(at);
        self.pieces.get_mut(piece)?.get_mut(place.ok()?)
    }

    /// Puts in a value whose slot has none; gives it back if the heap has no room.
    fn insert(&mut self, kept: Keyed<V>) -> Result<(), Keyed<V>> {
        let (mut piece, place) = self.find(kept.0.0 as usize);
        let mut place = place.unwrap_or_else(|place| place);
        match self.pieces.get_mut(piece) {
            Some(values) if values.len() < Self::MOST => {
                if values.try_reserve(1).is_err() {
                    return Err(kept);
                }
            }
            full => {
                // The upper half moves to a piece of its own; behind the last value, nothing does.
                let len = full.map_or(0, |values| values.len());
                let lower = if place == len { len } else { len / 2 };
                let mut upper = Vec::new();
                if self.pieces.try_reserve(1).is_err()
                    || upper.try_reserve(len - lower + 1).is_err()
                {
                    return Err(kept);
                }
                let next = self.pieces.len().min(piece + 1);
                if let Some(values) = self.pieces.get_mut(piece) {
                    upper.extend(values.drain(lower..));
                }
                self.pieces.insert(next, upper);
                if place >= lower {
                    (piece, place) = (next, place - lower);
                }
            }
        }
        self.pieces[piece].insert(place, kept);
        Ok(())
    }

    pub(super) fn remove(&mut self, at: usize) -> Option<Keyed<V>> {
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
pub(super) fn find_piece<V>(pieces: &[Vec<Keyed<V>>], at: usize) -> usize {
    let is_before =
        |piece: &Vec<Keyed<V>>| piece.first().is_some_and(|first| first.0.0 as usize <= at);
    pieces.partition_point(is_before).saturating_sub(1)
}

/// Returns the position of the slot in a piece, or the position to insert it.
pub(super) fn find_in<V>(piece: &[Keyed<V>], at: usize) -> Result<usize, usize> {
    piece.binary_search_by_key(&at, |kept| kept.0.0 as usize)
}

/// `Vec::shrink_to_fit` that changes nothing if the heap has no room.
pub(super) fn shrink<U>(items: &mut Vec<U>) {
    let mut smaller = Vec::new();
    if items.len() < items.capacity() && smaller.try_reserve_exact(items.len()).is_ok() {
        smaller.append(items);
        *items = smaller;
    }
}
