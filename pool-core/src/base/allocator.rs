//! Allocators of `allocator-api2`, in each of its versions. The versions differ in nothing but their types, so an
//! allocator implements [`Blocks`] once, and [`allocators`] writes the rest.

use core::alloc::Layout;
use core::ptr::NonNull;

/// What `Allocator` has, in the words of no version of it.
///
/// # Safety
///
/// As for `Allocator` (of any version): a block that was handed out stays valid, in its place and nobody else's until it
/// is given back, as long as the allocator or a copy of it lives; copies give back one another's blocks.
pub(crate) unsafe trait Blocks {
    /// A block of at least that size; `None` if there is no room.
    #[track_caller]
    fn allocate(&self, layout: Layout) -> Option<NonNull<[u8]>>;

    /// Takes a block back.
    ///
    /// # Safety
    ///
    /// As for `Allocator::deallocate`.
    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout);

    /// The block with another layout, `new`.
    ///
    /// # Safety
    ///
    /// As for `Allocator::grow` if `new` is larger, and as for `Allocator::shrink` if not.
    unsafe fn resize(&self, block: NonNull<u8>, old: Layout, new: Layout) -> Option<NonNull<[u8]>>;

    /// Copies a block to a new one of another layout, and gives it back.
    ///
    /// # Safety
    ///
    /// As for [`Blocks::resize`].
    #[cold]
    unsafe fn relocate(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Option<NonNull<[u8]>> {
        let moved = self.allocate(new)?;
        let bytes = old.size().min(new.size());
        // SAFETY: both have that many bytes, and the new block overlaps no other.
        unsafe { block.copy_to_nonoverlapping(moved.cast(), bytes) };
        // SAFETY: the block is from this allocator and of this layout (caller), and used no more.
        unsafe { self.deallocate(block, old) };
        Some(moved)
    }
}

// Implements `Allocator`, of each version that is turned on, for a type that is `Blocks`, or whose field is:
//
//     allocators! {
//         /// What the documentation says.
//         [S: Sharing] &Frames<S>
//     }
//     allocators! { [S: Sharing] &FrameScope<'_, S>, by stack }
//
// What the documentation says is said once, for 0.2: an example runs with one version only.
macro_rules! allocators {
    ($(#[$said:meta])* [$($parameters:tt)*] $type:ty $(, by $field:ident)?) => {
        $crate::base::allocator::allocator! {
            "allocator-api2-02" allocator_api2
            $(#[$said])* [$($parameters)*] $type $(, $field)?
        }
        $crate::base::allocator::allocator! {
            "allocator-api2-04" allocator_api2_04
            /// As for `allocator-api2` 0.2.
            [$($parameters)*] $type $(, $field)?
        }
    };
}
pub(crate) use allocators;

// `allocators` for one version.
macro_rules! allocator {
    ($feature:literal $api:ident $(#[$said:meta])* [$($parameters:tt)*] $type:ty $(, $field:ident)?) => {
        #[cfg(feature = $feature)]
        const _: () = {
            use core::alloc::Layout;
            use core::ptr::NonNull;

            use $api::alloc::{AllocError, Allocator};

            use $crate::base::allocator::Blocks;

            $(#[$said])*
            // SAFETY: the promise of `Blocks` is the same.
            unsafe impl<$($parameters)*> Allocator for $type {
                #[inline]
                #[track_caller]
                fn allocate(&self, layout: Layout) -> Result<NonNull<[u8]>, AllocError> {
                    Blocks::allocate(&(*self)$(.$field)?, layout).ok_or(AllocError)
                }

                #[inline]
                unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
                    // SAFETY: passed on from the caller.
                    unsafe { Blocks::deallocate(&(*self)$(.$field)?, block, layout) };
                }

                unsafe fn grow(
                    &self,
                    block: NonNull<u8>,
                    old: Layout,
                    new: Layout,
                ) -> Result<NonNull<[u8]>, AllocError> {
                    // SAFETY: passed on from the caller.
                    unsafe { Blocks::resize(&(*self)$(.$field)?, block, old, new) }.ok_or(AllocError)
                }

                // In place if that is possible: a pool need not have a second slot.
                unsafe fn grow_zeroed(
                    &self,
                    block: NonNull<u8>,
                    old: Layout,
                    new: Layout,
                ) -> Result<NonNull<[u8]>, AllocError> {
                    // SAFETY: passed on from the caller.
                    let grown = unsafe { Allocator::grow(self, block, old, new) }?;
                    let added = grown.cast::<u8>().as_ptr().wrapping_add(old.size());
                    // SAFETY: the block has that many bytes behind the old ones, and they are nobody's yet.
                    unsafe { added.write_bytes(0, grown.len() - old.size()) };
                    Ok(grown)
                }

                unsafe fn shrink(
                    &self,
                    block: NonNull<u8>,
                    old: Layout,
                    new: Layout,
                ) -> Result<NonNull<[u8]>, AllocError> {
                    // SAFETY: passed on from the caller.
                    unsafe { Blocks::resize(&(*self)$(.$field)?, block, old, new) }.ok_or(AllocError)
                }
            }
        };
    };
}
pub(crate) use allocator;
