//! The memory of a pool, and what it shows of itself.

use core::any::type_name;
use core::fmt;

#[cfg(feature = "sites")]
use alloc::vec::Vec;

use crate::base::reserve_error::ReserveError;
use crate::base::stats::PoolStats;
#[cfg(feature = "sites")]
use crate::base::watch::sites::lines::{Site, Tally};
use crate::pool::typed::TypedPool;
use crate::strategy::Strategy;

impl<T, S: Strategy> TypedPool<T, S> {
    /// Makes room for `additional` more elements, so that this many allocations will not grow the pool. A pool that
    /// has chunks already at least doubles, as far as its limit allows.
    ///
    /// # Panics
    ///
    /// If the limit of the pool does not allow that many more, or if the slots, or in a pointer stack as many
    /// pointers, exceed `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<[u64; 2]>::new();
    /// pool.reserve(100);
    /// let bytes = pool.stats().bytes;
    /// let boxes: Vec<_> = (0..100).map(|i| pool.alloc([i, i])).collect();
    /// assert_eq!(pool.stats().bytes, bytes);
    /// # drop(boxes);
    /// ```
    #[track_caller]
    pub fn reserve(&self, additional: usize) {
        if let Err(error) = self.try_reserve(additional) {
            error.raise();
        }
    }

    /// [`TypedPool::reserve`] that does not panic.
    ///
    /// # Errors
    ///
    /// [`ReserveError`] if the pool's limit does not allow that many more, or the heap has no room for them. The pool has not changed
    /// then.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<[u64; 2]>::new();
    /// assert!(pool.try_reserve(100).is_ok());
    /// assert!(pool.try_reserve(usize::MAX).is_err());
    /// assert_eq!(pool.stats().chunks, 1);
    /// ```
    pub fn try_reserve(&self, additional: usize) -> Result<(), ReserveError> {
        self.slots.try_reserve(additional, 0, type_name::<T>(), Self::SLOT)
    }

    /// Brings in the memory of all slots that were never used, by writing to each page of it: their first
    /// use will not wait for the system. After [`TypedPool::reserve`], for a level's start.
    ///
    /// O(bytes), at about a microsecond for 4 KiB; less on huge pages (the feature `huge-pages`).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<[u64; 8]>::new();
    /// pool.reserve(10_000);
    /// pool.prefault();
    /// assert_eq!(pool.stats().live, 0);
    /// ```
    pub fn prefault(&self) {
        self.slots.cursor.prefault(Self::SLOT);
    }

    /// Gives every chunk without an occupied slot back to the heap, and the part of a pointer stack that
    /// was for them; returns their bytes.
    ///
    /// O(vacant slots x chunks): for a level's end, not for a frame's.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::new();
    /// drop(pool.alloc([0_u64; 8]));
    /// assert!(pool.trim() > 0);
    /// assert_eq!(pool.stats().bytes, 0);
    /// ```
    pub fn trim(&self) -> usize {
        self.slots.trim(Self::SLOT)
    }

    /// The lines that have taken the pool's slots, and how many of them are live: the biggest count first. See
    /// [`Pooled::pool_sites`](crate::Pooled::pool_sites). O(slots).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::new();
    /// let kept = [pool.alloc(1_u64), pool.alloc(2)];
    /// assert_eq!(pool.sites()[0].location.file(), file!());
    /// # drop(kept);
    /// ```
    #[cfg(feature = "sites")]
    pub fn sites(&self) -> Vec<Site> {
        let mut sites = Tally::new();
        self.slots.show_lines(&mut sites.count());
        sites.list(Self::SLOT.size())
    }

    /// The pool's figures. O(chunks).
    ///
    /// # Examples
    ///
    /// See [`PoolStats`].
    pub fn stats(&self) -> PoolStats {
        self.slots.stats(type_name::<T>(), Self::SLOT)
    }

    /// Whether `element` points at a slot of this pool, occupied or not. O(chunks).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::new();
    /// let ours = pool.alloc(1_u64);
    /// assert!(pool.owns(&*ours));
    /// assert!(!pool.owns(&1));
    /// ```
    pub fn owns(&self, element: *const T) -> bool {
        self.slots.owns(element.addr(), Self::SLOT)
    }
}

/// One line of figures. O(chunks). What lies where, the pool's `map()` shows.
///
/// # Examples
///
/// ```
/// use typed_pool::FreeList;
///
/// let pool = FreeList::<[u64; 2]>::bounded(4);
/// let [a, b] = [1, 2].map(|n| pool.alloc([n, n]));
/// drop(a);
/// let shown = pool.to_string();
/// assert!(shown.contains("1 of 4 slots live"));
/// # drop(b);
/// ```
impl<T, S: Strategy> fmt::Display for TypedPool<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", S::TYPED_POOL, self.stats())
    }
}

/// As its `Display`.
impl<T, S: Strategy> fmt::Debug for TypedPool<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
