//! A reserved slot becomes a box.

use core::pin::Pin;

use crate::init::Init;
use crate::pointer::boxed::PoolBox;
use crate::pointer::pool::Pool;
use crate::pointer::vacant::Vacant;

impl<T, P: Pool<T>> Vacant<T, P> {
    /// Moves `value` into the slot. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::new();
    /// let slot = pool.vacant();
    /// assert_eq!(*slot.fill(7_u64), 7);
    /// ```
    #[inline(always)]
    pub fn fill(self, value: T) -> PoolBox<T, P> {
        // SAFETY: the slot is ours and fits a `T`.
        unsafe { self.slot.write(value) };
        // SAFETY: it has just been filled.
        unsafe { self.assume_filled() }
    }

    /// Fills the slot with what `f` returns. `f` may use the pool; if it panics, the slot goes back.
    ///
    /// An optimised build writes the value where it belongs most of the time; that is not
    /// guaranteed ([`Vacant::init`] does).
    ///
    /// # Panics
    ///
    /// If `f` panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::new();
    /// let map = pool.vacant().fill_with(|| [0_u8; 4096]);
    /// assert_eq!(map.len(), 4096);
    /// ```
    #[inline(always)]
    pub fn fill_with(self, f: impl FnOnce() -> T) -> PoolBox<T, P> {
        self.fill(f())
    }

    /// Builds the element in the slot. The initialiser may use the pool; if it fails or panics, the slot goes back.
    ///
    /// # Errors
    ///
    /// The initialiser's own.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, init};
    ///
    /// let pool = FreeList::<[u8; 4096]>::new();
    /// let Ok(map) = pool.vacant().init(init::zeroed());
    /// assert_eq!(map[4095], 0);
    /// ```
    #[inline(always)]
    pub fn init<E>(self, init: impl Init<T, E>) -> Result<PoolBox<T, P>, E> {
        // SAFETY: 1. the slot fits a `T`; 2. it is ours.
        unsafe { init.init(self.slot.as_ptr()) }?;
        // SAFETY: the initialiser has built a `T` there.
        Ok(unsafe { self.assume_filled() })
    }

    /// Builds the element in the slot, like [`Vacant::init`], and pins it there.
    ///
    /// # Errors
    ///
    /// The initialiser's own.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::marker::PhantomPinned;
    /// use typed_pool::{Pooled, init};
    ///
    /// #[derive(Pooled)]
    /// struct Waiter { id: u64, _pinned: PhantomPinned }
    ///
    /// let waiter = init!(Waiter { id: 1, _pinned: PhantomPinned });
    /// let Ok(waiter) = Waiter::pool_vacant().pin_init(waiter);
    /// assert_eq!(waiter.id, 1);
    /// ```
    #[inline(always)]
    pub fn pin_init<E>(self, init: impl Init<T, E>) -> Result<Pin<PoolBox<T, P>>, E>
    where
        P: 'static,
    {
        self.init(init).map(PoolBox::into_pin)
    }

    /// # Safety
    ///
    /// There is a `T` in the slot, which is the box's from here on.
    #[inline(always)]
    unsafe fn assume_filled(self) -> PoolBox<T, P> {
        let (slot, pool) = self.into_parts();
        // SAFETY: the slot came from this pool and holds a `T`; no other box is made of it.
        unsafe { PoolBox::of_slot(slot, pool) }
    }
}
