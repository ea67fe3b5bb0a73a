//! The owner of a value in a frame stack.

use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ops::{Deref, DerefMut};
use core::pin::Pin;
use core::ptr::NonNull;

use crate::base::pointer_traits::{
    IntoIter, box_traits, error_trait, iterator_traits, slice_traits,
};

/// The owner of a value in a frame stack, which it borrows: what `Box` is for the heap.
///
/// Dropping it runs the value's destructor. The memory stays until the stack takes all of it back, or
/// [`Frames::free`](super::Frames::free) does if the box was the last. It is one word, or two for a slice,
/// and does not depend on the kind of stack.
///
/// As with `Box`, whatever is not a trait's method is an associated function (`FrameBox::leak(b)`, not
/// `b.leak()`), so that nothing hides a method of `T`.
///
/// # Examples
///
/// ```
/// use typed_pool::{FrameBox, FrameStack};
///
/// struct Node<'f> { name: String, next: Option<FrameBox<'f, Node<'f>>> }
///
/// let frame = FrameStack::new();
/// let last = frame.alloc(Node { name: "last".into(), next: None });
/// let first = frame.alloc(Node { name: "first".into(), next: Some(last) });
/// assert_eq!(first.next.as_ref().unwrap().name, "last");
/// ```
pub struct FrameBox<'a, T: ?Sized> {
    value: NonNull<T>,
    /// Owns a `T`, in memory that lasts as long as `'a`.
    marker: PhantomData<(&'a (), T)>,
}

// SAFETY: the box owns its value, as a `Box` does, and never touches the stack.
unsafe impl<T: ?Sized + Send> Send for FrameBox<'_, T> {}
// SAFETY: a shared box gives out nothing but `&T`.
unsafe impl<T: ?Sized + Sync> Sync for FrameBox<'_, T> {}

impl<'a, T: ?Sized> FrameBox<'a, T> {
    /// Turns the pointer of [`FrameBox::into_raw`] or [`FrameBox::leak`] back into a box.
    ///
    /// # Safety
    ///
    /// 1. `raw` came from `into_raw` or `leak` of a box with this lifetime, and may since have been made
    ///    unsized (a pointer to a trait object, say).
    /// 2. No other box was made of it since, and no reference to the value is used any more.
    ///
    /// # Examples
    ///
    /// A box of a trait object:
    ///
    /// ```
    /// use std::fmt::Display;
    /// use typed_pool::{FrameBox, FrameStack};
    ///
    /// let frame = FrameStack::new();
    /// let seven: *mut i32 = FrameBox::into_raw(frame.alloc(7));
    /// let raw: *mut dyn Display = seven;
    /// // SAFETY: 1. and 2. `raw` has just come from `into_raw`, and the stack is the same.
    /// let shown: FrameBox<'_, dyn Display> = unsafe { FrameBox::from_raw(raw) };
    /// assert_eq!(shown.to_string(), "7");
    /// ```
    #[inline(always)]
    pub unsafe fn from_raw(raw: *mut T) -> Self {
        // SAFETY: the pointer of a box is not null (caller).
        Self { value: unsafe { NonNull::new_unchecked(raw) }, marker: PhantomData }
    }

    /// Turns the box into a raw pointer that owns the value. Unless [`FrameBox::from_raw`] turns it back, the value
    /// is not dropped.
    #[inline]
    pub fn into_raw(b: Self) -> *mut T {
        ManuallyDrop::new(b).value.as_ptr()
    }

    /// Gives up ownership for a reference. The value is not dropped.
    ///
    /// The way to a trait object in a frame: `FrameBox::leak(frame.alloc(3)) as &mut dyn Display`.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FrameBox, FrameStack};
    ///
    /// let frame = FrameStack::new();
    /// let score: &mut u64 = FrameBox::leak(frame.alloc(0));
    /// *score += 100;
    /// assert_eq!(*score, 100);
    /// ```
    #[inline]
    pub fn leak(b: Self) -> &'a mut T {
        let mut value = ManuallyDrop::new(b).value;
        // SAFETY: the box owned its value, and the memory lasts as long as `'a`.
        unsafe { value.as_mut() }
    }

    /// A raw pointer to the value, which the box still owns.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FrameBox, FrameStack};
    ///
    /// let frame = FrameStack::new();
    /// let aligned = frame.alloc(7_u64);
    /// assert_eq!(FrameBox::as_ptr(&aligned).addr() % 8, 0);
    /// ```
    #[inline]
    pub fn as_ptr(b: &Self) -> *const T {
        b.value.as_ptr()
    }

    /// A raw pointer to the value for reading and writing; the box still owns the value.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FrameBox, FrameStack};
    ///
    /// let frame = FrameStack::new();
    /// let mut seven = frame.alloc(7_u64);
    /// let pointer = FrameBox::as_mut_ptr(&mut seven);
    /// // SAFETY: nothing else uses the value meanwhile.
    /// unsafe { *pointer += 1 };
    /// assert_eq!(*seven, 8);
    /// ```
    #[inline]
    pub fn as_mut_ptr(b: &mut Self) -> *mut T {
        b.value.as_ptr()
    }
}

impl<T> FrameBox<'_, T> {
    /// Moves the value out. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FrameBox, FrameStack};
    ///
    /// let frame = FrameStack::new();
    /// let name = frame.alloc(String::from("Grendel"));
    /// assert_eq!(FrameBox::into_inner(name), "Grendel");
    /// ```
    #[inline]
    pub fn into_inner(b: Self) -> T {
        let value = ManuallyDrop::new(b).value;
        // SAFETY: the box owned its value, and does not drop it.
        unsafe { value.read() }
    }
}

impl<T: ?Sized> FrameBox<'static, T> {
    /// Pins the value, in a stack that is never reset: a `static` one.
    ///
    /// (Pinning promises that memory is not reused before the destructor has run. A box of any other stack can be
    /// forgotten, and its memory reused.)
    ///
    /// # Examples
    ///
    /// ```
    /// use std::marker::PhantomPinned;
    /// use typed_pool::{FrameBox, FrameStack};
    ///
    /// static FOR_EVER: FrameStack = FrameStack::new();
    /// let pinned = FrameBox::into_pin(FOR_EVER.alloc((7, PhantomPinned)));
    /// assert_eq!(pinned.0, 7);
    /// ```
    #[inline]
    pub fn into_pin(b: Self) -> Pin<Self> {
        // SAFETY: the box does not move its value, and a stack that is borrowed for ever takes no memory back
        // before the destructor has run (`Frames::free`).
        unsafe { Pin::new_unchecked(b) }
    }
}

impl<T: ?Sized> Drop for FrameBox<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: the box owns its value, and is gone after this.
        unsafe { self.value.drop_in_place() };
    }
}

impl<T: ?Sized> Deref for FrameBox<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        let value = Self::as_ptr(self);
        // SAFETY: the box owns its value, which is initialised; the reference borrows the box.
        unsafe { &*value }
    }
}

impl<T: ?Sized> DerefMut for FrameBox<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        let value = Self::as_mut_ptr(self);
        // SAFETY: as in `deref`, and the box is borrowed mutably.
        unsafe { &mut *value }
    }
}

box_traits!(['a, T: ?Sized] FrameBox<'a, T>);
// Not of each `T: ?Sized`, as for a box by layout.
iterator_traits!(['a, T] FrameBox<'a, T>, T);
iterator_traits!(['a, 'o, I] FrameBox<'a, dyn Iterator<Item = I> + 'o>, dyn Iterator<Item = I> + 'o);
slice_traits!(['a, T] FrameBox<'a, [T]>);

impl<'a, T> IntoIterator for FrameBox<'a, [T]> {
    type Item = T;
    type IntoIter = IntoIter<T, FrameBox<'a, [ManuallyDrop<T>]>>;

    /// The elements, by value.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let names = frame.alloc_iter(["Grendel", "Beowulf"].map(String::from));
    /// assert_eq!(names.into_iter().collect::<Vec<_>>(), ["Grendel", "Beowulf"]);
    /// ```
    fn into_iter(self) -> Self::IntoIter {
        let elements = FrameBox::into_raw(self) as *mut [ManuallyDrop<T>];
        // SAFETY: 1. it has just come from `into_raw`, and has the same layout; 2. it is used no more.
        let room = unsafe { FrameBox::from_raw(elements) };
        // SAFETY: the box drops none of them.
        unsafe { IntoIter::new(room) }
    }
}

error_trait!(['a, T: ?Sized] FrameBox<'a, T>);
