//! A slot that was taken and is not filled yet.

use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ptr::{self, NonNull};

use crate::base::exhausted::Exhausted;
use crate::pointer::pool::{Global, Owned, Pool, panic_exhausted};

/// A slot of a pool, reserved for one element: filled later, or given back when dropped.
///
/// For when it must be certain that there is a slot before the element is made. From
/// [`Pooled::pool_vacant`](crate::Pooled::pool_vacant) or [`FreeList::vacant`](crate::FreeList::vacant). As large as the
/// [`PoolBox`](crate::PoolBox) that it becomes: for a type's own pool one word, and so is an `Option` of it.
///
/// A reserved slot counts as live.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled, Vacant};
///
/// #[derive(Pooled)]
/// #[pool(capacity = 1)]
/// struct Boss { health: u64 }
///
/// let throne: Vacant<Boss> = Boss::pool_vacant();
/// assert!(Boss::pool_try_vacant().is_err());
/// drop(throne);
///
/// let throne = Boss::pool_vacant();
/// let boss: PoolBox<Boss> = throne.fill(Boss { health: 100 });
/// assert_eq!(boss.health, 100);
/// ```
#[must_use = "the slot goes back at once"]
pub struct Vacant<T, P: Pool<T> = Global> {
    pub(super) slot: NonNull<T>,
    pool: P,
    marker: PhantomData<Owned<T>>,
}

impl<T, P: Pool<T>> Vacant<T, P> {
    #[inline(always)]
    #[track_caller]
    pub(crate) fn new_in(pool: P) -> Self {
        match pool.acquire() {
            Some(slot) => Self { slot, pool, marker: PhantomData },
            None => panic_exhausted(&pool),
        }
    }

    #[inline(always)]
    pub(crate) fn try_new_in(pool: P) -> Result<Self, Exhausted> {
        match pool.acquire() {
            Some(slot) => Ok(Self { slot, pool, marker: PhantomData }),
            None => Err(pool.exhausted()),
        }
    }

    /// The slot and its pool, which are the caller's from here on.
    #[inline(always)]
    pub(super) fn into_parts(self) -> (NonNull<T>, P) {
        let vacant = ManuallyDrop::new(self);
        // SAFETY: `vacant` is not used after this, nor dropped.
        let pool = unsafe { ptr::read(&raw const vacant.pool) };
        (vacant.slot, pool)
    }
}

impl<T, P: Pool<T>> Drop for Vacant<T, P> {
    /// Rarely run: kept out of the functions that fill a slot.
    #[cold]
    #[inline(never)]
    fn drop(&mut self) {
        // SAFETY: 1. and 2. the slot came from this pool; 3. nothing was put into it.
        unsafe { self.pool.release(self.slot) };
    }
}

impl<T, P: Pool<T>> fmt::Debug for Vacant<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Vacant").field(&self.slot).finish()
    }
}
