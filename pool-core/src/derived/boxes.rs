//! `PoolBox` and `Vacant` of a type's own pool: [`Global`] as a pool, the constructors, and when they may be sent.

use core::pin::Pin;
use core::ptr::NonNull;

use crate::base::exhausted::Exhausted;
use crate::derived::pooled::Pooled;
use crate::derived::storage::SharedStorage;
use crate::init::{Init, TryInitError};
use crate::pointer::boxed::PoolBox;
use crate::pointer::pool::{Global, Pool};
use crate::pointer::vacant::Vacant;

impl<T: Pooled> Pool<T> for Global {
    #[inline(always)]
    fn acquire(&self) -> Option<NonNull<T>> {
        T::__POOL.acquire()
    }

    fn verify(&self, slot: NonNull<T>) {
        T::__POOL.verify(slot);
    }

    #[inline(always)]
    unsafe fn release(&self, slot: NonNull<T>) {
        // SAFETY: passed on from the caller.
        unsafe { T::__POOL.release(slot) };
    }

    fn exhausted(&self) -> Exhausted {
        T::__POOL.exhausted()
    }
}

/// The pool of `Self` is [`SharedStorage`].
///
/// A trait of the element, so that where it is missing the compiler names that, and not the storage.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a `PoolBox<{Self}>` cannot leave its thread",
    label = "`{Self}` has a thread-local pool",
    note = "its slot belongs to the pool of the thread that allocated it, which no other thread may \
            touch",
    note = "move the value out with `PoolBox::into_inner` and send that, or keep it in a `Box`",
    note = "or write `#[pool(static)]` on `{Self}`, for one pool that all threads share",
    note = "in generic code, where `{Self}` is a parameter, ask for `PoolBox<{Self}>: Send`"
)]
#[allow(unnameable_types, reason = "it is there for its message")]
pub trait HasStaticPool: Pooled<__Storage: SharedStorage<Self>> {}

#[diagnostic::do_not_recommend]
impl<T: Pooled<__Storage: SharedStorage<T>>> HasStaticPool for T {}

/// Where the pool is `static`. The box of another pool says why it cannot leave its thread.
// SAFETY: the box owns its element, as a `Box` does, and the pool's storage allows that a thread
// other than the one that took the slot gives it back (`HasStaticPool`).
unsafe impl<T: HasStaticPool + Send> Send for PoolBox<T, Global> {}
/// As `Send`.
// SAFETY: a shared box gives out nothing but `&T`.
unsafe impl<T: HasStaticPool + Sync> Sync for PoolBox<T, Global> {}

// SAFETY: there is no `T` yet, and the pool's storage allows that a thread other than the one that
// took the slot fills it or gives it back (`HasStaticPool`).
unsafe impl<T: HasStaticPool> Send for Vacant<T, Global> {}
// SAFETY: a shared `Vacant` can only be printed.
unsafe impl<T: HasStaticPool> Sync for Vacant<T, Global> {}

/// For types with a pool of their own.
impl<T: Pooled> PoolBox<T> {
    /// Puts `value` into a slot of `T`'s pool. O(1), unless the pool grows.
    ///
    /// # Panics
    ///
    /// If the pool has a limit and every slot is occupied ([`PoolBox::try_new`] does not).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// struct Bullet([f32; 4]);
    ///
    /// let bullet = PoolBox::new(Bullet([1.0; 4]));
    /// assert_eq!(bullet.0[0], 1.0);
    /// ```
    #[inline]
    #[track_caller]
    pub fn new(value: T) -> Self {
        Self::new_in(value, Global)
    }

    /// Puts `value` into a slot of `T`'s pool, or gives it back if there is none.
    ///
    /// # Errors
    ///
    /// [`Exhausted`], with the value, if the pool has a limit and every slot is occupied.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled, Debug)]
    /// #[pool(capacity = 1)]
    /// struct Boss { health: u64 }
    ///
    /// let first = PoolBox::try_new(Boss { health: 100 }).unwrap();
    /// let error = PoolBox::try_new(Boss { health: 200 }).unwrap_err();
    /// assert_eq!(error.into_inner().health, 200);
    /// # drop(first);
    /// ```
    #[inline]
    pub fn try_new(value: T) -> Result<Self, Exhausted<T>> {
        Self::try_new_in(value, Global)
    }

    /// Reserves a slot, then puts into it what `f` returns, as [`Pooled::pool_alloc_with`] does.
    ///
    /// # Panics
    ///
    /// As [`PoolBox::new`], and if `f` panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// struct Map([u8; 4096]);
    ///
    /// let map = PoolBox::new_with(|| Map([0; 4096]));
    /// assert_eq!(map.0.len(), 4096);
    /// ```
    #[inline]
    #[track_caller]
    pub fn new_with(f: impl FnOnce() -> T) -> Self {
        Self::new_with_in(f, Global)
    }

    /// Like [`PoolBox::new_with`], but returns an error if there is no slot; `f` is not called then:
    /// what [`Pooled::pool_try_alloc_with`] does.
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
    /// See [`Pooled::pool_try_alloc_with`].
    #[inline]
    pub fn try_new_with(f: impl FnOnce() -> T) -> Result<Self, Exhausted> {
        Self::try_new_with_in(f, Global)
    }

    /// Puts `value` into a slot of `T`'s pool and pins it there.
    ///
    /// # Panics
    ///
    /// As [`PoolBox::new`].
    ///
    /// # Examples
    ///
    /// ```
    /// use std::marker::PhantomPinned;
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// struct Waiter { id: u64, _pinned: PhantomPinned }
    ///
    /// let waiter = PoolBox::pin(Waiter { id: 1, _pinned: PhantomPinned });
    /// assert_eq!(waiter.id, 1);
    /// ```
    #[inline]
    #[track_caller]
    pub fn pin(value: T) -> Pin<Self> {
        Self::into_pin(Self::new(value))
    }

    /// Builds the element in a slot of `T`'s pool: what [`Pooled::pool_init`] does.
    ///
    /// # Errors
    ///
    /// Those of the initialiser. The slot goes back.
    ///
    /// # Panics
    ///
    /// If the pool has a limit and every slot is occupied ([`PoolBox::try_init`] does not), or if
    /// the initialiser panics; then the slot goes back.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled, init};
    ///
    /// #[derive(Pooled)]
    /// struct Map { level: u32, cells: [u8; 65_536] }
    ///
    /// let Ok(map) = PoolBox::init(init!(Map { level: 1, cells <- init::zeroed() }));
    /// assert_eq!((map.level, map.cells[65_535]), (1, 0));
    /// ```
    #[inline]
    #[track_caller]
    pub fn init<E>(init: impl Init<T, E>) -> Result<Self, E> {
        Vacant::new_in(Global).init(init)
    }

    /// Like [`PoolBox::init`], but returns an error if there is no slot; the initialiser does not run then.
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
    /// See [`Pooled::pool_try_init`].
    #[inline]
    pub fn try_init<E>(init: impl Init<T, E>) -> Result<Self, TryInitError<E>> {
        Self::try_init_in(init, Global)
    }

    /// Builds the element in a slot of `T`'s pool and pins it there: what
    /// [`Pooled::pool_pin_init`] does.
    ///
    /// # Errors
    ///
    /// Those of the initialiser. The slot goes back.
    ///
    /// # Panics
    ///
    /// As [`PoolBox::init`].
    ///
    /// # Examples
    ///
    /// See [`Pooled::pool_pin_init`].
    #[inline]
    #[track_caller]
    pub fn pin_init<E>(init: impl Init<T, E>) -> Result<Pin<Self>, E> {
        Vacant::new_in(Global).pin_init(init)
    }

    /// Makes the box again that [`PoolBox::into_raw`] or [`PoolBox::leak`] took apart.
    ///
    /// # Panics
    ///
    /// In a debug build and with the feature `hardened`, if it is found that `raw` is not such a pointer,
    /// as far as either looks: see [Features](crate#features) of the crate.
    ///
    /// # Safety
    ///
    /// 1. `raw` came from [`PoolBox::into_raw`] of a box of `T`'s own pool, on this thread if the
    ///    pool is thread-local; or, if `T` is no smaller than a pointer and its pool is not declared with `rc`,
    ///    it is the reference that [`PoolBox::leak`] returned of one. (A reference reaches neither the
    ///    rest of a smaller element's slot nor the counts before an element.)
    /// 2. No other box was made of it since, and no reference to the element is used any more.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// struct Bullet([f32; 4]);
    ///
    /// let raw = PoolBox::into_raw(PoolBox::new(Bullet([1.0; 4])));
    /// // SAFETY: `raw` has just come from `into_raw`, and is used no more.
    /// let bullet = unsafe { PoolBox::from_raw(raw) };
    /// assert_eq!(bullet.0[3], 1.0);
    /// ```
    #[inline]
    #[track_caller]
    pub unsafe fn from_raw(raw: *mut T) -> Self {
        // SAFETY: passed on from the caller.
        unsafe { Self::from_raw_in(raw, Global) }
    }
}

impl<T: Pooled + Default> Default for PoolBox<T> {
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::new_with(T::default)
    }
}

/// ... or from a value.
impl<T: Pooled> From<T> for PoolBox<T> {
    #[inline]
    #[track_caller]
    fn from(value: T) -> Self {
        Self::new(value)
    }
}
