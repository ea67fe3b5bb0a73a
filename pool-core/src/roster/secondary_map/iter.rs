//! Iteration over the values, in the order of slots, from both ends.

use alloc::vec;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::mem;
use core::slice;

use crate::base::handle::Handle;
use crate::roster::secondary_map::SecondaryMap;
use crate::roster::secondary_map::pages::{KeyedValue, Page, Pages};

/// The traits of every iterator here.
macro_rules! counted {
    ($name:ident<$($lifetime:lifetime)?>) => {
        impl<$($lifetime,)? T, V> ExactSizeIterator for $name<$($lifetime,)? T, V> {}
        impl<$($lifetime,)? T, V> FusedIterator for $name<$($lifetime,)? T, V> {}

        impl<$($lifetime,)? T, V> fmt::Debug for $name<$($lifetime,)? T, V> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("len", &self.len()).finish_non_exhaustive()
            }
        }
    };
}

/// An iterator over pairs: its documentation and name, the pages that it goes through, how it opens one of
/// them, the slots that are there, how it looks into one, and what it makes of a value.
macro_rules! pairs {
    (
        $(#[$doc:meta])* $name:ident<$($lifetime:lifetime)?>,
        $pages:ty, |$page:ident| $open:expr, $slots:ty, |$slot:ident| $look:expr,
        $value:ty, $get:expr
    ) => {
        $(#[$doc])*
        pub struct $name<$($lifetime,)? T, V> {
            pages: $pages,
            /// What is left of the page before those,
            front: $slots,
            /// and of the page behind them.
            back: $slots,
            /// The number of the slot that comes next,
            first: usize,
            /// and of the one behind the last that is left.
            end: usize,
            /// How many values are left.
            left: usize,
            marker: PhantomData<Handle<T>>,
        }

        impl<$($lifetime,)? T, V> $name<$($lifetime,)? T, V> {
            fn new(pages: $pages, left: usize) -> Self {
                let end = pages.len() * Pages::<V>::SLOTS;
                let (front, back) = Default::default();
                Self { pages, front, back, first: 0, end, left, marker: PhantomData }
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
                        if let Some(slot) = $look {
                            return Some((Handle::new(at, slot.word), $get(slot)));
                        }
                    }
                    match self.pages.next() {
                        Some(Some($page)) => self.front = $open,
                        Some(None) => self.first += Pages::<V>::SLOTS,
                        None => self.front = mem::take(&mut self.back),
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
                loop {
                    while let Some($slot) = self.back.next_back() {
                        self.end -= 1;
                        if let Some(slot) = $look {
                            let at = self.end as u32;
                            return Some((Handle::new(at, slot.word), $get(slot)));
                        }
                    }
                    match self.pages.next_back() {
                        Some(Some($page)) => self.back = $open,
                        Some(None) => self.end -= Pages::<V>::SLOTS,
                        None => self.back = mem::take(&mut self.front),
                    }
                }
            }
        }

        counted!($name<$($lifetime)?>);
    };
}

pairs! {
    /// From [`SecondaryMap::iter`]: handles and references to their values, in the order of slots.
    Iter<'a>,
    slice::Iter<'a, Option<Page<V>>>, |page| page.iter(),
    slice::Iter<'a, Option<KeyedValue<V>>>, |slot| slot.as_ref(),
    &'a V, |slot: &'a KeyedValue<V>| &slot.value
}

pairs! {
    /// From [`SecondaryMap::iter_mut`]: handles and exclusive references to their values, in the order
    /// of slots.
    IterMut<'a>,
    slice::IterMut<'a, Option<Page<V>>>, |page| page.iter_mut(),
    slice::IterMut<'a, Option<KeyedValue<V>>>, |slot| slot.as_mut(),
    &'a mut V, |slot: &'a mut KeyedValue<V>| &mut slot.value
}

pairs! {
    /// From `IntoIterator` for a [`SecondaryMap`]: handles and values, in the order of slots.
    IntoIter<>,
    vec::IntoIter<Option<Page<V>>>, |page| page.into_vec().into_iter(),
    vec::IntoIter<Option<KeyedValue<V>>>, |slot| slot,
    V, |slot: KeyedValue<V>| slot.value
}

/// An iterator over one half of the pairs.
macro_rules! halves {
    (
        $(#[$doc:meta])* $name:ident<$($lifetime:lifetime)?>, $pairs:ident, $half:ty,
        |$pair:pat_param| $make:expr
    ) => {
        $(#[$doc])*
        pub struct $name<$($lifetime,)? T, V>($pairs<$($lifetime,)? T, V>);

        impl<$($lifetime,)? T, V> Iterator for $name<$($lifetime,)? T, V> {
            type Item = $half;

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                self.0.next().map(|$pair| $make)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }

        impl<$($lifetime,)? T, V> DoubleEndedIterator for $name<$($lifetime,)? T, V> {
            #[inline]
            fn next_back(&mut self) -> Option<Self::Item> {
                self.0.next_back().map(|$pair| $make)
            }
        }

        counted!($name<$($lifetime)?>);
    };
}

halves! {
    /// From [`SecondaryMap::handles`]: the handles that have a value, in the order of slots.
    Handles<'a>, Iter, Handle<T>, |(handle, _)| handle
}

halves! {
    /// From [`SecondaryMap::values`]: references, in the order of slots.
    Values<'a>, Iter, &'a V, |(_, value)| value
}

halves! {
    /// From [`SecondaryMap::values_mut`]: exclusive references, in the order of slots.
    ValuesMut<'a>, IterMut, &'a mut V, |(_, value)| value
}

impl<T, V> Clone for Iter<'_, T, V> {
    fn clone(&self) -> Self {
        let Self { pages, front, back, .. } = self;
        Self { pages: pages.clone(), front: front.clone(), back: back.clone(), ..*self }
    }
}

impl<T, V> Clone for Handles<'_, T, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T, V> Clone for Values<'_, T, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T, V> SecondaryMap<T, V> {
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
        Iter::new(self.slots.iter(), self.len)
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
        IterMut::new(self.slots.iter_mut(), self.len)
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
        Handles(self.iter())
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
        Values(self.iter())
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
        ValuesMut(self.iter_mut())
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
    pub fn drain(&mut self) -> Drain<'_, T, V> {
        Drain { first: 0, end: self.slots.capacity(), map: self }
    }
}

impl<T, V> IntoIterator for SecondaryMap<T, V> {
    type Item = (Handle<T>, V);
    type IntoIter = IntoIter<T, V>;

    fn into_iter(self) -> IntoIter<T, V> {
        IntoIter::new(self.slots.into_iter(), self.len)
    }
}

impl<'a, T, V> IntoIterator for &'a SecondaryMap<T, V> {
    type Item = (Handle<T>, &'a V);
    type IntoIter = Iter<'a, T, V>;

    #[inline]
    fn into_iter(self) -> Iter<'a, T, V> {
        self.iter()
    }
}

impl<'a, T, V> IntoIterator for &'a mut SecondaryMap<T, V> {
    type Item = (Handle<T>, &'a mut V);
    type IntoIter = IterMut<'a, T, V>;

    #[inline]
    fn into_iter(self) -> IterMut<'a, T, V> {
        self.iter_mut()
    }
}

/// From [`SecondaryMap::drain`]: takes the values out, in the order of slots.
pub struct Drain<'a, T, V> {
    map: &'a mut SecondaryMap<T, V>,
    /// The slot before which there is no value,
    first: usize,
    /// and the one from which there is none.
    end: usize,
}

impl<T, V> Iterator for Drain<'_, T, V> {
    type Item = (Handle<T>, V);

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.map.slots.occupied_from(self.first)?;
        self.first = at + 1;
        self.map.take(at)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.map.len, Some(self.map.len))
    }
}

impl<T, V> DoubleEndedIterator for Drain<'_, T, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.end = self.map.slots.occupied_before(self.end)?;
        self.map.take(self.end)
    }
}

impl<T, V> Drop for Drain<'_, T, V> {
    fn drop(&mut self) {
        self.map.clear();
    }
}

counted!(Drain<'a>);
