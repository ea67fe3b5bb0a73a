//! The owner of a value in a frame stack, and what fills a block.

use core::alloc::Layout;
use core::any::type_name;
use core::marker::PhantomData;
use core::mem::{self, ManuallyDrop};
use core::ptr::{self, NonNull};

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::sealed::Sealed;
use crate::frame::{Frames, Sharing};
use crate::init::Init;
use crate::init::value::Built;
use crate::pointer::Pool;
use crate::pointer::boxed::PoolBox;

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
pub type FrameBox<'f, T> = PoolBox<T, InFrame<'f>>;

/// The place of a [`FrameBox<'f, T>`](crate::FrameBox): memory of a frame stack, which the stack takes back by itself. It has no
/// slots to hand out.
#[derive(Debug)]
pub struct InFrame<'f>(PhantomData<&'f ()>);

impl InFrame<'_> {
    const HERE: Self = Self(PhantomData);
}

impl Sealed for InFrame<'_> {}

// SAFETY: it hands nothing out, and what is in a frame is released by doing nothing.
unsafe impl<T: ?Sized> Pool<T> for InFrame<'_> {
    type Sent = T;

    fn acquire(&self) -> Option<NonNull<T>>
    where
        T: Sized,
    {
        None
    }

    unsafe fn verify(&self, _: NonNull<T>) {}

    #[inline(always)]
    unsafe fn release(&self, _: NonNull<T>) {}

    fn exhausted(&self) -> Exhausted
    where
        T: Sized,
    {
        Exhausted::new(type_name::<T>(), &Config::new())
    }
}

impl<T: ?Sized> FrameBox<'_, T> {
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
    #[must_use = "call `drop` with the box to drop the element"]
    pub unsafe fn from_raw(raw: *mut T) -> Self {
        // SAFETY: the caller has the pointer from `into_raw`, and uses it once.
        unsafe { Self::from_raw_in(raw, InFrame::HERE) }
    }
}

/// A block that is reserved for a value or for the elements of a slice: filled, or given back when dropped if it is the last one.
pub(super) struct FrameVacant<'f, T: ?Sized, S: Sharing> {
    place: NonNull<T>,
    layout: Layout,
    stack: &'f Frames<S>,
}

impl<S: Sharing> Frames<S> {
    /// Reserves a block for a `T`.
    #[inline(always)]
    pub(super) fn try_vacant<T>(&self) -> Result<FrameVacant<'_, T, S>, Exhausted> {
        let layout = Layout::new::<T>();
        Ok(FrameVacant { place: self.alloc_raw(layout)?.cast(), layout, stack: self })
    }

    /// Reserves a block for `len` elements.
    #[inline(always)]
    pub(super) fn try_vacant_slice<T>(
        &self,
        len: usize,
    ) -> Result<FrameVacant<'_, [T], S>, Exhausted> {
        let vacant = || {
            let layout = Layout::array::<T>(len).ok()?;
            let place = NonNull::slice_from_raw_parts(self.alloc_block(layout)?.cast(), len);
            Some(FrameVacant { place, layout, stack: self })
        };
        vacant().ok_or_else(|| self.exhausted(Layout::new::<T>(), len))
    }
}

impl<'f, T, S: Sharing> FrameVacant<'f, T, S> {
    #[inline(always)]
    pub(super) fn fill(self, value: T) -> FrameBox<'f, T> {
        let place = ManuallyDrop::new(self).place;
        // SAFETY: the place is ours, and fits a `T`.
        unsafe { place.write(value) };
        // SAFETY: there is a `T`, in memory of its own.
        unsafe { FrameBox::of_slot(place, InFrame::HERE) }
    }

    #[inline(always)]
    pub(super) fn init<E>(self, init: impl Init<T, E>) -> Result<FrameBox<'f, T>, E> {
        // SAFETY: 1. the place is aligned and large enough for a `T`; 2. no other code has it.
        unsafe { init.init(self.place.as_ptr()) }?;
        // SAFETY: there is a `T` now (`Init` 1), in memory of its own.
        Ok(unsafe { FrameBox::of_slot(ManuallyDrop::new(self).place, InFrame::HERE) })
    }
}

impl<T: ?Sized, S: Sharing> Drop for FrameVacant<'_, T, S> {
    fn drop(&mut self) {
        // SAFETY: 1. the place was taken for this layout, or resized to it; 2. there is no `T` in it.
        unsafe { self.stack.free_last(self.place.cast(), self.layout) };
    }
}

/// Elements in a block that grows with them. Until they are finished, a drop drops them, the last one first, and gives the
/// block back if it is the last of its stack.
///
/// The code that makes the elements may allocate from the stack as well. Then the block moves as it grows, and leaves the old one
/// behind.
pub(super) struct Growing<'f, T, S: Sharing> {
    // In this order: the elements are dropped before their place is given back.
    elements: Built<T>,
    block: FrameVacant<'f, [T], S>,
}

impl<'f, T, S: Sharing> Growing<'f, T, S> {
    /// As in `Vec`.
    const LEAST: usize = match size_of::<T>() {
        0 | 1 => 8,
        2..=1024 => 4,
        _ => 1,
    };

    /// Room for `capacity` elements at first; of those without size, for as many as can be counted.
    #[inline]
    pub(super) fn with_capacity(stack: &'f Frames<S>, capacity: usize) -> Result<Self, Exhausted> {
        let capacity = if size_of::<T>() == 0 { usize::MAX } else { capacity };
        let block = stack.try_vacant_slice(capacity)?;
        Ok(Self { elements: Built { first: block.place.cast().as_ptr(), count: 0 }, block })
    }

    /// One more element. It is dropped if there is no room.
    #[inline(always)]
    pub(super) fn push(&mut self, element: T) -> Result<(), Exhausted> {
        if self.elements.count == self.block.place.len() {
            self.grow(1)?;
        }
        // SAFETY: there is room for one more.
        unsafe { self.elements.push(element) };
        Ok(())
    }

    /// Copies of elements behind the others.
    #[inline]
    pub(super) fn extend(&mut self, more: &[T]) -> Result<(), Exhausted>
    where
        T: Copy,
    {
        if more.len() > self.block.place.len() - self.elements.count {
            self.grow(more.len())?;
        }
        // SAFETY: the block has room for all, and is this one's alone.
        unsafe { ptr::copy_nonoverlapping(more.as_ptr(), self.elements.next(), more.len()) };
        self.elements.count += more.len();
        Ok(())
    }

    /// Room for `additional` more elements: twice as much as there was, or as much as is needed, if that fails. Where the
    /// block is, if possible.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, additional: usize) -> Result<(), Exhausted> {
        let needed = self.elements.count.saturating_add(additional);
        let doubled = self.block.place.len().saturating_mul(2).max(Self::LEAST).max(needed);
        if self.grow_to(doubled) || self.grow_to(needed) {
            return Ok(());
        }
        Err(self.block.stack.exhausted(Layout::new::<T>(), needed))
    }

    fn grow_to(&mut self, capacity: usize) -> bool {
        if self.resize(capacity) {
            return true;
        }
        let Ok(block) = self.block.stack.try_vacant_slice(capacity) else { return false };
        let first = block.place.cast().as_ptr();
        // SAFETY: both have room for the elements, and do not overlap, since both are taken.
        unsafe { ptr::copy_nonoverlapping(self.elements.first, first, self.elements.count) };
        self.elements.first = first;
        // The old one is given back if it is the last, as it is when it had no size, or the new one is in another chunk.
        self.block = block;
        true
    }

    /// Makes the block as long as `len` elements, and not shorter than those that are there; `false` if it is not the last, or that
    /// does not fit. A function of its own, which is called a few times for a slice.
    #[inline(never)]
    fn resize(&mut self, len: usize) -> bool {
        let len = len.max(self.elements.count);
        let Ok(layout) = Layout::array::<T>(len) else { return false };
        let block = &mut self.block;
        // SAFETY: the block is ours, of that size, and no element is in what is cut off.
        let resized =
            unsafe { block.stack.resize_last(block.place.cast(), block.layout, layout.size()) };
        if resized.is_some() {
            block.place = NonNull::slice_from_raw_parts(block.place.cast(), len);
            block.layout = layout;
        }
        resized.is_some()
    }

    /// The elements. What they do not need is given back, if nothing was allocated behind it.
    #[inline]
    pub(super) fn finish(mut self) -> FrameBox<'f, [T]> {
        let Built { first, count } = self.elements;
        if count < self.block.place.len() && count > 0 {
            self.resize(count);
        }
        let Self { elements, block } = self;
        mem::forget(elements);
        if count > 0 {
            mem::forget(block);
        }
        // SAFETY: the elements are made, in memory of its own; without any, none is needed.
        unsafe { FrameBox::from_raw(ptr::slice_from_raw_parts_mut(first, count)) }
    }
}
