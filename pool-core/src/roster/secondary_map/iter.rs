//! Iteration over the values, in the order of slots, from both ends.

use alloc::vec::{self, Vec};
use core::iter::{Flatten, Map};
use core::marker::PhantomData;
use core::mem;
use core::ops::Range;
use core::slice;

use crate::base::handle::Handle;
use crate::roster::iter::{borrowed, counted};
use crate::roster::occupancy::{first_one, last_one};
use crate::roster::secondary_map::HandleMap;
use crate::roster::secondary_map::pages::{KeyedValue, Listed, Page, Pages};

/// An iterator over pairs: its documentation and name, the pages that it goes through, the bits of those with values,
/// how it opens one, the slots that are there, how it looks into one, the pieces of the list, and what it makes of a
/// value.
macro_rules! pairs {
    (
        $(#[$doc:meta])* $name:ident<$($lifetime:lifetime)?>,
        $pages:ty, $used:ty, |$page:ident| $open:expr, $slots:ty, |$slot:ident| $look:expr,
        $pieces:ty, $value:ty, |$kept:ident| $get:expr
    ) => {
        $(#[$doc])*
        pub struct $name<$($lifetime,)? T, V> {
            pages: $pages,
            used: $used,
            /// The number of the first of those pages, and of the one behind the last.
            numbers: Range<usize>,
            /// What is left of the page before those,
            front: $slots,
            /// and of the page behind them.
            back: $slots,
            /// The number of the first slot in `front`,
            first: usize,
            /// and of the one behind the last in `back`.
            end: usize,
            /// What is left behind the pages.
            far: Flatten<$pieces>,
            /// How many values are left.
            left: usize,
            marker: PhantomData<Handle<T>>,
        }

        impl<$($lifetime,)? T, V> $name<$($lifetime,)? T, V> {
            /// `start` is the number of the first page.
            fn new(start: usize, pages: $pages, used: $used, pieces: $pieces, left: usize) -> Self {
                let (front, back) = Default::default();
                let (numbers, far) = (start..start + pages.len(), pieces.flatten());
                let marker = PhantomData;
                Self { pages, used, numbers, front, back, first: 0, end: 0, far, left, marker }
            }
        }

        impl<$($lifetime,)? T, V> Iterator for $name<$($lifetime,)? T, V> {
            type Item = (Handle<T>, $value);

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                // What lies behind the last value is not looked at.
                self.left = self.left.checked_sub(1)?;
                loop {
                    for $slot in self.front.by_ref() {
                        let at = self.first as u32;
                        self.first += 1;
                        if let Some($kept) = $look {
                            return Some((Handle::new(at, $kept.word), $get));
                        }
                    }
                    if let Some(number) = first_one(&self.used, self.numbers.clone()) {
                        let page = self.pages.nth(number - self.numbers.start);
                        if let Some(Some($page)) = page {
                            self.front = $open;
                        }
                        self.first = number * KeyedValue::<V>::IN_PAGE;
                        self.numbers.start = number + 1;
                    } else if self.back.len() > 0 {
                        self.front = mem::take(&mut self.back);
                        self.first = self.end - self.front.len();
                    } else {
                        self.numbers.start = self.numbers.end;
                        let $kept = self.far.next()?;
                        return Some((Handle::new($kept.at, $kept.word), $get));
                    }
                }
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.left, Some(self.left))
            }
        }

        impl<$($lifetime,)? T, V> DoubleEndedIterator for $name<$($lifetime,)? T, V> {
            fn next_back(&mut self) -> Option<Self::Item> {
                self.left = self.left.checked_sub(1)?;
                if let Some($kept) = self.far.next_back() {
                    return Some((Handle::new($kept.at, $kept.word), $get));
                }
                loop {
                    while let Some($slot) = self.back.next_back() {
                        self.end -= 1;
                        if let Some($kept) = $look {
                            return Some((Handle::new(self.end as u32, $kept.word), $get));
                        }
                    }
                    if let Some(number) = last_one(&self.used, self.numbers.clone()) {
                        let page = self.pages.nth_back(self.numbers.end - 1 - number);
                        if let Some(Some($page)) = page {
                            self.back = $open;
                        }
                        self.end = (number + 1) * KeyedValue::<V>::IN_PAGE;
                        self.numbers.end = number;
                    } else {
                        self.back = mem::take(&mut self.front);
                        self.end = self.first + self.back.len();
                    }
                }
            }
        }

        counted!([$($lifetime,)? T, V] $name[$($lifetime,)? T, V]);
    };
}

pairs! {
    /// From [`HandleMap::iter`]: handles and references to their values, in the order of slots.
    Iter<'a>,
    slice::Iter<'a, Option<Page<V>>>, &'a [u64], |page| page.iter(),
    slice::Iter<'a, Option<KeyedValue<V>>>, |slot| slot.as_ref(),
    slice::Iter<'a, Vec<Listed<V>>>, &'a V, |kept| &kept.value
}

pairs! {
    /// From [`HandleMap::iter_mut`]: handles and exclusive references to their values, in the order
    /// of slots.
    IterMut<'a>,
    slice::IterMut<'a, Option<Page<V>>>, &'a [u64], |page| page.iter_mut(),
    slice::IterMut<'a, Option<KeyedValue<V>>>, |slot| slot.as_mut(),
    slice::IterMut<'a, Vec<Listed<V>>>, &'a mut V, |kept| &mut kept.value
}

pairs! {
    /// From `IntoIterator` for a [`SecondaryMap`](super::SecondaryMap): handles and values, in the order of slots.
    IntoIter<>,
    vec::IntoIter<Option<Page<V>>>, Vec<u64>, |page| page.into_vec().into_iter(),
    vec::IntoIter<Option<KeyedValue<V>>>, |slot| slot,
    vec::IntoIter<Vec<Listed<V>>>, V, |kept| kept.value
}

/// From [`HandleMap::handles`]: the handles that have a value, in the order of slots.
pub type Handles<'a, T, V> = Map<Iter<'a, T, V>, fn((Handle<T>, &'a V)) -> Handle<T>>;

/// From [`HandleMap::values`]: references to the values, in the order of slots.
pub type Values<'a, T, V> = Map<Iter<'a, T, V>, fn((Handle<T>, &'a V)) -> &'a V>;

/// From [`HandleMap::values_mut`]: exclusive references to the values, in the order of slots.
pub type ValuesMut<'a, T, V> = Map<IterMut<'a, T, V>, fn((Handle<T>, &'a mut V)) -> &'a mut V>;

impl<T, V> Clone for Iter<'_, T, V> {
    fn clone(&self) -> Self {
        let Self { pages, numbers, front, back, far, .. } = self;
        let (pages, numbers, far) = (pages.clone(), numbers.clone(), far.clone());
        Self { pages, numbers, front: front.clone(), back: back.clone(), far, ..*self }
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
    pub fn iter(&self) -> Iter<'_, T, V> {
        let Pages { table, used, far, len, .. } = &self.slots;
        Iter::new(0, table.iter(), used, far.pieces.iter(), *len)
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
        let Pages { table, used, far, len, .. } = &mut self.slots;
        IterMut::new(0, table.iter_mut(), used, far.pieces.iter_mut(), *len)
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

    /// Takes the values out one by one, in the order of slots. What is left is dropped with the iterator, or stays
    /// in the map if the iterator is leaked.
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
    pub fn drain(&mut self) -> Drain<'_, T, V, SPARSE> {
        Drain { numbers: 0..self.slots.table.len(), map: self }
    }
}

impl<T, V, const SPARSE: bool> IntoIterator for HandleMap<T, V, SPARSE> {
    type Item = (Handle<T>, V);
    type IntoIter = IntoIter<T, V>;

    fn into_iter(self) -> IntoIter<T, V> {
        let Pages { table, used, far, len, .. } = self.slots;
        IntoIter::new(0, table.into_iter(), used, far.pieces.into_iter(), len)
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

/// From [`HandleMap::drain`]: takes the values out, in the order of slots.
pub struct Drain<'a, T, V, const SPARSE: bool = false> {
    map: &'a mut HandleMap<T, V, SPARSE>,
    /// The pages that may have values.
    numbers: Range<usize>,
}

impl<T, V, const SPARSE: bool> Drain<'_, T, V, SPARSE> {
    fn left(&self) -> Iter<'_, T, V> {
        let (Pages { table, used, far, len, .. }, numbers) = (&self.map.slots, &self.numbers);
        let pages = table[numbers.clone()].iter();
        Iter::new(numbers.start, pages, used, far.pieces.iter(), *len)
    }
}

impl<T, V, const SPARSE: bool> Iterator for Drain<'_, T, V, SPARSE> {
    type Item = (Handle<T>, V);

    fn next(&mut self) -> Option<Self::Item> {
        let handle = self.left().next()?.0;
        self.numbers.start = self.numbers.end.min(handle.index() / KeyedValue::<V>::IN_PAGE);
        Some((handle, self.map.remove(handle)?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.map.len(), Some(self.map.len()))
    }
}

impl<T, V, const SPARSE: bool> DoubleEndedIterator for Drain<'_, T, V, SPARSE> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let handle = self.left().next_back()?.0;
        self.numbers.end = self.numbers.end.min(handle.index() / KeyedValue::<V>::IN_PAGE + 1);
        Some((handle, self.map.remove(handle)?))
    }
}

impl<T, V, const SPARSE: bool> Drop for Drain<'_, T, V, SPARSE> {
    fn drop(&mut self) {
        self.map.clear();
    }
}

counted!(['a, T, V, const SPARSE: bool] Drain['a, T, V, SPARSE]);
