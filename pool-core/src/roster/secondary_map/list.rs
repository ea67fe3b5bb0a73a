//! A list of values by slot, in pieces.

use alloc::vec::Vec;

use crate::base::handle::Handle;

/// A value and its handle.
pub(super) type Keyed<T, V> = (Handle<T>, V);

/// Bytes of a piece, unless that is room for fewer than eight values.
const PIECE: usize = 4096;

/// Values by slot. It takes memory for the values alone, and a high slot number takes neither more memory nor more time.
pub(super) struct List<T, V> {
    /// None is empty, unless it is the only one.
    pub(super) pieces: Vec<Vec<Keyed<T, V>>>,
}

impl<T, V> List<T, V> {
    /// The most values in a piece.
    const MOST: usize = {
        let values = PIECE / size_of::<Keyed<T, V>>();
        if values > 8 { values } else { 8 }
    };

    pub(super) const fn new() -> Self {
        Self { pieces: Vec::new() }
    }

    /// The piece that a slot belongs to, and where in it the slot is, or would be.
    fn find(&self, at: usize) -> (usize, Result<usize, usize>) {
        // The last piece that begins at the slot or before it; or the first.
        let is_before =
            |piece: &Vec<Keyed<T, V>>| piece.first().is_some_and(|first| first.0.index() <= at);
        let piece = self.pieces.partition_point(is_before).saturating_sub(1);
        let place = self
            .pieces
            .get(piece)
            .map_or(Err(0), |values| values.binary_search_by_key(&at, |kept| kept.0.index()));
        (piece, place)
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
    pub(super) fn insert(&mut self, kept: Keyed<T, V>) -> Result<(), V> {
        match self.make_room(kept.0.index()) {
            Some((piece, place)) => self.pieces[piece].insert(place, kept),
            None => return Err(kept.1),
        }
        Ok(())
    }

    /// The piece and the place for the value of a slot that has none, with room for it; `None` if the heap has no room.
    fn make_room(&mut self, at: usize) -> Option<(usize, usize)> {
        if self.pieces.is_empty() {
            self.pieces.try_reserve(1).ok()?;
            self.pieces.push(Vec::new());
        }
        let (piece, place) = self.find(at);
        let place = place.unwrap_or_else(|place| place);
        let values = &mut self.pieces[piece];
        if values.len() < Self::MOST {
            values.try_reserve(1).ok()?;
            return Some((piece, place));
        }
        // The upper half moves to a piece of its own; behind the last value, nothing does.
        let lower = if place == Self::MOST { place } else { Self::MOST / 2 };
        let mut upper = Vec::new();
        upper.try_reserve(Self::MOST - lower + 1).ok()?;
        self.pieces.try_reserve(1).ok()?;
        upper.extend(self.pieces[piece].drain(lower..));
        self.pieces.insert(piece + 1, upper);
        Some(if place < lower { (piece, place) } else { (piece + 1, place - lower) })
    }

    pub(super) fn remove(&mut self, at: usize) -> Option<Keyed<T, V>> {
        let (piece, place) = self.find(at);
        let removed = self.pieces.get_mut(piece)?.remove(place.ok()?);
        if self.pieces[piece].is_empty() && self.pieces.len() > 1 {
            self.pieces.remove(piece);
        }
        Some(removed)
    }
}
