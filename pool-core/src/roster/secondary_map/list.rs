//! Values sorted by their slots, in short pieces.

use alloc::vec::Vec;
use core::num::NonZeroU32;

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
    pub(super) fn get(&self, at: usize) -> Option<(NonZeroU32, &V)> {
        let (piece, place) = self.find(at);
        let Listed { word, value, .. } = self.pieces.get(piece)?.get(place.ok()?)?;
        Some((*word, value))
    }

    /// [`List::get`], exclusively.
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
