//! Pointers to elements of any type, in pools by layout: [`Box`] is to `std`'s `Box` what these pools are to the heap.
//!
//! Nothing is derived: an element may be generic, borrow, or come from another crate, and a program or a library
//! changes its imports:
//!
//! | `std` | here | which may leave its thread |
//! |---|---|---|
//! | `Box<T>` | [`Box<T>`](Box) | [`SendBox<T>`](SendBox) |
//! | `Rc<T>`, `Arc<T>` | [`Rc<T>`](Rc) | [`Arc<T>`](Arc) |
//! | `rc::Weak<T>`, `sync::Weak<T>` | [`RcWeak<T>`](RcWeak) | [`ArcWeak<T>`](ArcWeak) |
//! | `Box<dyn FnOnce(&mut W) -> R>` | [`BoxFnOnce<W, R>`](BoxFnOnce) | |
//!
//! `Box<dyn Trait>` is as in `std`, but the compiler coerces `std`'s pointers alone: write
//! [`unsize!(pointer => dyn Trait)`](crate::unsize) where it does so by itself. Text, slices of any length and
//! errors that `?` makes stay in `std`'s pointers.
//!
//! Elements of about one size share a pool ([`ByLayout`] says which sizes there are). A pointer stays on its thread, unless it
//! is of the last column: those have their elements in [`SharedByLayout`].
//!
//! # When to derive instead
//!
//! `#[derive(Pooled)]` gives a type a pool that nothing else uses. Take that where you can name the type:
//!
//! - A dangling pointer, left by a bug in `unsafe` code, sees another element of the same type, and nothing else.
//! - The pool may have a limit and a name, and has statistics of its own.
//! - Its elements lie side by side, without elements of other types between them, and without rounding.
//!
//! Take this module where you cannot: in a library's generic container, for types of other crates, for elements that
//! borrow.
//!
//! # Examples
//!
//! ```
//! use typed_pool::any;
//!
//! struct List<T> { first: Option<any::Box<Node<T>>> }
//! struct Node<T> { value: T, next: Option<any::Box<Node<T>>> }
//!
//! impl<T> List<T> {
//!     fn push(&mut self, value: T) {
//!         let next = self.first.take();
//!         self.first = Some(any::Box::new(Node { value, next }));
//!     }
//! }
//!
//! let text = String::from("a list of borrowed words");
//! let mut words = List { first: None };
//! text.split(' ').for_each(|word| words.push(word));
//! let last = words.first.unwrap();
//! assert_eq!((last.value, last.next.as_ref().unwrap().value), ("words", "borrowed"));
//! # let _ = any::Box::into_inner(last).next;
//! ```

use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::pin::Pin;
use core::ptr::NonNull;

use crate::base::exhausted::Exhausted;
pub use crate::derived::by_layout::AnyPool;
use crate::derived::by_layout::{ByLayout, SharedByLayout};
use crate::derived::rc::{Atomic, Plain, RefCounted, RefCountedWeak};
use crate::init::{Init, TryInitError};
use crate::pointer::Pool;
use crate::pointer::boxed::{PoolBox, Vacant};

mod objects;
mod traits;

pub use crate::derived::by_layout::Counted;
pub use objects::BoxFnOnce;

/// Owns one element of any type: `std`'s `Box`, with the element in its thread's pool for that size.
///
/// Its functions are those of [`AnyBox`].
///
/// # Examples
///
/// ```
/// use typed_pool::any;
///
/// let mut pair = any::Box::new((1, "one"));
/// pair.0 += 1;
/// assert_eq!(*pair, (2, "one"));
/// assert_eq!(any::Box::into_inner(pair).1, "one");
/// ```
pub type Box<T> = AnyBox<T>;

/// A [`Box`] that leaves its thread, if its element may: it is in the pools by layout of the whole process.
///
/// Its functions are those of [`AnyBox`].
///
/// # Examples
///
/// ```
/// use std::thread;
/// use typed_pool::any;
///
/// let job = any::SendBox::new([1, 2, 3]);
/// let sum = thread::spawn(move || job.iter().sum::<i32>()).join().unwrap();
/// assert_eq!(sum, 6);
/// ```
pub type SendBox<T> = AnyBox<T, SharedByLayout>;

/// The owner of one element of any type, in a pool by layout: a [`Box`] if `P` is [`ByLayout`], a [`SendBox`] if it is
/// [`SharedByLayout`].
///
/// A `PoolBox<T, P>` under a name of its own, since there can be only one `PoolBox::new`, which uses a type's own pool. Each turns
/// into the other by `From`, and nothing moves. One word for a sized element.
///
/// What [`PoolBox`] says about its differences from `Box` holds here, too, except that `T` may be any type, and that the box is
/// covariant in it, as `Box` is: an `AnyBox<&'static str>` is an `AnyBox<&'a str>`.
///
/// # Examples
///
/// See [`Box`].
#[repr(transparent)]
pub struct AnyBox<T: ?Sized, P: AnyPool + Pool<T> = ByLayout> {
    element: NonNull<T>,
    marker: PhantomData<(P, T)>,
}

impl<T: ?Sized, P: AnyPool + Pool<T>> From<PoolBox<T, P>> for AnyBox<T, P> {
    /// The same box under its other name.
    #[inline(always)]
    fn from(b: PoolBox<T, P>) -> Self {
        Self { element: PoolBox::into_parts(b).0, marker: PhantomData }
    }
}

impl<T: ?Sized, P: AnyPool + Pool<T>> From<AnyBox<T, P>> for PoolBox<T, P> {
    /// The same box under its other name.
    #[inline(always)]
    fn from(b: AnyBox<T, P>) -> Self {
        let b = ManuallyDrop::new(b);
        // SAFETY: the element is in these pools, and this box is used no more.
        unsafe { Self::of_slot(b.element, P::default()) }
    }
}

impl<T: ?Sized, P: AnyPool + Pool<T>> Drop for AnyBox<T, P> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the element is in these pools, and a box is not used after its destructor.
        drop(unsafe { PoolBox::of_slot(self.element, P::default()) });
    }
}

/// How a box is made.
impl<T, P: AnyPool + Pool<T>> AnyBox<T, P> {
    /// Puts `value` into a slot. O(1), unless the pool grows.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::any;
    ///
    /// let five = any::Box::new(5);
    /// assert_eq!(*five, 5);
    /// ```
    #[inline]
    #[track_caller]
    pub fn new(value: T) -> Self {
        Self::from(PoolBox::new_in(value, P::default()))
    }

    /// Puts what `f` returns into a slot: as [`PoolBox::new_with`].
    ///
    /// # Panics
    ///
    /// If `f` panics; the slot goes back.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::any;
    ///
    /// let map = any::Box::new_with(|| [0_u8; 4096]);
    /// assert_eq!(map.len(), 4096);
    /// ```
    #[inline]
    #[track_caller]
    pub fn new_with(f: impl FnOnce() -> T) -> Self {
        Self::from(Vacant::new_in(P::default()).fill_with(f))
    }

    /// [`AnyBox::new`], where the heap may be out of memory.
    ///
    /// # Errors
    ///
    /// If the heap has no memory for the element: it comes back.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::any;
    ///
    /// assert_eq!(*any::Box::try_new(5).unwrap(), 5);
    /// ```
    #[inline]
    #[track_caller]
    pub fn try_new(value: T) -> Result<Self, Exhausted<T>> {
        PoolBox::try_new_in(value, P::default()).map(Self::from)
    }

    /// [`AnyBox::new_with`], where the heap may be out of memory.
    ///
    /// # Errors
    ///
    /// If the heap has no memory for the element. `f` is not called then.
    ///
    /// # Panics
    ///
    /// If `f` panics; the slot goes back.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::any;
    ///
    /// assert_eq!(any::Box::try_new_with(|| [7; 100]).unwrap()[99], 7);
    /// ```
    #[inline]
    #[track_caller]
    pub fn try_new_with(f: impl FnOnce() -> T) -> Result<Self, Exhausted> {
        Ok(Self::from(Vacant::try_new_in(P::default())?.fill_with(f)))
    }

    /// Puts `value` into a slot and pins it there.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::any;
    ///
    /// let future = any::Box::pin(async { 5 });
    /// # let _ = future;
    /// ```
    #[inline]
    #[track_caller]
    pub fn pin(value: T) -> Pin<Self> {
        Self::into_pin(Self::new(value))
    }

    /// Builds the element in a slot: as [`PoolBox::init`].
    ///
    /// # Errors
    ///
    /// The initialiser's own. The slot goes back.
    ///
    /// # Panics
    ///
    /// If the initialiser panics; the slot goes back.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{any, init};
    ///
    /// struct Map { level: u32, cells: [u8; 65_536] }
    ///
    /// let Ok(map) = any::Box::init(init!(Map { level: 1, cells <- init::zeroed() }));
    /// assert_eq!((map.level, map.cells[65_535]), (1, 0));
    /// ```
    #[inline]
    #[track_caller]
    pub fn init<E>(init: impl Init<T, E>) -> Result<Self, E> {
        Vacant::new_in(P::default()).init(init).map(Self::from)
    }

    /// [`AnyBox::init`], where the heap may be out of memory.
    ///
    /// # Errors
    ///
    /// [`TryInitError::Exhausted`] if the heap has no memory for the element, and [`TryInitError::Init`] if the initialiser fails: the
    /// slot goes back.
    ///
    /// # Panics
    ///
    /// If the initialiser panics; the slot goes back.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{any, init};
    ///
    /// assert_eq!(any::Box::<[u8; 100]>::try_init(init::zeroed()).unwrap()[99], 0);
    /// ```
    #[inline]
    #[track_caller]
    pub fn try_init<E>(init: impl Init<T, E>) -> Result<Self, TryInitError<E>> {
        PoolBox::try_init_in(init, P::default()).map(Self::from)
    }

    /// Builds the element in a slot and pins it there.
    ///
    /// # Errors
    ///
    /// The initialiser's own. The slot goes back.
    ///
    /// # Panics
    ///
    /// If the initialiser panics; the slot goes back.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::marker::PhantomPinned;
    /// use typed_pool::{any, init};
    ///
    /// struct Waiter { id: u64, _pinned: PhantomPinned }
    ///
    /// let Ok(waiter) = any::Box::pin_init(init!(Waiter { id: 1, _pinned: PhantomPinned }));
    /// assert_eq!(waiter.id, 1);
    /// ```
    #[inline]
    #[track_caller]
    pub fn pin_init<E>(init: impl Init<T, E>) -> Result<Pin<Self>, E> {
        Self::init(init).map(Self::into_pin)
    }

    /// Reserves a slot, to be written to later; it goes back if it is not. As [`PoolBox::new_uninit`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::any;
    ///
    /// let slot = any::Box::<[u8; 100]>::new_uninit();
    /// let filled: any::Box<[u8; 100]> = slot.write([7; 100]).into();
    /// assert_eq!(filled[99], 7);
    /// ```
    #[inline]
    #[track_caller]
    pub fn new_uninit() -> Vacant<T, P> {
        Vacant::new_in(P::default())
    }

    /// Moves the element out and gives its slot back. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::any;
    ///
    /// assert_eq!(any::Box::into_inner(any::Box::new(String::from("Grendel"))), "Grendel");
    /// ```
    #[inline]
    pub fn into_inner(b: Self) -> T {
        PoolBox::into_inner(PoolBox::<T, P>::from(b))
    }
}

/// What a box is made of.
impl<T: ?Sized, P: AnyPool + Pool<T>> AnyBox<T, P> {
    /// Turns the box into a reference: the element is not dropped, and its slot stays occupied.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::any;
    ///
    /// let five: &'static mut i32 = any::Box::leak(any::Box::new(5));
    /// *five += 1;
    /// assert_eq!(*five, 6);
    /// ```
    #[inline]
    pub fn leak<'a>(b: Self) -> &'a mut T {
        PoolBox::leak(PoolBox::<T, P>::from(b))
    }

    /// Turns the box into a raw pointer that owns the element. Give it back to [`AnyBox::from_raw`].
    ///
    /// # Examples
    ///
    /// See [`AnyBox::from_raw`].
    #[inline]
    pub fn into_raw(b: Self) -> *mut T {
        ManuallyDrop::new(b).element.as_ptr()
    }

    /// Makes the box again that [`AnyBox::into_raw`] took apart.
    ///
    /// # Panics
    ///
    /// As [`PoolBox::from_raw`].
    ///
    /// # Safety
    ///
    /// 1. `raw` came from [`AnyBox::into_raw`] of a box with the same `P`, a [`Box`]'s on this thread, and the element had the size
    ///    and alignment that this one has. (The reference from [`AnyBox::leak`] will not do: it does not reach the rest of a slot
    ///    that is larger than its element.)
    /// 2. There is an element, no other box was made of it since, and no reference to it is used any more.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::any;
    ///
    /// let raw = any::Box::into_raw(any::Box::new(7));
    /// // SAFETY: `raw` has just come from `into_raw`, and is used no more.
    /// let seven = unsafe { any::Box::from_raw(raw) };
    /// assert_eq!(*seven, 7);
    /// ```
    #[inline]
    #[track_caller]
    pub unsafe fn from_raw(raw: *mut T) -> Self {
        // SAFETY: passed on from the caller.
        Self::from(unsafe { PoolBox::from_raw_in(raw, P::default()) })
    }

    /// A raw pointer to the element, which the box still owns.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::any;
    ///
    /// let seven = any::Box::new(7);
    /// assert_eq!(any::Box::as_ptr(&seven), &raw const *seven);
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
    /// use typed_pool::any;
    ///
    /// let mut seven = any::Box::new(7);
    /// let pointer = any::Box::as_mut_ptr(&mut seven);
    /// // SAFETY: nothing else uses the element meanwhile.
    /// unsafe { *pointer += 1 };
    /// assert_eq!(*seven, 8);
    /// ```
    #[inline]
    pub fn as_mut_ptr(b: &mut Self) -> *mut T {
        b.element.as_ptr()
    }

    /// Pins the element where it is.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::any;
    ///
    /// assert_eq!(*any::Box::into_pin(any::Box::new(7)), 7);
    /// ```
    #[inline]
    pub fn into_pin(b: Self) -> Pin<Self> {
        // SAFETY: the element is neither moved nor its slot reused before it is dropped, as in `PoolBox::into_pin`.
        unsafe { Pin::new_unchecked(b) }
    }
}

/// One of many owners of an element of any type, all in one thread: `std`'s `Rc`, with the element in the
/// thread's pool for its size.
///
/// One word for a sized element, whose counts lie before it. See [`RefCounted`] for what it can do. What
/// that says about derived pools, a `PoolRc` and `#[pool(rc)]` does not apply: `T` may be of any type.
///
/// # Examples
///
/// ```
/// use std::cell::Cell;
/// use typed_pool::any;
///
/// let text = String::from("borrowed");
/// let shared = any::Rc::new((&*text, Cell::new(1)));
/// let other = any::Rc::clone(&shared);
/// other.1.set(2);
/// assert_eq!((shared.0, shared.1.get(), any::Rc::strong_count(&shared)), ("borrowed", 2, 2));
/// ```
pub type Rc<T> = RefCounted<T, Plain, Counted<ByLayout>>;

/// Does not own the element of an [`Rc`], and can tell whether it is still there: `std::rc::Weak`.
///
/// # Examples
///
/// ```
/// use typed_pool::any;
///
/// struct Node { parent: any::RcWeak<Node>, name: &'static str }
///
/// let root = any::Rc::new(Node { parent: any::RcWeak::new(), name: "root" });
/// let leaf = any::Rc::new(Node { parent: any::Rc::downgrade(&root), name: "leaf" });
/// assert_eq!(leaf.parent.upgrade().map(|parent| parent.name), Some("root"));
/// drop(root);
/// assert!(leaf.parent.upgrade().is_none());
/// # let _ = leaf.name;
/// ```
pub type RcWeak<T> = RefCountedWeak<T, Plain, Counted<ByLayout>>;

/// One of many owners of an element of any type, in any thread: `std`'s `Arc`, with the element in a pool.
///
/// Its slot is one of [`SharedByLayout`]. `Send` and `Sync` if the element is both.
///
/// # Examples
///
/// ```
/// use std::thread;
/// use typed_pool::any;
///
/// let numbers = any::Arc::new(vec![1, 2, 3]);
/// let there = any::Arc::clone(&numbers);
/// let sum = thread::spawn(move || there.iter().sum::<i32>()).join().unwrap();
/// assert_eq!((sum, any::Arc::strong_count(&numbers)), (6, 1));
/// ```
pub type Arc<T> = RefCounted<T, Atomic, Counted<SharedByLayout>>;

/// Does not own the element of an [`Arc`], and can tell whether it is still there: `std::sync::Weak`.
///
/// # Examples
///
/// ```
/// use typed_pool::any;
///
/// let cache = any::Arc::new([0_u8; 256]);
/// let weak: any::ArcWeak<_> = any::Arc::downgrade(&cache);
/// drop(cache);
/// assert!(weak.upgrade().is_none());
/// ```
pub type ArcWeak<T> = RefCountedWeak<T, Atomic, Counted<SharedByLayout>>;
