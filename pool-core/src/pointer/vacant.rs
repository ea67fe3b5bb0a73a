//! A slot that was taken and is not filled yet.

use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::pin::Pin;
use core::ptr::{self, NonNull};

use crate::base::exhausted::Exhausted;
use crate::init::{Init, TryInitError};
use crate::pointer::boxed::{Owned, PoolBox};
use crate::pointer::pool::{Global, Pool, panic_exhausted};

/// A slot of a pool, reserved for one element: filled later, or given back when dropped.
///
/// For when it must be certain that there is a slot before the element is made. From
/// [`Pooled::pool_vacant`](crate::Pooled::pool_vacant) or [`FreeList::vacant`](crate::FreeList::vacant). As large as the
/// [`PoolBox`] that it becomes: for a type's own pool one word, and so is an `Option` of it.
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
    slot: NonNull<T>,
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
        let vacant = ManuallyDrop::new(self);
        // SAFETY: `vacant` is not used after this, nor dropped.
        let pool = unsafe { ptr::read(&raw const vacant.pool) };
        // SAFETY: the slot came from this pool and holds a `T`; no other box is made of it.
        unsafe { PoolBox::of_slot(vacant.slot, pool) }
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

/// How boxes are made in any pool.
impl<T, P: Pool<T>> PoolBox<T, P> {
    #[inline(always)]
    #[track_caller]
    pub(crate) fn new_in(value: T, pool: P) -> Self {
        // The slot comes first, and what can fail takes the value along: so no landing pad has to
        // hold the value while the pool is asked.
        match pool.acquire() {
            Some(slot) => Self::fill(slot, value, pool),
            None => panic_exhausted_with(value, &pool),
        }
    }

    #[inline(always)]
    pub(crate) fn try_new_in(value: T, pool: P) -> Result<Self, Exhausted<T>> {
        match pool.acquire() {
            Some(slot) => Ok(Self::fill(slot, value, pool)),
            None => Err(pool.exhausted().with_value(value)),
        }
    }

    #[inline(always)]
    fn fill(slot: NonNull<T>, value: T, pool: P) -> Self {
        // SAFETY: the pool has just given the slot away, and it fits a `T`.
        unsafe { slot.write(value) };
        // SAFETY: it has just been filled.
        unsafe { Self::of_slot(slot, pool) }
    }

    #[inline(always)]
    pub(crate) fn try_init_in<E>(init: impl Init<T, E>, pool: P) -> Result<Self, TryInitError<E>> {
        let slot = Vacant::try_new_in(pool).map_err(TryInitError::Exhausted)?;
        slot.init(init).map_err(TryInitError::Init)
    }
}

/// [`panic_exhausted`] that drops the value on its way, so that the caller does not have to.
#[cold]
#[inline(never)]
#[track_caller]
fn panic_exhausted_with<T, P: Pool<T>>(value: T, pool: &P) -> ! {
    let _value = value;
    panic_exhausted(pool)
}
