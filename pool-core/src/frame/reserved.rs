//! Blocks of a frame stack whose value is being made: they are filled, or given back.

use core::alloc::Layout;
use core::mem::{self, ManuallyDrop};
use core::ptr::{self, NonNull};

use crate::frame::{FrameBox, Frames, Sharing};
use crate::init::Init;

/// Moves `value` to `place`.
///
/// # Safety
///
/// The place is the caller's, fits a `T`, and stays valid for the whole of `'a`.
#[inline(always)]
pub(super) unsafe fn fill<'a, T>(place: NonNull<T>, value: T) -> FrameBox<'a, T> {
    // SAFETY: the place is the caller's, and fits a `T`.
    unsafe { place.write(value) };
    // SAFETY: there is a `T`, in memory that nobody else has.
    unsafe { FrameBox::from_raw(place.as_ptr()) }
}

/// Memory for a `T`: filled, or given back when dropped.
pub(super) struct ReservedBlock<'a, T, S: Sharing> {
    pub(super) place: NonNull<T>,
    pub(super) stack: &'a Frames<S>,
}

impl<'a, T, S: Sharing> ReservedBlock<'a, T, S> {
    #[inline(always)]
    pub(super) fn fill_with(self, f: impl FnOnce() -> T) -> FrameBox<'a, T> {
        let value = f();
        // SAFETY: the place was taken for a `T`, from the stack that is borrowed for `'a`.
        unsafe { fill(ManuallyDrop::new(self).place, value) }
    }

    #[inline(always)]
    pub(super) fn init<E>(self, init: impl Init<T, E>) -> Result<FrameBox<'a, T>, E> {
        // SAFETY: 1. the place is aligned and large enough for a `T`; 2. nobody else has it.
        unsafe { init.init(self.place.as_ptr()) }?;
        // SAFETY: there is a `T` now (`Init` 1), in memory that nobody else has.
        Ok(unsafe { FrameBox::from_raw(ManuallyDrop::new(self).place.as_ptr()) })
    }
}

impl<T, S: Sharing> Drop for ReservedBlock<'_, T, S> {
    fn drop(&mut self) {
        // SAFETY: 1. the place was taken for this layout; 2. there is no `T` in it.
        unsafe { self.stack.free_last(self.place.cast(), Layout::new::<T>()) };
    }
}

/// A slice of which the first elements are made.
pub(super) struct Made<'a, T, S: Sharing> {
    first: NonNull<T>,
    made: usize,
    len: usize,
    stack: &'a Frames<S>,
}

impl<'a, T, S: Sharing> Made<'a, T, S> {
    /// # Safety
    ///
    /// `first` is a block of the stack with the layout of `len` elements, and the caller's own.
    #[inline(always)]
    pub(super) unsafe fn fill(
        stack: &'a Frames<S>,
        first: NonNull<T>,
        len: usize,
        mut f: impl FnMut(usize) -> T,
    ) -> FrameBox<'a, [T]> {
        let mut slice = Self { first, made: 0, len, stack };
        while slice.made < len {
            let value = f(slice.made);
            let place = first.as_ptr().wrapping_add(slice.made);
            // SAFETY: within the block, which is the caller's.
            unsafe { place.write(value) };
            slice.made += 1;
        }
        mem::forget(slice);
        // SAFETY: all elements are made, in memory that nobody else has.
        unsafe { FrameBox::from_raw(ptr::slice_from_raw_parts_mut(first.as_ptr(), len)) }
    }
}

impl<T, S: Sharing> Drop for Made<'_, T, S> {
    fn drop(&mut self) {
        while self.made > 0 {
            self.made -= 1;
            let last = self.first.as_ptr().wrapping_add(self.made);
            // SAFETY: the element was made, and counts no more.
            unsafe { last.drop_in_place() };
        }
        if let Ok(layout) = Layout::array::<T>(self.len) {
            // SAFETY: 1. the block was taken for this layout; 2. there is no element in it any more.
            unsafe { self.stack.free_last(self.first.cast(), layout) };
        }
    }
}
