//! The slots of a secondary map: in pages where values are near one another, and else in a list.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::base::handle::Handle;

/// Bytes of a page, unless one slot needs more.
pub(super) const PAGE: usize = 256;

/// A value and its handle.
pub(super) type Keyed<T, V> = (Handle<T>, V);

/// Slots in one piece, by the lower bits of their number. It has no memory before one of them has a value.
#[derive(Clone)]
pub(super) struct Page<K> {
    pub(super) slots: Box<[Option<K>]>,
    /// How many have a value.
    pub(super) live: usize,
}

impl<K> Page<K> {
    /// Slots in a page: a power of two.
    pub(super) const SLOTS: usize = {
        let slots = PAGE / size_of::<Option<K>>();
        if slots > 1 { 1 << slots.ilog2() } else { 1 }
    };

    pub(super) fn new() -> Self {
        Self { slots: Box::default(), live: 0 }
    }

    /// Makes sure that there is memory; `None` if the heap has no room.
    pub(super) fn make_room(&mut self) -> Option<()> {
        if self.slots.is_empty() {
            let mut slots = Vec::new();
            slots.try_reserve_exact(Self::SLOTS).ok()?;
            slots.resize_with(Self::SLOTS, || None);
            self.slots = slots.into_boxed_slice();
        }
        Some(())
    }
}

impl<T, V> Page<Keyed<T, V>> {
    /// Puts a value into a slot that has none.
    #[inline]
    pub(super) fn put(&mut self, kept: Keyed<T, V>) {
        self.live += 1;
        let at = kept.0.index() % Self::SLOTS;
        self.slots[at] = Some(kept);
    }
}

/// Bytes of a piece, unless that is room for fewer than eight values.
const PIECE: usize = 4096;

/// Values by slot. It takes memory for the values alone, and a high slot number takes neither more memory nor more time.
#[derive(Clone)]
pub(super) struct List<K> {
    /// None is empty, unless it is the only one.
    pub(super) pieces: Vec<Vec<K>>,
}

impl<T, V> List<Keyed<T, V>> {
    /// The most values in a piece.
    const MOST: usize = {
        let values = PIECE / size_of::<Keyed<T, V>>();
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
        Some(self.pieces.first()?.first()?.0.index())
    }

    /// Returns the value of a slot.
    #[inline(never)]
    pub(super) fn get(&self, at: usize) -> Option<&Keyed<T, V>> {
        let (piece, place) = self.find(at);
        self.pieces.get(piece)?.get(place.ok()?)
    }

    /// [`List::get`], exclusively.
    #[inline(never)]
    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut Keyed<T, V>> {
        let (piece, place) = self.find(at);
        self.pieces.get_mut(piece)?.get_mut(place.ok()?)
    }

    /// Puts in a value whose slot has none; gives it back if the heap has no room.
    pub(super) fn insert(&mut self, kept: Keyed<T, V>) -> Result<(), Keyed<T, V>> {
        let (mut piece, place) = self.find(kept.0.index());
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

    pub(super) fn remove(&mut self, at: usize) -> Option<Keyed<T, V>> {
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
pub(super) fn find_piece<T, V>(pieces: &[Vec<Keyed<T, V>>], at: usize) -> usize {
    let is_before =
        |piece: &Vec<Keyed<T, V>>| piece.first().is_some_and(|first| first.0.index() <= at);
    pieces.partition_point(is_before).saturating_sub(1)
}

/// Returns the position of the slot in a piece, or the position to insert it.
pub(super) fn find_in<T, V>(piece: &[Keyed<T, V>], at: usize) -> Result<usize, usize> {
    piece.binary_search_by_key(&at, |kept| kept.0.index())
}

/// `Vec::shrink_to_fit` that changes nothing if the heap has no room.
pub(super) fn shrink<U>(items: &mut Vec<U>) {
    let mut smaller = Vec::new();
    if items.len() < items.capacity() && smaller.try_reserve_exact(items.len()).is_ok() {
        smaller.append(items);
        *items = smaller;
    }
}
