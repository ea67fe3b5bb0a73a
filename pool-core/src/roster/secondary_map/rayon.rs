//! Parallel iteration: rayon splits the table of pages.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use rayon::iter::plumbing::UnindexedConsumer;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, Map, ParallelIterator};

use crate::base::handle::Handle;
use crate::roster::rayon::in_parallel;
use crate::roster::secondary_map::HandleMap;
use crate::roster::secondary_map::pages::{KeyedValue, Listed, Page, Pages};

/// The parallel iterator over pages and list: its documentation and name, what it borrows, and how it finds the value in
/// what is there.
macro_rules! parallel {
    (
        $(#[$doc:meta])* $name:ident, $pages:ty, $pieces:ty, $slot:ty, $value:ty, $bound:ident,
        |$found:ident| $get:expr
    ) => {
        $(#[$doc])*
        #[must_use = "parallel iterators do nothing unless they are consumed"]
        pub struct $name<'a, T, V> {
            pages: $pages,
            pieces: $pieces,
            len: usize,
            marker: PhantomData<Handle<T>>,
        }

        impl<'a, T, V: $bound> ParallelIterator for $name<'a, T, V> {
            type Item = (Handle<T>, $value);

            fn drive_unindexed<C: UnindexedConsumer<Self::Item>>(self, consumer: C) -> C::Result {
                let pages = self.pages.into_par_iter().enumerate();
                let items = pages.flat_map_iter(|(number, page)| {
                    let slots = page.into_iter().flatten().zip((number * KeyedValue::<V>::IN_PAGE) as u32..);
                    slots.filter_map(|(slot, at)| {
                        let $found: $slot = Option::from(slot)?;
                        Some((Handle::new(at, $found.word), $get))
                    })
                });
                let far = self.pieces.into_par_iter().flat_map_iter(|piece| {
                    piece.into_iter().map(|$found| (Handle::new($found.at, $found.word), $get))
                });
                items.chain(far).drive_unindexed(consumer)
            }
        }

        impl<T, V> fmt::Debug for $name<'_, T, V> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("len", &self.len).finish_non_exhaustive()
            }
        }
    };
}

parallel! {
    /// From [`HandleMap::par_iter`]: handles and references to their values.
    ParIter, &'a [Option<Page<V>>], &'a [Vec<Listed<V>>], &'a KeyedValue<V>, &'a V, Sync,
    |found| &found.value
}

parallel! {
    /// From [`HandleMap::par_iter_mut`]: handles and exclusive references to their values.
    ParIterMut, &'a mut [Option<Page<V>>], &'a mut [Vec<Listed<V>>], &'a mut KeyedValue<V>, &'a mut V, Send,
    |found| &mut found.value
}

/// From [`HandleMap::par_values`]: references to the values.
pub type ParValues<'a, T, V> = Map<ParIter<'a, T, V>, fn((Handle<T>, &'a V)) -> &'a V>;

/// From [`HandleMap::par_values_mut`]: exclusive references to the values.
pub type ParValuesMut<'a, T, V> =
    Map<ParIterMut<'a, T, V>, fn((Handle<T>, &'a mut V)) -> &'a mut V>;

impl<T, V> Clone for ParIter<'_, T, V> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

// The bounds are on the methods: if one is missing, the compiler then explains it by the value's type.
impl<T, V, const SPARSE: bool> HandleMap<T, V, SPARSE> {
    /// Handles and references to their values, on all cores at once. O(slots) in all.
    ///
    /// The order in which they are visited differs from run to run; a `Vec` that collects them is in the order of
    /// slots.
    ///
    /// # Examples
    ///
    /// The elements come from the roster, which is shared:
    ///
    /// ```
    /// use rayon::prelude::*;
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let monsters: Roster<u64> = (0..10_000).collect();
    /// let poison: SecondaryMap<_, _> = monsters.handles().step_by(10).map(|it| (it, 2)).collect();
    /// let harm: u64 = poison.par_iter().map(|(monster, harm)| monsters[monster] * harm).sum();
    /// assert_eq!(harm, 9_990_000);
    /// ```
    pub fn par_iter(&self) -> ParIter<'_, T, V>
    where
        V: Sync,
    {
        let Pages { table: pages, far, len, .. } = &self.slots;
        ParIter { pages, pieces: &far.pieces, len: *len, marker: PhantomData }
    }

    /// The values, on all cores at once. O(slots) in all.
    ///
    /// # Examples
    ///
    /// ```
    /// use rayon::prelude::*;
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let roster: Roster<u64> = (0..10_000).collect();
    /// let map: SecondaryMap<_, _> = roster.iter().map(|(handle, n)| (handle, n * 2)).collect();
    /// assert_eq!(map.par_values().sum::<u64>(), 99_990_000);
    /// ```
    pub fn par_values(&self) -> ParValues<'_, T, V>
    where
        V: Sync,
    {
        self.par_iter().map(|(_, value)| value)
    }

    /// Handles and exclusive references to their values, on all cores at once. O(slots) in all.
    ///
    /// # Examples
    ///
    /// ```
    /// use rayon::prelude::*;
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let roster: Roster<usize> = (0..10_000).collect();
    /// let mut map: SecondaryMap<_, _> = roster.handles().map(|handle| (handle, 0)).collect();
    /// map.par_iter_mut().for_each(|(handle, value)| *value = roster[handle] + 1);
    /// assert!(map.values().copied().eq(1..=10_000));
    /// ```
    pub fn par_iter_mut(&mut self) -> ParIterMut<'_, T, V>
    where
        V: Send,
    {
        let Pages { table: pages, far, len, .. } = &mut self.slots;
        ParIterMut { pages, pieces: &mut far.pieces, len: *len, marker: PhantomData }
    }

    /// Exclusive references to the values, on all cores at once. O(slots) in all.
    ///
    /// # Examples
    ///
    /// ```
    /// use rayon::prelude::*;
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let roster: Roster<char> = "abc".chars().collect();
    /// let mut map: SecondaryMap<_, _> = roster.handles().map(|handle| (handle, 1)).collect();
    /// map.par_values_mut().for_each(|value| *value += 1);
    /// assert!(map.values().eq(&[2, 2, 2]));
    /// ```
    pub fn par_values_mut(&mut self) -> ParValuesMut<'_, T, V>
    where
        V: Send,
    {
        self.par_iter_mut().map(|(_, value)| value)
    }
}

in_parallel!(
    ['a, T, V: Sync, const SPARSE: bool] &'a HandleMap<T, V, SPARSE>,
    par_iter, ParIter<'a, T, V>, (Handle<T>, &'a V)
);
in_parallel!(
    ['a, T, V: Send, const SPARSE: bool] &'a mut HandleMap<T, V, SPARSE>,
    par_iter_mut, ParIterMut<'a, T, V>, (Handle<T>, &'a mut V)
);
