//! Blocks of a frame stack whose value is being made: they are filled, or given back.

use core::alloc::Layout;
use core::mem::{self, ManuallyDrop};
use core::ptr::{self, NonNull};

use crate::frame::{FrameBox, Frames, Sharing};
use crate::init::array::build_elements;
use crate::init::{Init, value, with};

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

/// Memory for one `T` or several: filled, or given back when dropped.
pub(super) struct ReservedBlock<'a, T, S: Sharing> {
    pub(super) place: NonNull<T>,
    pub(super) layout: Layout,
    pub(super) stack: &'a Frames<S>,
}

impl<'a, T, S: Sharing> ReservedBlock<'a, T, S> {
    #[inline(always)]
    pub(super) fn fill_with(self, f: impl FnOnce() -> T) -> FrameBox<'a, T> {
        let Ok(filled) = self.init(with(f));
        filled
    }

    #[inline(always)]
    pub(super) fn init<E>(self, init: impl Init<T, E>) -> Result<FrameBox<'a, T>, E> {
        // SAFETY: 1. the place is aligned and large enough for a `T`; 2. nobody else has it.
        unsafe { init.init(self.place.as_ptr()) }?;
        // SAFETY: there is a `T` now (`Init` 1), in memory that nobody else has.
        Ok(unsafe { FrameBox::from_raw(ManuallyDrop::new(self).place.as_ptr()) })
    }

    /// Makes `len` elements, each by `f` from its index. If `f` unwinds, the elements before are dropped, the last
    /// one first.
    ///
    /// # Safety
    ///
    /// There is room for them.
    #[inline(always)]
    pub(super) unsafe fn fill_slice(
        self,
        len: usize,
        mut f: impl FnMut(usize) -> T,
    ) -> FrameBox<'a, [T]> {
        let first = self.place.as_ptr();
        // SAFETY: 1. the place is aligned for a `T`, and has room for `len` (caller); 2. nobody else has it.
        let Ok(()) = unsafe { build_elements(first, len, |i| value(f(i))) };
        mem::forget(self);
        // SAFETY: all elements are made, in memory that nobody else has.
        unsafe { FrameBox::from_raw(ptr::slice_from_raw_parts_mut(first, len)) }
    }
}

impl<T, S: Sharing> Drop for ReservedBlock<'_, T, S> {
    fn drop(&mut self) {
        // SAFETY: 1. the place was taken for this layout; 2. there is no `T` in it.
        unsafe { self.stack.free_last(self.place.cast(), self.layout) };
    }
}
