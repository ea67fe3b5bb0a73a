//! The owning pointer into a pool.

use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::pin::Pin;
use core::ptr::{self, NonNull};

use crate::base::exhausted::Exhausted;
use crate::base::guard::hardened::{Fault, IS_CHECKED};
use crate::derived::pooled::Pooled;
use crate::derived::storage::HasStaticPool;
use crate::init::{Init, TryInitError};
use crate::pointer::pool::{Global, Pool, refused};
use crate::pointer::vacant::Vacant;

#[cfg(feature = "std")]
mod io;
mod traits;

/// The owner of one element in a pool: what `Box` is for the heap.
///
/// Dropping it drops the element and gives the slot back to the pool. `P` says which pool that is:
///
/// - [`Global`], the default: the pool that `#[derive(Pooled)]` made for `T`. The box is one word,
///   and so is an `Option` of it.
/// - `&FreeList<T>` or `&PointerStack<T>`: an owned pool, which the box borrows.
///
/// As with `Box`, all that is not a trait's method is an associated function, `PoolBox::leak(b)`
/// and not `b.leak()`, so that nothing hides a method of `T`.
///
/// # Differences from `Box`
///
/// - A box of a thread-local pool is neither `Send` nor `Sync`, and so is one of an owned pool: its slot belongs
///   to one thread. A box of a `static` pool is what its element is.
/// - `T` is sized: there is no `PoolBox<dyn Trait>` and no `PoolBox<[T]>`. A pool has slots of one
///   size; for several kinds of element, pool an enum.
/// - The box is invariant in `T`, since `T` names the pool.
/// - What the element of an owned pool borrows must outlive the box. (A `Box` may be dropped after what it borrows.)
/// - The element is moved out by [`PoolBox::into_inner`]; `*b` does that for `Box` alone, and so is
///   `self: Box<Self>` the compiler's own.
/// - Inside the definition of a generic type, a field `PoolBox<Node<T>>` asks for
///   `where Node<T>: Pooled` on the type.
/// - It is not `Fn`, `FnMut` or `FnOnce` where its element is: call `(*b)()`, or lend `&*b`. Nor has it `AsFd` and
///   the like.
/// - A future that holds a `PoolBox<G<&'static u32>>` across an `.await` is not `Send`, with a static pool either
///   ("not general enough"): in a future the compiler forgets which lifetime it was, and the pool is of one.
///   Give the argument a name without a lifetime: `struct Key(&'static u32);`, and `PoolBox<G<Key>>`.
///
/// As with `Box`, dropping a chain of boxes recurses: take a very long one apart in a loop.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// struct Monster { health: i32, prey: Option<PoolBox<Monster>> }
///
/// let rat = PoolBox::new(Monster { health: 5, prey: None });
/// let mut cat = PoolBox::new(Monster { health: 20, prey: Some(rat) });
/// cat.health -= 1;
/// let Monster { prey, .. } = PoolBox::into_inner(cat);
/// assert_eq!(prey.unwrap().health, 5);
/// ```
pub struct PoolBox<T, P: Pool<T> = Global> {
    element: NonNull<T>,
    pool: P,
    marker: PhantomData<Owned<T>>,
}

/// Stands for an owned `T`, and makes its owner invariant in `T`.
///
/// For `T` names the pool. `fn(&'static u8)` and `for<'a> fn(&'a u8)` are types with a pool each, and
/// one is a subtype of the other: a box that could follow would be freed into the other pool.
pub(crate) type Owned<T> = (T, fn(T) -> T);

/// Where the pool is `static`. The box of another pool says why it cannot leave its thread.
// SAFETY: the box owns its element, as a `Box` does, and the pool's storage allows that a thread
// other than the one that took the slot gives it back (`HasStaticPool`).
unsafe impl<T: HasStaticPool + Send> Send for PoolBox<T, Global> {}
/// As `Send`.
// SAFETY: a shared box gives out nothing but `&T`.
unsafe impl<T: HasStaticPool + Sync> Sync for PoolBox<T, Global> {}

/// For types with a pool of their own.
impl<T: Pooled> PoolBox<T> {
    /// Puts `value` into a slot of `T`'s pool. O(1), but for growth.
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

    /// Puts what `f` returns into a slot that is reserved before `f` runs: what
    /// [`Pooled::pool_alloc_with`] does.
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

    /// [`PoolBox::new_with`] that does not panic where there is no slot; `f` is not called then:
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
        Self::init_in(init, Global)
    }

    /// [`PoolBox::init`] that does not panic where there is no slot; the initialiser does not run
    /// then.
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
    ///    pool is thread-local; or, if `T` is no smaller than a pointer, it is the reference that
    ///    [`PoolBox::leak`] returned of one. (A reference to a smaller element does not reach the
    ///    rest of its slot.)
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

impl<T, P: Pool<T>> PoolBox<T, P> {
    #[inline(always)]
    #[track_caller]
    pub(crate) fn new_in(value: T, pool: P) -> Self {
        // The slot comes first, and what can fail takes the value along: so no landing pad has to
        // hold the value while the pool is asked.
        match pool.acquire() {
            Some(slot) => Self::fill(slot, value, pool),
            None => refused_value(value, &pool),
        }
    }

    #[inline(always)]
    pub(crate) fn try_new_in(value: T, pool: P) -> Result<Self, Exhausted<T>> {
        match pool.acquire() {
            Some(slot) => Ok(Self::fill(slot, value, pool)),
            None => Err(pool.refusal().with_value(value)),
        }
    }

    #[inline(always)]
    fn fill(slot: NonNull<T>, value: T, pool: P) -> Self {
        // SAFETY: the pool has just given the slot away, and it fits a `T`.
        unsafe { slot.write(value) };
        Self { element: slot, pool, marker: PhantomData }
    }

    #[inline(always)]
    #[track_caller]
    pub(crate) fn new_with_in(f: impl FnOnce() -> T, pool: P) -> Self {
        Vacant::new_in(pool).fill_with(f)
    }

    #[inline(always)]
    pub(crate) fn try_new_with_in(f: impl FnOnce() -> T, pool: P) -> Result<Self, Exhausted> {
        Ok(Vacant::try_new_in(pool)?.fill_with(f))
    }

    #[inline(always)]
    #[track_caller]
    pub(crate) fn init_in<E>(init: impl Init<T, E>, pool: P) -> Result<Self, E> {
        Vacant::new_in(pool).init(init)
    }

    #[inline(always)]
    pub(crate) fn try_init_in<E>(init: impl Init<T, E>, pool: P) -> Result<Self, TryInitError<E>> {
        let slot = Vacant::try_new_in(pool).map_err(TryInitError::Exhausted)?;
        slot.init(init).map_err(TryInitError::Init)
    }

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
            pool.verify(element);
        }
        // SAFETY: the box owned its element, and the slot is given back without dropping it.
        let value = unsafe { element.read() };
        // SAFETY: 1. the box owned the slot; 2. its pointer came from the pool; 3. the box is gone,
        // and with it every borrow.
        unsafe { pool.release(element) };
        value
    }

    /// Gives the element up to the holder of the reference: it is not dropped, and its slot stays
    /// occupied.
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
        let (mut element, _) = Self::into_parts(b);
        // SAFETY: the box owned its element, which stays where it is for as long as the pool is
        // borrowed (`P: 'a`) or, in a pool without borrows, for ever: no pool gives back a chunk
        // with an occupied slot.
        unsafe { element.as_mut() }
    }

    /// The element as a raw pointer that owns it. Give it back by [`PoolBox::from_raw`], or
    /// [`PoolBox::from_raw_in`] for an owned pool; else the element is not dropped and its slot
    /// stays occupied.
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
    /// As for [`PoolBox::from_raw`], with `pool` in the place of `T`'s own.
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
        if IS_CHECKED {
            let given = NonNull::new(raw).unwrap_or_else(|| Fault::Foreign.panic(raw));
            pool.verify(given);
        }
        // SAFETY: the pointer of a box is not null (caller).
        let element = unsafe { NonNull::new_unchecked(raw) };
        Self { element, pool, marker: PhantomData }
    }

    /// A raw pointer to the element, which stays the box's.
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

    /// A raw pointer to the element for reading and writing; the element stays the box's.
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
        // keeps an occupied slot even if the box is leaked.
        unsafe { Pin::new_unchecked(b) }
    }

    fn into_parts(b: Self) -> (NonNull<T>, P) {
        let b = ManuallyDrop::new(b);
        // SAFETY: the box is not used after this, nor dropped.
        let pool = unsafe { ptr::read(&raw const b.pool) };
        (b.element, pool)
    }
}

impl<T, P: Pool<T>> Drop for PoolBox<T, P> {
    #[inline]
    fn drop(&mut self) {
        /// Gives the slot back, even if the element's destructor unwinds.
        struct Release<'a, T, P: Pool<T>>(&'a PoolBox<T, P>);

        impl<T, P: Pool<T>> Drop for Release<'_, T, P> {
            #[inline(always)]
            fn drop(&mut self) {
                // SAFETY: 1. the box owns the slot; 2. its pointer came from the pool; 3. the
                // element has been dropped, and the box cannot be used after its own destructor.
                unsafe { self.0.pool.release(self.0.element) };
            }
        }

        if IS_CHECKED {
            // What is not the box's is not dropped, either.
            self.pool.verify(self.element);
        }
        // The element goes first: its destructor may use the pool, and finds it in order.
        let release = Release(self);
        // SAFETY: the box owns its element, and this is the one place that drops it.
        unsafe { ptr::drop_in_place(release.0.element.as_ptr()) };
    }
}

/// [`refused`] that drops the value on its way, so that the caller does not have to.
#[cold]
#[inline(never)]
#[track_caller]
fn refused_value<T, P: Pool<T>>(value: T, pool: &P) -> ! {
    let _value = value;
    refused(pool)
}
