//! A box before its element, as `Box<MaybeUninit<T>>` is one: a [`Vacant`], and the names that it has from there.

use core::mem::MaybeUninit;

use crate::base::exhausted::Exhausted;
use crate::pointer::boxed::{PoolBox, Vacant};
use crate::pointer::pool::{Global, Pool};

/// For types with a pool of their own.
impl<T> PoolBox<T>
where
    Global: Pool<T>,
{
    /// Reserves a slot of `T`'s pool, to be written to later; it goes back if it is not. The same as
    /// [`Pooled::pool_vacant`](crate::Pooled::pool_vacant), by the name that `Box` has for it.
    ///
    /// What it returns is a [`Vacant`], and not a `PoolBox<MaybeUninit<T>>`: that would belong to a pool of `MaybeUninit<T>`s.
    /// A slot of another pool is reserved by [`Vacant::new_in`].
    ///
    /// # Panics
    ///
    /// If the pool has a limit and every slot is occupied ([`PoolBox::try_new_uninit`] does not).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// struct Bullet([f32; 4]);
    ///
    /// let slot = PoolBox::<Bullet>::new_uninit();
    /// assert_eq!(Bullet::pool_stats().live, 1);
    /// let bullet: PoolBox<Bullet> = slot.write(Bullet([1.0; 4]));
    /// assert_eq!(bullet.0[3], 1.0);
    /// ```
    #[inline]
    #[track_caller]
    pub fn new_uninit() -> Vacant<T> {
        Vacant::new_in(Global)
    }

    /// Like [`PoolBox::new_uninit`], but returns an error if there is no slot.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the pool has a limit and every slot is occupied.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(capacity = 1)]
    /// struct Boss { health: u64 }
    ///
    /// let throne = PoolBox::<Boss>::try_new_uninit().unwrap();
    /// assert!(PoolBox::<Boss>::try_new_uninit().is_err());
    /// # drop(throne);
    /// ```
    #[inline]
    #[cfg_attr(any(feature = "sites", feature = "hardened"), track_caller)]
    pub fn try_new_uninit() -> Result<Vacant<T>, Exhausted> {
        Vacant::try_new_in(Global)
    }
}

/// As `Box<MaybeUninit<T>>`.
impl<T, P: Pool<T>> Vacant<T, P> {
    /// Moves `value` into the slot. The same as [`Vacant::fill`], by the name that `Box` has for it.
    ///
    /// # Examples
    ///
    /// See [`PoolBox::new_uninit`].
    #[inline(always)]
    pub fn write(self, value: T) -> PoolBox<T, P> {
        self.fill(value)
    }

    /// The address of the slot, for code that builds the element there, such as a function of C. Then
    /// [`Vacant::assume_init`].
    ///
    /// What was written into a slot that is given back is not dropped.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// struct Status { code: u64, retries: u64 }
    ///
    /// /// As `int get_status(Status *out)`.
    /// unsafe fn get_status(out: *mut Status) -> i32 {
    ///     // SAFETY: the caller has room for a `Status`.
    ///     unsafe { out.write(Status { code: 200, retries: 1 }) };
    ///     0
    /// }
    ///
    /// let mut slot = PoolBox::<Status>::new_uninit();
    /// // SAFETY: the slot has room for a `Status`.
    /// let result = unsafe { get_status(slot.as_mut_ptr()) };
    /// // SAFETY: it has written one, and said so.
    /// let status = (result == 0).then(|| unsafe { slot.assume_init() });
    /// assert_eq!(status.unwrap().code, 200);
    /// ```
    #[inline(always)]
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.slot.as_ptr()
    }

    /// The slot as a `MaybeUninit`. Then [`Vacant::assume_init`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<[u8; 5]>::new();
    /// let mut slot = pool.vacant();
    /// slot.as_uninit_mut().write(*b"typed");
    /// // SAFETY: an array was written there.
    /// let word = unsafe { slot.assume_init() };
    /// assert_eq!(&*word, b"typed");
    /// ```
    #[inline(always)]
    pub fn as_uninit_mut(&mut self) -> &mut MaybeUninit<T> {
        // SAFETY: the slot is ours and has room for a `T`, of which no byte need have a value. The pool does not look at it
        // while it is reserved.
        unsafe { self.slot.cast().as_mut() }
    }
}
