//! From a handle to its value.

use core::ops::{Index, IndexMut};

use crate::base::handle::Handle;
use crate::roster::secondary_map::SecondaryMap;
use crate::roster::secondary_map::pages::Pages;

impl<T, V> SecondaryMap<T, V> {
    /// Whether this very handle has a value. O(1).
    #[doc(alias = "contains_key")]
    #[inline]
    pub fn contains(&self, handle: Handle<T>) -> bool {
        self.get(handle).is_some()
    }

    /// The handle's value. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let handle = roster.insert("orc");
    /// let map = SecondaryMap::from_iter([(handle, 1)]);
    /// assert_eq!(map.get(handle), Some(&1));
    /// ```
    #[inline]
    pub fn get(&self, handle: Handle<T>) -> Option<&V> {
        let slot = self.slots.get(handle.index())?;
        (slot.word == handle.word()).then_some(&slot.value)
    }

    /// The handle's value, exclusively. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let handle = roster.insert("orc");
    /// let mut map = SecondaryMap::from_iter([(handle, 1)]);
    /// if let Some(value) = map.get_mut(handle) {
    ///     *value += 1;
    /// }
    /// assert_eq!(map[handle], 2);
    /// ```
    #[inline]
    pub fn get_mut(&mut self, handle: Handle<T>) -> Option<&mut V> {
        let slot = self.slots.get_mut(handle.index())?.as_mut()?;
        (slot.word == handle.word()).then_some(&mut slot.value)
    }

    /// Several values at once; `None` if one of the handles has none, or comes twice. O(N log N).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let (a, b) = (roster.insert("a"), roster.insert("b"));
    /// let mut map = SecondaryMap::from_iter([(a, 1), (b, 2)]);
    /// if let Some([first, second]) = map.get_disjoint_mut([b, a]) {
    ///     std::mem::swap(first, second);
    /// }
    /// assert_eq!((map[a], map[b]), (2, 1));
    /// assert!(map.get_disjoint_mut([a, a]).is_none());
    /// ```
    #[doc(alias = "get_many_mut")]
    pub fn get_disjoint_mut<const N: usize>(
        &mut self,
        handles: [Handle<T>; N],
    ) -> Option<[&mut V; N]> {
        // From the lowest slot to the highest, so that each lies behind those before.
        let mut order: [usize; N] = core::array::from_fn(|i| i);
        order.sort_unstable_by_key(|&i| handles[i]);
        let mut found = [const { None }; N];
        // What is left of the pages, of the page before them, and where it begins.
        let (mut pages, mut page, mut start) = (self.slots.iter_mut(), [].iter_mut(), 0);
        let mut next_page = 0;
        for i in order {
            let (at, number) = (handles[i].index(), handles[i].index() / Pages::<V>::SLOTS);
            if number >= next_page {
                page = pages.nth(number - next_page)?.as_deref_mut()?.iter_mut();
                (next_page, start) = (number + 1, number * Pages::<V>::SLOTS);
            }
            // A slot before that is one that has been asked for already.
            let slot = page.nth(at.checked_sub(start)?)?.as_mut();
            found[i] = Some(&mut slot.filter(|slot| slot.word == handles[i].word())?.value);
            start = at + 1;
        }
        Some(found.map(|value| value.unwrap_or_else(|| unreachable!("every handle was found"))))
    }

    /// Panics with the reason why a handle has no value.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn absent(&self, handle: Handle<T>) -> ! {
        let (index, generation) = (handle.index(), handle.generation());
        let reason = match self.slots.get(index) {
            Some(slot) if slot.is_newer_than(handle.word()) => {
                "is stale: the slot has the value of a newer one"
            }
            Some(_) => "has none: the slot has the value of another handle",
            _ => "has none: it was never inserted, or has been removed",
        };
        panic!(
            "no value in the secondary map of `{}`: the handle to a `{}` (slot {index}, generation \
             {generation}) {reason}; `get` returns an `Option`",
            core::any::type_name::<V>(),
            core::any::type_name::<T>()
        )
    }
}

impl<T, V> Index<Handle<T>> for SecondaryMap<T, V> {
    type Output = V;

    /// The handle's value.
    ///
    /// # Panics
    ///
    /// If the handle has none.
    #[inline]
    #[track_caller]
    fn index(&self, handle: Handle<T>) -> &V {
        match self.get(handle) {
            Some(value) => value,
            None => self.absent(handle),
        }
    }
}

impl<T, V> IndexMut<Handle<T>> for SecondaryMap<T, V> {
    /// The handle's value.
    ///
    /// # Panics
    ///
    /// If the handle has none.
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, handle: Handle<T>) -> &mut V {
        if !self.contains(handle) {
            self.absent(handle);
        }
        self.get_mut(handle).expect("it has just been found")
    }
}
