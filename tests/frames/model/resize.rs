//! Blocks that become longer or shorter, as those of containers do.

use std::alloc::Layout;
use std::ptr::NonNull;

use allocator_api2::alloc::Allocator;
use typed_pool::frame::{Frames, Sharing};

/// # Safety
///
/// The block is a live one of the stack, of the layout `old`; if this returns another, it is that from here on.
pub(crate) unsafe fn resize<S: Sharing>(
    stack: &Frames<S>,
    block: NonNull<u8>,
    old: Layout,
    new: Layout,
) -> Option<NonNull<[u8]>> {
    if new.size() <= old.size() {
        // SAFETY: the caller has a block with this layout, and asks for a size that fits.
        unsafe { stack.shrink(block, old, new) }.ok()
    } else {
        // SAFETY: the caller has a block with this layout, and asks for a size that fits.
        unsafe { stack.grow(block, old, new) }.ok()
    }
}
