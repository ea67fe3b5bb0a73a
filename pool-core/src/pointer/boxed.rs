//! The owning pointer into a pool.

use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::pin::Pin;
use core::ptr::{self, NonNull};

use crate::base::guard::IS_CHECKED;
use crate::base::guard::hardened::Fault;
use crate::pointer::pool::{Global, Pool};

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
/// As with `Box`, everything but trait methods is an associated function, `PoolBox::leak(b)` and not `b.leak()`, so
/// that nothing hides a method of `T`.
///
/// # Differences from `Box`
///
/// - A box of a thread-local or an owned pool is neither `Send` nor `Sync`, since its slot belongs to one thread. A box
///   of a `static` pool is `Send` or `Sync` if its element is.
/// - `T` is sized: there is no `PoolBox<dyn Trait>` and no `PoolBox<[T]>`. A pool has slots of one
///   size; for several kinds of element, pool an enum.
/// - The box is invariant in `T`, since `T` names the pool.
/// - What the element of an owned pool borrows must outlive the box. (A `Box` may be dropped after what it borrows.)
/// - The element is moved out by [`PoolBox::into_inner`]: the compiler lets `*b` move only for `Box`, and allows
///   `self: Box<Self>` only there.
/// - Inside the definition of a generic type, a field `PoolBox<Node<T>>` asks for
///   `where Node<T>: Pooled` on the type.
/// - It is not `Fn`, `FnMut` or `FnOnce` if its element is: call `(*b)()`, or pass `&*b`. It has no `AsFd` and
///   the like, either.
/// - A future that holds a `PoolBox<G<&'static u32>>` across an `.await` is not `Send`, even with a static pool
///   ("not general enough"): in a future the compiler forgets which lifetime it was, and only one has the pool.
///   Wrap the argument in a type without a lifetime: `struct Key(&'static u32);`, and `PoolBox<G<Key>>`.
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

impl<T, P: Pool<T>> PoolBox<T, P> {
    /// The box of an element that was just put into a slot, which needs no check.
    ///
    /// # Safety
    ///
    /// The slot came from the pool and holds a `T`, and no other box is made of it.
    #[inline(always)]
    pub(crate) unsafe fn of_slot(slot: NonNull<T>, pool: P) -> Self {
        Self { element: slot, pool, marker: PhantomData }
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

    /// Turns the box into a reference: the element is not dropped, and its slot stays occupied.
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

    /// Turns the box into a raw pointer that owns the element. Give it back to [`PoolBox::from_raw`], or
    /// [`PoolBox::from_raw_in`] for an owned pool; otherwise the element is not dropped, and its slot
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
    /// As for [`PoolBox::from_raw`], with `pool` in place of `T`'s own.
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
        // keeps an occupied slot even if the box is leaked.
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
