//! How shared elements are made: what `PoolBox` has, and those that know themselves.

use core::mem;
use core::pin::Pin;

use crate::base::exhausted::Exhausted;
use crate::derived::rc::weak::HeldTogether;
use crate::derived::rc::{
    Count, CountedPool, PoolMarker, RefCounted, RefCountedWeak, write_counts,
};
use crate::init::{Init, TryInitError};
use crate::pointer::boxed::{PoolBox, Vacant};
use crate::pointer::{Pool, panic_exhausted};

impl<T, C: Count, P: PoolMarker<T>> RefCounted<T, C, P> {
    /// Moves `value` into a slot. O(1), unless the pool grows.
    ///
    /// # Panics
    ///
    /// If the pool has a limit and every slot is occupied ([`RefCounted::try_new`] does not).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolRc, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(rc)]
    /// struct Material { roughness: f64 }
    ///
    /// let gold = PoolRc::new(Material { roughness: 0.2 });
    /// assert_eq!(PoolRc::clone(&gold).roughness, 0.2);
    /// ```
    #[inline]
    #[track_caller]
    pub fn new(value: T) -> Self
    where
        P: CountedPool<T, C>,
    {
        Self::from(PoolBox::new_in(value, P::Pool::default()))
    }

    /// Moves `value` into a slot, or gives it back if there is none.
    ///
    /// # Errors
    ///
    /// [`Exhausted`], with the value, if the pool has a limit and every slot is occupied.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolArc, Pooled};
    ///
    /// #[derive(Pooled, Debug)]
    /// #[pool(static, capacity = 1, rc)]
    /// struct Device { id: u64 }
    ///
    /// let first = PoolArc::try_new(Device { id: 1 }).unwrap();
    /// let error = PoolArc::try_new(Device { id: 2 }).unwrap_err();
    /// assert_eq!(error.into_inner().id, 2);
    /// # drop(first);
    /// ```
    #[inline]
    #[track_caller]
    pub fn try_new(value: T) -> Result<Self, Exhausted<T>>
    where
        P: CountedPool<T, C>,
    {
        PoolBox::try_new_in(value, P::Pool::default()).map(Self::from)
    }

    /// Reserves a slot, then puts into it what `f` returns. If `f` panics, the slot goes back.
    ///
    /// # Panics
    ///
    /// As [`RefCounted::new`], and if `f` panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolRc, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(rc)]
    /// struct Map([u8; 4096]);
    ///
    /// let map = PoolRc::new_with(|| Map([0; 4096]));
    /// assert_eq!(map.0.len(), 4096);
    /// ```
    #[inline]
    #[track_caller]
    pub fn new_with(f: impl FnOnce() -> T) -> Self
    where
        P: CountedPool<T, C>,
    {
        Self::from(Vacant::new_in(P::Pool::default()).fill_with(f))
    }

    /// Like [`RefCounted::new_with`], but returns an error if there is no slot; `f` is not called then.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the pool has a limit and every slot is occupied.
    ///
    /// # Panics
    ///
    /// If `f` panics; the slot goes back.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolRc, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(capacity = 1, rc)]
    /// struct Boss { health: u64 }
    ///
    /// let boss = PoolRc::try_new_with(|| Boss { health: 100 });
    /// assert!(boss.is_ok() && PoolRc::try_new_with(|| Boss { health: 200 }).is_err());
    /// ```
    #[inline]
    #[track_caller]
    pub fn try_new_with(f: impl FnOnce() -> T) -> Result<Self, Exhausted>
    where
        P: CountedPool<T, C>,
    {
        Ok(Self::from(Vacant::try_new_in(P::Pool::default())?.fill_with(f)))
    }

    /// Builds the element in its slot, as the initialiser says: see [`Pooled::pool_init`](crate::Pooled::pool_init).
    ///
    /// # Errors
    ///
    /// The initialiser's own. What it had built is dropped, and the slot goes back.
    ///
    /// # Panics
    ///
    /// As [`RefCounted::new`], and if the initialiser panics; then the slot goes back.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolRc, Pooled, init};
    ///
    /// #[derive(Pooled)]
    /// #[pool(rc)]
    /// struct Map { level: u32, cells: [u8; 65_536] }
    ///
    /// let Ok(map) = PoolRc::init(init!(Map { level: 1, cells <- init::zeroed() }));
    /// assert_eq!((map.level, map.cells[65_535]), (1, 0));
    /// ```
    #[inline]
    #[track_caller]
    pub fn init<E>(init: impl Init<T, E>) -> Result<Self, E>
    where
        P: CountedPool<T, C>,
    {
        Vacant::new_in(P::Pool::default()).init(init).map(Self::from)
    }

    /// Like [`RefCounted::init`], but returns an error if there is no slot; the initialiser does not run then.
    ///
    /// # Errors
    ///
    /// [`TryInitError::Exhausted`] if the pool has a limit and every slot is occupied;
    /// [`TryInitError::Init`] if the initialiser fails, and the slot goes back.
    ///
    /// # Panics
    ///
    /// If the initialiser panics; the slot goes back.
    ///
    /// # Examples
    ///
    /// As [`Pooled::pool_try_init`](crate::Pooled::pool_try_init).
    #[inline]
    #[track_caller]
    pub fn try_init<E>(init: impl Init<T, E>) -> Result<Self, TryInitError<E>>
    where
        P: CountedPool<T, C>,
    {
        PoolBox::try_init_in(init, P::Pool::default()).map(Self::from)
    }

    /// Builds the element in its slot and pins it there.
    ///
    /// # Errors
    ///
    /// The initialiser's own. The slot goes back.
    ///
    /// # Panics
    ///
    /// As [`RefCounted::init`].
    ///
    /// # Examples
    ///
    /// As [`Pooled::pool_pin_init`](crate::Pooled::pool_pin_init).
    #[inline]
    #[track_caller]
    pub fn pin_init<E>(init: impl Init<T, E>) -> Result<Pin<Self>, E>
    where
        P: CountedPool<T, C>,
    {
        Self::init(init).map(Self::pinned)
    }

    /// Moves `value` into a slot and pins it there.
    ///
    /// # Panics
    ///
    /// As [`RefCounted::new`].
    ///
    /// # Examples
    ///
    /// ```
    /// use std::marker::PhantomPinned;
    /// use typed_pool::{PoolRc, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(rc)]
    /// struct Waiter { id: u64, _pinned: PhantomPinned }
    ///
    /// let waiter = PoolRc::pin(Waiter { id: 1, _pinned: PhantomPinned });
    /// assert_eq!(waiter.clone().id, 1);
    /// ```
    #[inline]
    #[track_caller]
    pub fn pin(value: T) -> Pin<Self>
    where
        P: CountedPool<T, C>,
    {
        Self::pinned(Self::new(value))
    }

    /// Makes an element that knows itself: `f` is given a weak pointer to what it returns, which cannot be
    /// upgraded before it has returned. If `f` panics, the slot goes back with the last clone of that.
    ///
    /// # Panics
    ///
    /// As [`RefCounted::new`], and if `f` panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolRc, PoolRcWeak, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(rc)]
    /// struct Widget { this: PoolRcWeak<Widget>, id: u32 }
    ///
    /// let widget = PoolRc::new_cyclic(|this| {
    ///     assert!(this.upgrade().is_none());
    ///     Widget { this: this.clone(), id: 7 }
    /// });
    /// assert_eq!(widget.this.upgrade().map(|same| same.id), Some(7));
    /// ```
    #[track_caller]
    pub fn new_cyclic(f: impl FnOnce(&RefCountedWeak<T, C, P>) -> T) -> Self
    where
        P: CountedPool<T, C>,
    {
        let pool = P::Pool::default();
        let Some(element) = pool.acquire() else { panic_exhausted::<_, T, P::Pool>((), &pool) };
        // SAFETY: the slot has just been taken, and has room for counts.
        unsafe { write_counts::<T, C>(element, 0) };
        // The weak pointer that was counted.
        let held = HeldTogether::<T, C, P>::new(element);
        let value = f(&held.0);
        // SAFETY: the slot fits a `T`, and nothing reads it: no weak pointer can be upgraded yet.
        unsafe { element.write(value) };
        let strong = Self::of_element(element);
        strong.counts().publish();
        // It goes on as the weak pointer that all strong ones hold together.
        mem::forget(held);
        strong
    }

    /// Pins an element that has just been made.
    fn pinned(this: Self) -> Pin<Self> {
        // SAFETY: a holder of the `Pin` or of a clone gets no `&mut T` and cannot move the element, which
        // is dropped before its slot is used again: a type's own pool outlives all pointers into it, and keeps an
        // occupied slot even if all of them are leaked.
        unsafe { Pin::new_unchecked(this) }
    }
}
