//! Iteration over the values, in the order of slots, from both ends.

use alloc::vec::{self, Vec};
use core::iter::{Chain, FlatMap, Flatten, Map};
use core::{mem, slice};

use crate::base::handle::Handle;
use crate::roster::iter::{borrowed, counted};
use crate::roster::secondary_map::HandleMap;
use crate::roster::secondary_map::pages::{Keyed, Page};

/// An iterator over pairs: its documentation and name, the pages and the slots that it goes through, how it opens a page, the pieces
/// of the list, and what it makes of a value.
macro_rules! pairs {
    (
        $(#[$doc:meta])* $name:ident<$($lifetime:lifetime)?>, $pages:ty, $page:ty,
        $slots:ty, |$opened:ident| $open:expr, $pieces:ty, $value:ty
    ) => {
        $(#[$doc])*
        pub struct $name<$($lifetime,)? T, V> {
            kept: Chain<
                FlatMap<$pages, Flatten<$slots>, fn($page) -> Flatten<$slots>>,
                Flatten<$pieces>,
            >,
            /// How many values are left.
            left: usize,
        }

        impl<$($lifetime,)? T, V> $name<$($lifetime,)? T, V> {
            fn new(pages: $pages, pieces: $pieces, left: usize) -> Self {
                let open: fn($page) -> Flatten<$slots> = |$opened| $open.into_iter().flatten();
                let kept = pages.flat_map(open).chain(pieces.flatten());
                Self { kept, left }
            }
        }

        impl<$($lifetime,)? T, V> Iterator for $name<$($lifetime,)? T, V> {
            type Item = (Handle<T>, $value);

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                // What lies behind the last value is not looked at.
                self.left = self.left.checked_sub(1)?;
                let (handle, value) = self.kept.next()?;
                Some((Handle::new(handle.slot(), handle.word()), value))
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.left, Some(self.left))
            }
        }

        impl<$($lifetime,)? T, V> DoubleEndedIterator for $name<$($lifetime,)? T, V> {
            fn next_back(&mut self) -> Option<Self::Item> {
                self.left = self.left.checked_sub(1)?;
                let (handle, value) = self.kept.next_back()?;
                Some((Handle::new(handle.slot(), handle.word()), value))
            }
        }

        counted!([$($lifetime,)? T, V] $name[$($lifetime,)? T, V]);
    };
}

pairs! {
    /// From [`HandleMap::iter`]: handles and references to their values, in the order of slots.
    Iter<'a>, slice::Iter<'a, Page<Keyed<T, V>>>, &'a Page<Keyed<T, V>>, slice::Iter<'a, Option<Keyed<T, V>>>,
    |page| if page.live > 0 { &page.slots[..] } else { &[] },
    slice::Iter<'a, Vec<Keyed<T, V>>>, &'a V
}

pairs! {
    /// From [`HandleMap::iter_mut`]: handles and exclusive references to their values, in the order
    /// of slots.
    IterMut<'a>, slice::IterMut<'a, Page<Keyed<T, V>>>, &'a mut Page<Keyed<T, V>>, slice::IterMut<'a, Option<Keyed<T, V>>>,
    |page| if page.live > 0 { &mut page.slots[..] } else { &mut [] },
    slice::IterMut<'a, Vec<Keyed<T, V>>>, &'a mut V
}

pairs! {
    /// From `IntoIterator` for a [`SecondaryMap`](super::SecondaryMap), and from [`HandleMap::drain`]: handles and values, in the
    /// order of slots.
    IntoIter<>, vec::IntoIter<Page<Keyed<T, V>>>, Page<Keyed<T, V>>, vec::IntoIter<Option<Keyed<T, V>>>,
    |page| if page.live > 0 { page.slots.into_vec() } else { Vec::new() },
    vec::IntoIter<Vec<Keyed<T, V>>>, V
}

/// From [`HandleMap::handles`]: the handles that have a value, in the order of slots.
pub type Handles<'a, T, V> = Map<Iter<'a, T, V>, fn((Handle<T>, &'a V)) -> Handle<T>>;

/// From [`HandleMap::values`]: references to the values, in the order of slots.
pub type Values<'a, T, V> = Map<Iter<'a, T, V>, fn((Handle<T>, &'a V)) -> &'a V>;

/// From [`HandleMap::values_mut`]: exclusive references to the values, in the order of slots.
pub type ValuesMut<'a, T, V> = Map<IterMut<'a, T, V>, fn((Handle<T>, &'a mut V)) -> &'a mut V>;

impl<T, V> Clone for Iter<'_, T, V> {
    fn clone(&self) -> Self {
        Self { kept: self.kept.clone(), left: self.left }
    }
}

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
    #[must_use]
    pub fn iter(&self) -> Iter<'_, T, V> {
        let Self { table, far, len } = self;
        Iter::new(table.iter(), far.pieces.iter(), *len)
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
    #[must_use]
    pub fn iter_mut(&mut self) -> IterMut<'_, T, V> {
        let Self { table, far, len } = self;
        IterMut::new(table.iter_mut(), far.pieces.iter_mut(), *len)
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
    pub fn handles(&self) -> Handles<'_, T, V> {
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
    pub fn values(&self) -> Values<'_, T, V> {
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
    pub fn values_mut(&mut self) -> ValuesMut<'_, T, V> {
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
        mem::take(self).into_iter()
    }
}

impl<T, V, const SPARSE: bool> IntoIterator for HandleMap<T, V, SPARSE> {
    type Item = (Handle<T>, V);
    type IntoIter = IntoIter<T, V>;

    fn into_iter(self) -> IntoIter<T, V> {
        let Self { table, far, len } = self;
        IntoIter::new(table.into_iter(), far.pieces.into_iter(), len)
    }
}

borrowed!(
    ['a, T, V, const SPARSE: bool] &'a HandleMap<T, V, SPARSE>,
    iter, Iter<'a, T, V>, (Handle<T>, &'a V)
);
borrowed!(
    ['a, T, V, const SPARSE: bool] &'a mut HandleMap<T, V, SPARSE>,
    iter_mut, IterMut<'a, T, V>, (Handle<T>, &'a mut V)
);
