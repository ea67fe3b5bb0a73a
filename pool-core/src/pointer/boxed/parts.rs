//! What a box is made of: its element, by value, by reference or by address, and its pool.

use core::any::type_name;
use core::mem::{self, ManuallyDrop, MaybeUninit};
use core::pin::Pin;
use core::ptr::{self, NonNull};

use crate::base::exhausted::Exhausted;
use crate::base::watch::IS_CHECKED;
use crate::base::watch::hardened::Fault;
use crate::pointer::boxed::{PoolBox, Vacant};
use crate::pointer::pool::{Global, Pool};

impl<T, P: Pool<T>> PoolBox<T, P> {
    /// Moves the element out and gives its slot back. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, PoolBox};
    ///
    /// let pool = FreeList::new();
    /// let name = pool.alloc(String::from("Grendel"));
    /// assert_eq!(PoolBox::into_inner(name), "Grendel");
    /// assert_eq!(pool.stats().live, 0);
    /// ```
    #[inline]
    pub fn into_inner(b: Self) -> T {
        let (element, pool) = Self::into_parts(b);
        if IS_CHECKED {
            // SAFETY: the element came from this pool.
            unsafe { pool.verify(element) };
        }
        // SAFETY: the box owned its element, and the slot is given back without dropping it.
        let value = unsafe { element.read() };
        // SAFETY: 1. the box owned the slot; 2. its pointer came from the pool; 3. the box is gone,
        // and with it every borrow.
        unsafe { pool.release(element) };
        value
    }
}

impl<T: ?Sized, P: Pool<T>> PoolBox<T, P> {
    /// Turns the box into a reference: the element is not dropped, and its slot stays occupied. A box that keeps its pool alive
    /// (`Rc<FreeList<T>>`) leaves it alive for ever.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, PoolBox};
    ///
    /// let pool = FreeList::new();
    /// let score: &mut u64 = PoolBox::leak(pool.alloc(0));
    /// *score += 100;
    /// assert_eq!(pool.stats().live, 1);
    /// ```
    #[inline]
    pub fn leak<'a>(b: Self) -> &'a mut T
    where
        P: 'a,
    {
        let (mut element, pool) = Self::into_parts(b);
        // It may be what keeps the pool alive.
        mem::forget(pool);
        // SAFETY: the box owned its element, which stays where it is for as long as the pool is
        // borrowed (`P: 'a`) or, in a pool without borrows, for ever: the way to the pool was not given up, and no
        // pool gives back a chunk with an occupied slot.
        unsafe { element.as_mut() }
    }

    /// Turns the box into a raw pointer that owns the element. Give it back to [`PoolBox::from_raw`], or
    /// [`PoolBox::from_raw_in`] for an owned pool; otherwise the element is not dropped, and its slot
    /// stays occupied.
    ///
    /// A box that keeps its pool alive (`Rc<FreeList<T>>`) gives up its `Rc`. Keep another (a clone of
    /// [`PoolBox::pool`]), or the pool goes, and the element's memory with it.
    ///
    /// # Examples
    ///
    /// See [`PoolBox::from_raw`].
    #[inline]
    pub fn into_raw(b: Self) -> *mut T {
        let (element, _) = Self::into_parts(b);
        element.as_ptr()
    }

    /// Makes the box again that [`PoolBox::into_raw`] took apart.
    ///
    /// # Panics
    ///
    /// As [`PoolBox::from_raw`].
    ///
    /// # Safety
    ///
    /// As for [`PoolBox::from_raw`], with `pool` in place of `T`'s own: it is the pool of the box that was taken apart, and has
    /// lived since.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, PoolBox};
    ///
    /// let pool = FreeList::new();
    /// let raw = PoolBox::into_raw(pool.alloc(7_u64));
    /// // SAFETY: `raw` has just come from `into_raw`, and is used no more.
    /// let seven = unsafe { PoolBox::from_raw_in(raw, &pool) };
    /// assert_eq!(*seven, 7);
    /// ```
    #[inline]
    #[track_caller]
    pub unsafe fn from_raw_in(raw: *mut T, pool: P) -> Self {
        if IS_CHECKED && raw.is_null() {
            Fault::Foreign.panic_in(type_name::<T>(), raw.cast());
        }
        // SAFETY: the pointer of a box is not null (caller).
        let element = unsafe { NonNull::new_unchecked(raw) };
        if IS_CHECKED {
            // SAFETY: it is the pointer of a box (caller).
            unsafe { pool.verify(element) };
        }
        // SAFETY: passed on from the caller.
        unsafe { Self::of_slot(element, pool) }
    }

    /// A raw pointer to the element, which the box still owns.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, PoolBox};
    ///
    /// let pool = FreeList::new();
    /// let seven = pool.alloc(7_u64);
    /// assert!(pool.owns(PoolBox::as_ptr(&seven)));
    /// ```
    #[inline]
    pub fn as_ptr(b: &Self) -> *const T {
        b.element.as_ptr()
    }

    /// A raw pointer for reading and writing to the element, which the box still owns.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, PoolBox};
    ///
    /// let pool = FreeList::new();
    /// let mut seven = pool.alloc(7_u64);
    /// let pointer = PoolBox::as_mut_ptr(&mut seven);
    /// // SAFETY: nothing else uses the element meanwhile.
    /// unsafe { *pointer += 1 };
    /// assert_eq!(*seven, 8);
    /// ```
    #[inline]
    pub fn as_mut_ptr(b: &mut Self) -> *mut T {
        b.element.as_ptr()
    }

    /// The pool that the box belongs to.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, PoolBox};
    ///
    /// let pool = FreeList::new();
    /// let seven = pool.alloc(7_u64);
    /// assert_eq!(PoolBox::pool(&seven).stats().live, 1);
    /// ```
    #[inline]
    pub fn pool(b: &Self) -> &P {
        &b.pool
    }

    /// Pins the element where it is.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// struct Task { id: u64 }
    ///
    /// let task = PoolBox::into_pin(PoolBox::new(Task { id: 3 }));
    /// assert_eq!(task.id, 3);
    /// ```
    #[inline]
    pub fn into_pin(b: Self) -> Pin<Self>
    where
        P: 'static,
    {
        // SAFETY: the element is neither moved nor its slot reused before it is dropped: the box is
        // out of reach inside the `Pin`, and a pool that cannot die before the box (`'static`)
        // keeps an occupied slot even if the box is leaked, and its `Rc` of the pool with it.
        unsafe { Pin::new_unchecked(b) }
    }

    #[inline(always)]
    pub(crate) fn into_parts(b: Self) -> (NonNull<T>, P) {
        let b = ManuallyDrop::new(b);
        // SAFETY: the box is not used after this, nor dropped.
        let pool = unsafe { ptr::read(&raw const b.pool) };
        (b.element, pool)
    }
}

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
    #[track_caller]
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
