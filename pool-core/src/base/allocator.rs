//! Allocators of `allocator-api2`: one is three functions, and [`allocator`] writes the rest.

// Implements `Allocator` for a type, or for one by a field of it:
//
//     allocator! {
//         /// What the documentation says.
//         [S: Sharing] &Frames<S>: allocate deallocate resize
//     }
//     allocator! { [S: Sharing] &FrameScope<'_, S>, by stack: allocate deallocate resize }
//
// The three keep the promises of `Allocator`: a block that was handed out stays valid, in its place and its owner's alone until
// it is given back, as long as the allocator or a copy of it lives; copies give back one another's blocks. The third gives the
// block another layout, larger or smaller, in place or by moving it; if it returns `None`, another block is allocated.
macro_rules! allocator {
    ($(#[$said:meta])* [$($parameters:tt)*] $type:ty $(, by $field:ident)?:
        $allocate:ident $deallocate:ident $resize:ident) => {
        const _: () = {
            use core::alloc::Layout;
            use core::ptr::NonNull;

            use allocator_api2::alloc::{AllocError, Allocator};

            $(#[$said])*
            // SAFETY: the functions promise the same (`allocator`).
            unsafe impl<$($parameters)*> Allocator for $type {
                #[inline]
                #[track_caller]
                fn allocate(&self, layout: Layout) -> Result<NonNull<[u8]>, AllocError> {
                    $allocate(&(*self)$(.$field)?, layout).ok_or(AllocError)
                }

                #[inline]
                unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
                    // SAFETY: the caller has a block of this allocator with this layout.
                    unsafe { $deallocate(&(*self)$(.$field)?, block, layout) };
                }

                unsafe fn grow(
                    &self,
                    block: NonNull<u8>,
                    old: Layout,
                    new: Layout,
                ) -> Result<NonNull<[u8]>, AllocError> {
                    // SAFETY: the caller has a block of this allocator with the layout `old`, and `new` is no smaller.
                    if let Some(resized) = unsafe { $resize(&(*self)$(.$field)?, block, old, new) } {
                        return Ok(resized);
                    }
                    let moved = self.allocate(new)?;
                    let bytes = old.size().min(new.size());
                    // SAFETY: both have that many bytes, and the new block overlaps no other.
                    unsafe { block.copy_to_nonoverlapping(moved.cast(), bytes) };
                    // SAFETY: the block is from this allocator and of this layout (caller), and used no more.
                    unsafe { self.deallocate(block, old) };
                    Ok(moved)
                }

                // In place if that is possible: a pool need not have a second slot.
                unsafe fn grow_zeroed(
                    &self,
                    block: NonNull<u8>,
                    old: Layout,
                    new: Layout,
                ) -> Result<NonNull<[u8]>, AllocError> {
                    // SAFETY: the caller has a block of this allocator with the layout `old`, and `new` is no smaller.
                    let grown = unsafe { self.grow(block, old, new) }?;
                    let added = grown.cast::<u8>().as_ptr().wrapping_add(old.size());
                    // SAFETY: the block has that many bytes behind the old ones, and they have no owner yet.
                    unsafe { added.write_bytes(0, grown.len() - old.size()) };
                    Ok(grown)
                }

                unsafe fn shrink(
                    &self,
                    block: NonNull<u8>,
                    old: Layout,
                    new: Layout,
                ) -> Result<NonNull<[u8]>, AllocError> {
                    // SAFETY: the caller has a block of this allocator; the function above serves smaller layouts as well.
                    unsafe { self.grow(block, old, new) }
                }
            }
        };
    };
}
pub(crate) use allocator;
