//! Tracked allocators of `allocator-api2`.

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::base::heap::Request;
use crate::tracked::Tracked;

/// Methods that pass a change of size on, and count it.
macro_rules! resizing {
    ($($method:ident),*) => {$(
        #[inline]
        unsafe fn $method(
            &self,
            block: NonNull<u8>,
            old: Layout,
            new: Layout,
        ) -> Result<NonNull<[u8]>, AllocError> {
            let resized = self.counters.resized(old.size(), new.size(), || {
                // SAFETY: passed on from the caller.
                unsafe { self.inner.$method(block, old, new) }.ok()
            });
            resized.ok_or(AllocError)
        }
    )*};
}

/// Passes each request on to an allocator of the same version.
macro_rules! tracked {
    ($(#[$said:meta])* $api:ident) => {
        const _: () = {
            use $api::alloc::{AllocError, Allocator};

            $(#[$said])*
            // SAFETY: every request goes to `inner` unchanged, and so does its answer.
            unsafe impl<A: Allocator> Allocator for Tracked<A> {
                #[inline]
                fn allocate(&self, layout: Layout) -> Result<NonNull<[u8]>, AllocError> {
                    let request = Request::come();
                    let block = self.inner.allocate(layout)?;
                    self.counters.allocated(layout.size(), &request);
                    Ok(block)
                }

                #[inline]
                fn allocate_zeroed(&self, layout: Layout) -> Result<NonNull<[u8]>, AllocError> {
                    let request = Request::come();
                    let block = self.inner.allocate_zeroed(layout)?;
                    self.counters.allocated(layout.size(), &request);
                    Ok(block)
                }

                #[inline]
                unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
                    let request = Request::come();
                    self.counters.freed(layout.size(), &request);
                    // SAFETY: passed on from the caller.
                    unsafe { self.inner.deallocate(block, layout) };
                }

                resizing!(grow, grow_zeroed, shrink);
            }
        };
    };
}

#[cfg(feature = "allocator-api2-02")]
tracked! {
    /// Counts the bytes that were asked for, even where `A` hands out more.
    ///
    /// # Examples
    ///
    /// ```
    /// use allocator_api2::{alloc::Global, vec::Vec};
    /// use typed_pool::Tracked;
    ///
    /// let heap = Tracked::new(Global);
    /// let mut numbers = Vec::with_capacity_in(100, &heap);
    /// numbers.push(1_u64);
    /// assert_eq!(heap.stats().live_bytes, 800);
    /// drop(numbers);
    /// heap.scope().assert_none();
    /// ```
    allocator_api2
}

#[cfg(feature = "allocator-api2-04")]
tracked! {
    /// As for `allocator-api2` 0.2, around an allocator of 0.4.
    allocator_api2_04
}
