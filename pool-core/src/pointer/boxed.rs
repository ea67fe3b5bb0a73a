//! The owning pointer into a pool, and the reserved slot that becomes one: each makes the other.

use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;
use core::mem::{self, ManuallyDrop};
use core::pin::Pin;
use core::ptr::{self, NonNull};

use crate::base::exhausted::Exhausted;
use crate::base::watch::IS_CHECKED;
use crate::base::watch::hardened::Fault;
use crate::init::{Init, TryInitError};
use crate::pointer::{OwnPool, Pool, PoolMarker, panic_exhausted};

/// Whether each call that is passed a value copies it on the stack. Such a build makes as few of these calls as it can.
const IS_UNOPTIMISED: bool = cfg!(debug_assertions);

/// Moves the value into the slot, and makes the box. A macro, since a function would be one more call that is passed the value.
macro_rules! filled {
    ($slot:ident, $value:ident, $pool:expr) => {{
        // SAFETY: the pool has just given the slot away, and it fits a `T`.
        unsafe { $slot.write($value) };
        // SAFETY: it has just been filled.
        unsafe { Self::of_slot($slot, $pool) }
    }};
}

pub(crate) mod traits;

/// The owner of one element in a pool: what `Box` is for the heap.
///
/// Dropping it drops the element and gives the slot back to the pool. `P` names the pool; for each kind of pool, this type has an
/// alias:
///
/// | name | `P` | the pool |
/// |---|---|---|
/// | [`PoolBox<T>`](crate::PoolBox) | [`OwnPool<T>`] | the one that `#[derive(Pooled)]` made for `T` |
/// | `any::Box<T>` | `ByLayout` | the thread's, for any type, by size |
/// | `any::SendBox<T>` | `SharedByLayout` | those of the process |
/// | `FrameBox<T>` | `InFrame` | a frame stack, which the box borrows |
/// | [`PoolBoxIn<T, P>`](crate::PoolBoxIn) | `&FreeList<T>`, `&PointerStack<T>` | an owned pool, which the box borrows |
/// | | `Rc<FreeList<T>>`, `Rc<PointerStack<T>>` | an owned pool that the box keeps alive ([`PoolBox::new_in`]) |
///
/// All boxes except the last two are one word, and so is an `Option` of them: their `P` is a marker.
///
/// As with `Box`, everything but trait methods is an associated function, `PoolBox::leak(b)` and not `b.leak()`, so
/// that nothing hides a method of `T`.
///
/// # Differences from `Box`
///
/// - A box of a thread-local or an owned pool is neither `Send` nor `Sync`, since its slot belongs to one thread. A box
///   of a `static` pool, or an `any::SendBox`, is `Send` or `Sync` if its element is.
/// - [`unsize!`](crate::unsize) turns it into a box of a trait object, where `Box` coerces by itself. In a type's own pool, the
///   trait needs [`PoolObject`](crate::PoolObject) as its supertrait; the pools by layout take any trait, and slices.
/// - A `PoolBox<T>` is invariant in `T`, since `T` names the pool. The others are covariant, as `Box` is: an
///   `any::Box<&'static str>` is an `any::Box<&'a str>`.
/// - Data that the element of an owned pool borrows must outlive the box. (A `Box` may be dropped after the data that it borrows.)
/// - [`PoolBox::into_inner`] moves the element out: the compiler allows a move out of `*b`, and `self: Box<Self>`, for `Box` only.
/// - Inside the definition of a generic type, a field `PoolBox<Node<T>>` asks for
///   `where Node<T>: Pooled` on the type.
/// - It does not implement `Fn`, `FnMut` or `FnOnce` where its element does: call `(*b)()`, or pass `&*b`. Nor does it implement
///   `Read`, `BufRead`, `Write`, `Seek` and `Hasher`: pass `&mut *b`, which does. Nor `AsFd` and the like.
/// - A box of a slice is no `IntoIterator`: write `b.iter()` or `b.iter_mut()`. To move elements out of it, `mem::take` them.
/// - A future that holds a `PoolBox<G<&'static u32>>` across an `.await` is not `Send`, even with a static pool ("not general
///   enough"): in a future the compiler erases the lifetime, and only `G<&'static u32>` has the pool. Wrap the argument in a type
///   without a lifetime: `struct Key(&'static u32);`, and `PoolBox<G<Key>>`.
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
pub struct PoolBox<T: ?Sized, P: Pool<T> = OwnPool<T>> {
    element: NonNull<T>,
    pool: P,
    marker: PhantomData<T>,
}

/// The owner of one element in any pool: a [`PoolBox`](crate::PoolBox), with the pool as a second parameter.
///
/// Its functions and traits are those of every [`boxed::PoolBox`](PoolBox).
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, PoolBoxIn};
///
/// let pool = FreeList::new();
/// let name: PoolBoxIn<String, &FreeList<String>> = pool.alloc("Grendel".into());
/// assert_eq!(PoolBoxIn::into_inner(name), "Grendel");
/// ```
pub type PoolBoxIn<T, P> = PoolBox<T, P>;

/// Functions for pools that the box's type names.
impl<T, P: PoolMarker<T>> PoolBox<T, P> {
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
    #[must_use]
    pub fn new(value: T) -> Self {
        // As `new_in`, which would be one function more on the commonest way to a slot.
        match P::HERE.acquire() {
            Some(slot) => filled!(slot, value, P::HERE),
            None if IS_UNOPTIMISED => panic_exhausted((), &P::HERE),
            None => panic_exhausted(value, &P::HERE),
        }
    }

    /// Puts `value` into a slot of `T`'s pool, or gives it back if there is none.
    ///
    /// # Errors
    ///
    /// [`Exhausted`], with the value, if the pool has a limit and every slot is occupied, or the heap has no room.
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
    #[track_caller]
    pub fn try_new(value: T) -> Result<Self, Exhausted<T>> {
        Self::try_new_in(value, P::HERE)
    }

    /// Reserves a slot, then puts the result of `f` into it, as [`Pooled::pool_alloc_with`](crate::Pooled::pool_alloc_with) does.
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
    #[must_use]
    pub fn new_with(f: impl FnOnce() -> T) -> Self {
        Vacant::new_in(P::HERE).fill_with(f)
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
    #[must_use]
    pub fn pin(value: T) -> Pin<Self>
    where
        P: 'static,
    {
        Self::into_pin(Self::new(value))
    }

    /// Builds the element in a slot of `T`'s pool: what [`Pooled::pool_init`](crate::Pooled::pool_init) does.
    ///
    /// # Errors
    ///
    /// The initialiser's error. The slot goes back.
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
        Vacant::new_in(P::HERE).init(init)
    }

    /// Like [`PoolBox::init`], but returns an error if there is no slot; the initialiser does not run then.
    ///
    /// # Errors
    ///
    /// [`TryInitError::Exhausted`] if the pool has a limit and every slot is occupied, or the heap has no room;
    /// [`TryInitError::Init`] if the initialiser fails, and the slot goes back.
    ///
    /// # Panics
    ///
    /// If the initialiser panics; the slot goes back.
    #[inline]
    #[track_caller]
    pub fn try_init<E>(init: impl Init<T, E>) -> Result<Self, TryInitError<E>> {
        Self::try_init_in(init, P::HERE)
    }
}

impl<T: ?Sized, P: PoolMarker<T>> PoolBox<T, P> {
    /// Turns the pointer of [`PoolBox::into_raw`] or [`PoolBox::leak`] back into a box.
    ///
    /// # Panics
    ///
    /// In a debug build and with the feature `hardened`, if a check finds that `raw` is not such a pointer. The feature checks
    /// more.
    ///
    /// # Safety
    ///
    /// 1. `raw` came from [`PoolBox::into_raw`] of a box of the same pool, on this thread if the pool is thread-local. The
    ///    reference from [`PoolBox::leak`] of such a box will do as well, but only in a type's own pool without `rc`, and if the
    ///    size of `T` is a multiple of a pointer's. (A reference reaches neither the rest of a slot that is larger than its
    ///    element, as slots by layout are, nor the counts before an element.)
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
    #[must_use = "call `drop` with the box to drop the element"]
    pub unsafe fn from_raw(raw: *mut T) -> Self {
        // SAFETY: the caller has the pointer from `into_raw`, and uses it once.
        unsafe { Self::from_raw_in(raw, P::HERE) }
    }
}

/// Functions for elements with a size, in any pool.
impl<T, P: Pool<T>> PoolBox<T, P> {
    /// Puts `value` into a slot of `pool`. O(1), unless the pool grows.
    ///
    /// With a reference to an owned pool, this is [`FreeList::alloc`](crate::TypedPool::alloc), and the box borrows the pool. With
    /// an `Rc` of an owned pool, the box keeps the pool alive and borrows nothing. So a struct can hold both a pool and its boxes,
    /// in any order, and the pool is dropped with the last of them. Such a box is two words.
    ///
    /// # Panics
    ///
    /// If the pool has a limit and every slot is occupied ([`PoolBox::try_new_in`] does not).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::rc::Rc;
    /// use typed_pool::{FreeList, PoolBoxIn};
    ///
    /// type Link = Option<PoolBoxIn<Node, Rc<FreeList<Node>>>>;
    ///
    /// struct Node { value: u32, next: Link }
    ///
    /// #[derive(Default)]
    /// struct Stack { nodes: Rc<FreeList<Node>>, top: Link }
    ///
    /// impl Stack {
    ///     fn push(&mut self, value: u32) {
    ///         let next = self.top.take();
    ///         self.top = Some(PoolBoxIn::new_in(Node { value, next }, self.nodes.clone()));
    ///     }
    ///
    ///     fn pop(&mut self) -> Option<u32> {
    ///         let Node { value, next } = PoolBoxIn::into_inner(self.top.take()?);
    ///         self.top = next;
    ///         Some(value)
    ///     }
    /// }
    ///
    /// let mut stack = Stack::default();
    /// (1..=3).for_each(|value| stack.push(value));
    /// assert_eq!((stack.pop(), stack.nodes.stats().live), (Some(3), 2));
    ///
    /// // What remains may leave the stack: it has its pool with it.
    /// let rest = stack.top.take().unwrap();
    /// drop(stack);
    /// assert_eq!((rest.value, PoolBoxIn::pool(&rest).stats().live), (2, 2));
    /// ```
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn new_in(value: T, pool: P) -> Self {
        // The slot comes first, and what can fail takes the value along: so no landing pad has to
        // hold the value while the pool is asked.
        match pool.acquire() {
            Some(slot) => filled!(slot, value, pool),
            None if IS_UNOPTIMISED => panic_exhausted((), &pool),
            None => panic_exhausted(value, &pool),
        }
    }

    /// Puts `value` into a slot of `pool`, or gives it back if there is none.
    ///
    /// # Errors
    ///
    /// [`Exhausted`], with the value, if the pool has a limit and every slot is occupied, or the heap has no room.
    #[inline(always)]
    #[track_caller]
    pub fn try_new_in(value: T, pool: P) -> Result<Self, Exhausted<T>> {
        match pool.acquire() {
            Some(slot) => Ok(filled!(slot, value, pool)),
            None => Err(pool.exhausted().with_value(value)),
        }
    }

    #[inline(always)]
    #[track_caller]
    pub(crate) fn try_init_in<E>(init: impl Init<T, E>, pool: P) -> Result<Self, TryInitError<E>> {
        let slot = Vacant::try_new_in(pool).map_err(TryInitError::Exhausted)?;
        slot.init(init).map_err(TryInitError::Init)
    }

    /// Moves the element out and gives its slot back. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, PoolBoxIn};
    ///
    /// let pool = FreeList::new();
    /// let name = pool.alloc(String::from("Grendel"));
    /// assert_eq!(PoolBoxIn::into_inner(name), "Grendel");
    /// assert_eq!(pool.stats().live, 0);
    /// ```
    #[inline]
    #[must_use]
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
    /// Turns the box into a reference: the element is not dropped, and its slot stays occupied. If the box keeps its pool alive
    /// (`Rc<FreeList<T>>`), the pool is leaked, too.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, PoolBoxIn};
    ///
    /// let pool = FreeList::new();
    /// let score: &mut u64 = PoolBoxIn::leak(pool.alloc(0));
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
    #[must_use = "losing the pointer leaks the element"]
    pub fn into_raw(b: Self) -> *mut T {
        let (element, _) = Self::into_parts(b);
        element.as_ptr()
    }

    /// Turns the pointer of [`PoolBox::into_raw`] back into a box.
    ///
    /// # Panics
    ///
    /// As [`PoolBox::from_raw`].
    ///
    /// # Safety
    ///
    /// As for [`PoolBox::from_raw`], with `pool` in place of `T`'s own: the box was one of `pool`, which has lived since.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, PoolBoxIn};
    ///
    /// let pool = FreeList::new();
    /// let raw = PoolBoxIn::into_raw(pool.alloc(7_u64));
    /// // SAFETY: `raw` has just come from `into_raw`, and is used no more.
    /// let seven = unsafe { PoolBoxIn::from_raw_in(raw, &pool) };
    /// assert_eq!(*seven, 7);
    /// ```
    #[inline]
    #[track_caller]
    #[must_use = "call `drop` with the box to drop the element"]
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
        // SAFETY: the caller has an element that lives in a slot of this pool, and gives it to the box.
        unsafe { Self::of_slot(element, pool) }
    }

    /// A raw pointer to the element, which the box still owns.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, PoolBoxIn};
    ///
    /// let pool = FreeList::new();
    /// let seven = pool.alloc(7_u64);
    /// assert!(pool.owns(PoolBoxIn::as_ptr(&seven)));
    /// ```
    #[inline]
    #[must_use]
    pub fn as_ptr(b: &Self) -> *const T {
        b.element.as_ptr()
    }

    /// A raw pointer for reading and writing to the element, which the box still owns.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, PoolBoxIn};
    ///
    /// let pool = FreeList::new();
    /// let mut seven = pool.alloc(7_u64);
    /// let pointer = PoolBoxIn::as_mut_ptr(&mut seven);
    /// // SAFETY: nothing else uses the element.
    /// unsafe { *pointer += 1 };
    /// assert_eq!(*seven, 8);
    /// ```
    #[inline]
    #[must_use]
    pub fn as_mut_ptr(b: &mut Self) -> *mut T {
        b.element.as_ptr()
    }

    /// The pool that the box belongs to.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, PoolBoxIn};
    ///
    /// let pool = FreeList::new();
    /// let seven = pool.alloc(7_u64);
    /// assert_eq!(PoolBoxIn::pool(&seven).stats().live, 1);
    /// ```
    #[inline]
    #[must_use]
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
    #[must_use]
    pub fn into_pin(b: Self) -> Pin<Self>
    where
        P: 'static,
    {
        // SAFETY: the element is neither moved nor its slot reused before it is dropped: the box is
        // out of reach inside the `Pin`, and a pool that cannot die before the box (`'static`)
        // keeps an occupied slot even if the box is leaked, and its `Rc` of the pool with it.
        unsafe { Pin::new_unchecked(b) }
    }

    /// The box of an element that was just put into a slot, which needs no check.
    ///
    /// # Safety
    ///
    /// The slot came from the pool and holds a `T`, and no other box is made of it.
    #[inline(always)]
    pub(crate) unsafe fn of_slot(slot: NonNull<T>, pool: P) -> Self {
        Self { element: slot, pool, marker: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn into_parts(b: Self) -> (NonNull<T>, P) {
        let b = ManuallyDrop::new(b);
        // SAFETY: the box is not used after this, nor dropped.
        let pool = unsafe { ptr::read(&raw const b.pool) };
        (b.element, pool)
    }
}

impl<T: ?Sized, P: Pool<T>> Drop for PoolBox<T, P> {
    #[inline]
    fn drop(&mut self) {
        /// Gives the slot back, even if the element's destructor unwinds.
        struct Release<'a, T: ?Sized, P: Pool<T>>(&'a PoolBox<T, P>);

        impl<T: ?Sized, P: Pool<T>> Drop for Release<'_, T, P> {
            #[inline(always)]
            fn drop(&mut self) {
                // SAFETY: 1. the box owns the slot; 2. its pointer came from the pool; 3. the
                // element has been dropped, and the box cannot be used after its own destructor.
                unsafe { self.0.pool.release(self.0.element) };
            }
        }

        if IS_CHECKED && const { mem::needs_drop::<T>() } {
            // What is not the box's is not dropped, either.
            // SAFETY: the element came from this pool.
            unsafe { self.pool.verify(self.element) };
        }
        if const { mem::needs_drop::<T>() } {
            // The element goes first: its destructor may use the pool, and finds it in order.
            let release = Release(self);
            // SAFETY: the box owns its element, and this is the one place that drops it.
            unsafe { ptr::drop_in_place(release.0.element.as_ptr()) };
        } else {
            // SAFETY: as in the guard, and there is nothing to drop.
            unsafe { self.pool.release(self.element) };
        }
    }
}

/// A slot of a pool, reserved for one element: filled later, or given back when dropped.
///
/// It guarantees a slot before the element is made. [`Pooled::pool_vacant`](crate::Pooled::pool_vacant) and
/// [`FreeList::vacant`](crate::FreeList::vacant) return one. It is as large as the [`PoolBox`] that it becomes: for a type's own
/// pool one word, and so is an `Option` of it.
///
/// It is also what `Box<MaybeUninit<T>>` is for the heap: [`Vacant::assume_init`] makes a box of it. (A `PoolBox<MaybeUninit<T>>`
/// would belong to a pool of `MaybeUninit<T>`s.)
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
pub struct Vacant<T, P: Pool<T> = OwnPool<T>> {
    slot: NonNull<T>,
    pool: P,
    marker: PhantomData<T>,
}

impl<T, P: Pool<T>> Vacant<T, P> {
    /// Reserves a slot of `pool`. O(1), unless the pool grows.
    ///
    /// # Panics
    ///
    /// If the pool has a limit and every slot is occupied ([`Vacant::try_new_in`] does not).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::rc::Rc;
    /// use typed_pool::{FreeList, PoolBoxIn, Vacant, init};
    ///
    /// let pool = Rc::new(FreeList::<[u8; 4096]>::new());
    /// let slot = Vacant::new_in(pool.clone());
    /// drop(pool);
    /// let Ok(map) = slot.init(init::zeroed());
    /// assert_eq!((map[4095], PoolBoxIn::pool(&map).stats().live), (0, 1));
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn new_in(pool: P) -> Self {
        match pool.acquire() {
            Some(slot) => Self { slot, pool, marker: PhantomData },
            None => panic_exhausted((), &pool),
        }
    }

    /// Reserves a slot of `pool`, if there is one.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the pool has a limit and every slot is occupied, or the heap has no room.
    #[inline(always)]
    #[track_caller]
    pub fn try_new_in(pool: P) -> Result<Self, Exhausted> {
        match pool.acquire() {
            Some(slot) => Ok(Self { slot, pool, marker: PhantomData }),
            None => Err(pool.exhausted()),
        }
    }

    /// The reservation of a slot.
    ///
    /// # Safety
    ///
    /// The slot has just come from the pool.
    #[inline(always)]
    pub(crate) unsafe fn of_slot(slot: NonNull<T>, pool: P) -> Self {
        Self { slot, pool, marker: PhantomData }
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
    #[doc(alias = "write")]
    #[must_use]
    pub fn fill(self, value: T) -> PoolBox<T, P> {
        // SAFETY: the slot is ours, and fits a `T`.
        unsafe { self.slot.write(value) };
        // SAFETY: it has just been filled.
        unsafe { self.assume_init() }
    }

    /// Fills the slot with the result of `f`. `f` may use the pool; if `f` panics, the slot goes back.
    ///
    /// An optimised build usually builds the value in the slot; [`Vacant::init`] guarantees it.
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
    #[must_use]
    pub fn fill_with(self, f: impl FnOnce() -> T) -> PoolBox<T, P> {
        self.fill(f())
    }

    /// Builds the element in the slot. The initialiser may use the pool; if it fails or panics, the slot goes back.
    ///
    /// # Errors
    ///
    /// The initialiser's error.
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
        Ok(unsafe { self.assume_init() })
    }

    /// Makes a box of the element that was written to the address of the slot: see [`Vacant::as_mut_ptr`].
    ///
    /// # Safety
    ///
    /// The slot holds a valid `T`.
    ///
    /// # Examples
    ///
    /// See [`Vacant::as_mut_ptr`].
    #[inline(always)]
    #[must_use]
    pub unsafe fn assume_init(self) -> PoolBox<T, P> {
        let vacant = ManuallyDrop::new(self);
        // SAFETY: `vacant` is not used after this, nor dropped.
        let pool = unsafe { ptr::read(&raw const vacant.pool) };
        PoolBox { element: vacant.slot, pool, marker: PhantomData }
    }

    /// The address of the slot, for code that builds the element there, such as a function of C. Then
    /// [`Vacant::assume_init`].
    ///
    /// A value that was written into a slot is not dropped if the slot is given back.
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
    /// let mut slot = Status::pool_vacant();
    /// // SAFETY: the slot has room for a `Status`.
    /// let result = unsafe { get_status(slot.as_mut_ptr()) };
    /// // SAFETY: it has written one, and said so.
    /// let status = (result == 0).then(|| unsafe { slot.assume_init() });
    /// assert_eq!(status.unwrap().code, 200);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.slot.as_ptr()
    }
}

impl<T, P: Pool<T>> Drop for Vacant<T, P> {
    /// Rarely run: kept out of the functions that fill a slot.
    #[cold]
    #[inline(never)]
    fn drop(&mut self) {
        // SAFETY: 1. and 2. the slot came from this pool; 3. nothing was put into it.
        unsafe { self.pool.release_vacant(self.slot) };
    }
}

impl<T, P: Pool<T>> fmt::Debug for Vacant<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Vacant").field(&self.slot).finish()
    }
}

// SAFETY: there is no `T` yet, and another thread may give the slot back (`Pool`).
unsafe impl<T, P: Pool<T> + Send> Send for Vacant<T, P> {}
// SAFETY: a shared `Vacant` can only be printed.
unsafe impl<T, P: Pool<T> + Sync> Sync for Vacant<T, P> {}
