//! Iteration over the values, in the order of slots, from both ends.

use alloc::vec;
use alloc::vec::Vec;
use core::iter::{Chain, Flatten, FusedIterator, Map};
use core::mem;
use core::slice;

use crate::base::handle::Handle;
use crate::roster::secondary_map::list::Keyed;
use crate::roster::secondary_map::{HandleMap, Page};

/// An iterator over the values of pages, then over those of pieces.
type Kept<Pages, Pieces> = Chain<Flatten<Flatten<Pages>>, Flatten<Pieces>>;

/// The iterator of [`HandleMap::iter`].
pub type Iter<'a, T, V> = Exactly<
    Map<
        Kept<slice::Iter<'a, Page<T, V>>, slice::Iter<'a, Vec<Keyed<T, V>>>>,
        fn(&'a Keyed<T, V>) -> (Handle<T>, &'a V),
    >,
>;

/// The iterator of [`HandleMap::iter_mut`].
pub type IterMut<'a, T, V> = Exactly<
    Map<
        Kept<slice::IterMut<'a, Page<T, V>>, slice::IterMut<'a, Vec<Keyed<T, V>>>>,
        fn(&'a mut Keyed<T, V>) -> (Handle<T>, &'a mut V),
    >,
>;

/// The iterator of [`HandleMap::drain`].
pub type IntoIter<T, V> = Exactly<Kept<vec::IntoIter<Page<T, V>>, vec::IntoIter<Vec<Keyed<T, V>>>>>;

/// An iterator that ends with the last value. What lies behind it is not looked at.
#[derive(Clone, Debug)]
pub struct Exactly<I> {
    kept: I,
    left: usize,
}

impl<I: Iterator> Iterator for Exactly<I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        self.left = self.left.checked_sub(1)?;
        self.kept.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Exactly<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        self.left = self.left.checked_sub(1)?;
        self.kept.next_back()
    }
}

impl<I: Iterator> ExactSizeIterator for Exactly<I> {}
impl<I: Iterator> FusedIterator for Exactly<I> {}

impl<T, V, const SPARSE: bool> HandleMap<T, V, SPARSE> {
    /// Handles and references to their values, in the order of slots. O(slots) in all.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let handle = roster.insert("orc");
    /// let map = SecondaryMap::from_iter([(handle, 1)]);
    /// assert_eq!(map.iter().next(), Some((handle, &1)));
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, T, V> {
        let near = self.table.iter().flatten().flatten();
        let kept = near.chain(self.far.pieces.iter().flatten());
        Exactly { kept: kept.map(|(handle, value)| (*handle, value)), left: self.len }
    }

    /// Handles and exclusive references to their values, in the order of slots.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let roster: Roster<char> = "abc".chars().collect();
    /// let mut map: SecondaryMap<_, _> = roster.handles().map(|handle| (handle, 0)).collect();
    /// for (handle, value) in map.iter_mut() {
    ///     *value = handle.index();
    /// }
    /// assert!(map.values().eq(&[0, 1, 2]));
    /// ```
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, T, V> {
        let near = self.table.iter_mut().flatten().flatten();
        let kept = near.chain(self.far.pieces.iter_mut().flatten());
        Exactly { kept: kept.map(|(handle, value)| (*handle, value)), left: self.len }
    }

    /// The handles that have a value, in the order of slots.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let handle = roster.insert("orc");
    /// let map = SecondaryMap::from_iter([(handle, 1)]);
    /// assert!(map.handles().eq([handle]));
    /// ```
    #[doc(alias = "keys")]
    #[inline]
    pub fn handles(&self) -> impl DoubleEndedIterator<Item = Handle<T>> + ExactSizeIterator {
        self.iter().map(|(handle, _)| handle)
    }

    /// The values, in the order of slots.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let roster: Roster<u32> = (1..=4).collect();
    /// let map: SecondaryMap<_, _> = roster.iter().map(|(handle, n)| (handle, n * n)).collect();
    /// assert_eq!(map.values().sum::<u32>(), 30);
    /// ```
    #[inline]
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator {
        self.iter().map(|(_, value)| value)
    }

    /// Exclusive references to the values, in the order of slots.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let roster: Roster<u32> = (1..=4).collect();
    /// let mut map: SecondaryMap<_, _> = roster.iter().map(|(handle, n)| (handle, *n)).collect();
    /// map.values_mut().for_each(|n| *n *= 2);
    /// assert!(map.values().eq(&[2, 4, 6, 8]));
    /// ```
    #[inline]
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> + ExactSizeIterator {
        self.iter_mut().map(|(_, value)| value)
    }

    /// Takes all values out of the map, with its memory; the iterator yields them in the order of slots.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let (a, b) = (roster.insert('a'), roster.insert('b'));
    /// let mut map = SecondaryMap::from_iter([(b, 2), (a, 1)]);
    /// assert!(map.drain().eq([(a, 1), (b, 2)]));
    /// assert!(map.is_empty());
    /// ```
    pub fn drain(&mut self) -> IntoIter<T, V> {
        let Self { table, far, len } = mem::take(self);
        let near = table.into_iter().flatten().flatten();
        Exactly { kept: near.chain(far.pieces.into_iter().flatten()), left: len }
    }
}

impl<'a, T, V, const SPARSE: bool> IntoIterator for &'a HandleMap<T, V, SPARSE> {
    type Item = (Handle<T>, &'a V);
    type IntoIter = Iter<'a, T, V>;

    fn into_iter(self) -> Iter<'a, T, V> {
        self.iter()
    }
}

impl<'a, T, V, const SPARSE: bool> IntoIterator for &'a mut HandleMap<T, V, SPARSE> {
    type Item = (Handle<T>, &'a mut V);
    type IntoIter = IterMut<'a, T, V>;

    fn into_iter(self) -> IterMut<'a, T, V> {
        self.iter_mut()
    }
}

impl<T, V, const SPARSE: bool> IntoIterator for HandleMap<T, V, SPARSE> {
    type Item = (Handle<T>, V);
    type IntoIter = IntoIter<T, V>;

    fn into_iter(mut self) -> IntoIter<T, V> {
        self.drain()
    }
}
