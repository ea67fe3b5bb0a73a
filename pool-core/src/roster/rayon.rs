//! Parallel iteration.
//!
//! While cores are idle, rayon splits the slots, between two parts of a `Walk`; each piece is then a normal iteration. The smallest piece
//! is the 64 slots of a word of the bitmap, or fewer large ones.

use rayon::iter::{ParallelIterator, split};

use crate::base::handle::Handle;
use crate::roster::Roster;
use crate::roster::iter::{Iter, IterMut, Values, ValuesMut};

// The bounds are on the methods: if one is missing, the compiler then explains it by the element type.
impl<T> Roster<T> {
    /// Handles and references, on all cores at once.
    ///
    /// The order in which they are visited differs from run to run; a `Vec` that collects them is in the order of
    /// memory.
    ///
    /// A handle of a derived thread-local pool finds its element on its own thread only, not on rayon's workers:
    /// borrow the roster before going parallel ([`Roster::par_values`] shows how).
    ///
    /// # Examples
    ///
    /// ```
    /// use rayon::prelude::*;
    /// use typed_pool::Roster;
    ///
    /// let roster: Roster<u32> = (0..10_000).collect();
    /// let (last, _) = roster.par_iter().find_any(|&(_, &n)| n == 9_999).unwrap();
    /// assert_eq!(roster[last], 9_999);
    /// ```
    pub fn par_iter(&self) -> impl ParallelIterator<Item = (Handle<T>, &T)>
    where
        T: Sync,
    {
        split(self.iter(), Iter::halved).flat_map_iter(|part| part)
    }

    /// The elements, on all cores at once.
    ///
    /// A handle of a derived thread-local pool finds its element on its own thread only, not on rayon's workers:
    /// borrow the roster before going parallel.
    ///
    /// # Examples
    ///
    /// ```
    /// use rayon::prelude::*;
    /// use typed_pool::Roster;
    ///
    /// let roster: Roster<u64> = (0..10_000).collect();
    /// assert_eq!(roster.par_values().sum::<u64>(), 49_995_000);
    /// ```
    ///
    /// Two derived pools, one of which refers to the other: the thread that owns them borrows both, and the workers
    /// use those borrows.
    ///
    /// ```
    /// use rayon::prelude::*;
    /// use typed_pool::{Handle, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Monster { health: i32 }
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Missile { target: Handle<Monster> }
    ///
    /// for health in 0..1000 {
    ///     let target = Monster::pool_insert(Monster { health });
    ///     Missile::pool_insert(Missile { target });
    /// }
    /// let aimed_at: i32 = Monster::pool_with(|monsters| {
    ///     let monsters = &*monsters;
    ///     Missile::pool_with(|missiles| {
    ///         missiles.par_values().map(|missile| monsters[missile.target].health).sum()
    ///     })
    /// });
    /// assert_eq!(aimed_at, 499_500);
    /// ```
    pub fn par_values(&self) -> impl ParallelIterator<Item = &T>
    where
        T: Sync,
    {
        split(self.values(), Values::halved).flat_map_iter(|part| part)
    }

    /// Handles and exclusive references, on all cores at once.
    ///
    /// A handle of a derived thread-local pool finds its element on its own thread only, not on rayon's workers:
    /// borrow the roster before going parallel ([`Roster::par_values`] shows how).
    ///
    /// # Examples
    ///
    /// ```
    /// use rayon::prelude::*;
    /// use typed_pool::Roster;
    ///
    /// let mut roster: Roster<usize> = (0..10_000).collect();
    /// roster.par_iter_mut().for_each(|(handle, n)| *n += handle.index());
    /// assert!(roster.values().copied().eq((0..10_000).map(|n| 2 * n)));
    /// ```
    pub fn par_iter_mut(&mut self) -> impl ParallelIterator<Item = (Handle<T>, &mut T)>
    where
        T: Send,
    {
        split(self.iter_mut(), IterMut::halved).flat_map_iter(|part| part)
    }

    /// Exclusive references to the elements, on all cores at once.
    ///
    /// This pays if each element takes work, or there are very many: handing a piece to another core costs some
    /// microseconds.
    ///
    /// A handle of a derived thread-local pool finds its element on its own thread only, not on rayon's workers:
    /// borrow the roster before going parallel ([`Roster::par_values`] shows how).
    ///
    /// # Examples
    ///
    /// ```
    /// use rayon::prelude::*;
    /// use typed_pool::Roster;
    ///
    /// let mut roster: Roster<f32> = (0..10_000).map(|n| n as f32).collect();
    /// roster.par_values_mut().for_each(|x| *x = x.sqrt());
    /// assert_eq!(roster.values().nth(144), Some(&12.0));
    /// ```
    pub fn par_values_mut(&mut self) -> impl ParallelIterator<Item = &mut T>
    where
        T: Send,
    {
        split(self.values_mut(), ValuesMut::halved).flat_map_iter(|part| part)
    }
}
