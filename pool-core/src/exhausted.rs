//! The error of a pool that is at its limit.

use core::fmt;

use crate::config::{Bound, Config};
use crate::handle::LAST_GENERATION;

/// Every slot that a pool may have is occupied.
///
/// Returned by the `try_*` operations. Where a value was given, it comes back with the error.
///
/// # Examples
///
/// ```
/// use typed_pool::FreeList;
///
/// let pool = FreeList::bounded(1);
/// let first = pool.alloc([1_u64]);
/// let error = pool.try_alloc([2]).unwrap_err();
/// assert_eq!(error.capacity(), 1);
/// assert_eq!(error.into_inner(), [2]);
/// # drop(first);
/// ```
#[derive(Clone, Copy)]
pub struct Exhausted<T = ()> {
    value: T,
    limit: Limit,
}

/// The limit that was reached, and whose.
#[derive(Clone, Copy)]
struct Limit {
    pool: &'static str,
    slots: usize,
    /// Of `slots`, those that are worn out ([`Handle`](crate::Handle)).
    retired: usize,
    bound: Bound,
}

impl Exhausted {
    /// `config` is that of a pool of `T`s which is at its limit.
    pub(crate) fn new<T>(config: &Config) -> Self {
        let pool = config.name.unwrap_or_else(core::any::type_name::<T>);
        Self {
            value: (),
            limit: Limit { pool, slots: config.max, retired: 0, bound: config.bound },
        }
    }

    pub(crate) fn of_roster(mut self, slots: usize, retired: usize) -> Self {
        self.limit = Limit { slots, retired, ..self.limit };
        self
    }

    pub(crate) fn with_value<T>(self, value: T) -> Exhausted<T> {
        Exhausted { value, limit: self.limit }
    }
}

impl<T> Exhausted<T> {
    /// The value that found no slot.
    pub fn into_inner(self) -> T {
        self.value
    }

    /// How many slots the pool may have, all of which are occupied.
    pub fn capacity(&self) -> usize {
        self.limit.slots
    }

    /// What the pool is called: the element's type, or the name given by `#[pool(name = "..")]`.
    pub fn pool(&self) -> &'static str {
        self.limit.pool
    }
}

impl<T> fmt::Display for Exhausted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limit { pool, slots, retired, bound } = self.limit;
        write!(f, "the pool of `{pool}` is exhausted: all {slots} slots are occupied")?;
        if retired > 0 {
            write!(f, ", {retired} of them retired after {LAST_GENERATION} uses")?;
        }
        match bound {
            Bound::None => write!(f, "; free some"),
            _ => write!(f, "; free some, or {}", bound.remedy()),
        }
    }
}

impl<T> fmt::Debug for Exhausted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exhausted")
            .field("pool", &self.limit.pool)
            .field("capacity", &self.limit.slots)
            .finish_non_exhaustive()
    }
}

impl<T> core::error::Error for Exhausted<T> {}
