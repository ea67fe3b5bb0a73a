//! A block, as the model knows it.

use std::alloc::Layout;
use std::ptr::{self, NonNull};

use typed_pool::FrameBox;
use typed_pool::frame::{Frames, Sharing};

/// A block that was not freed.
pub(super) struct Block {
    pub(super) at: NonNull<u8>,
    pub(super) layout: Layout,
    pub(super) number: usize,
    /// The bytes that were in use before it, if everything above it was freed since.
    pub(super) used_before: usize,
    /// Whether it came as a slice of numbers, which goes as a box.
    pub(super) is_slice: bool,
}

impl Block {
    pub(super) fn free<S: Sharing>(&self, stack: &Frames<S>) -> bool {
        assert!(self.is_whole());
        if !self.is_slice {
            // SAFETY: the block is live, and has just left the model.
            return unsafe { stack.free_last(self.at, self.layout) };
        }
        let len = self.layout.size() / 2;
        let slice: *mut [u16] = ptr::slice_from_raw_parts_mut(self.at.as_ptr().cast(), len);
        // SAFETY: the slice was leaked, and has just left the model.
        stack.free(unsafe { FrameBox::from_raw(slice) })
    }

    /// Whether the first bytes are what they were.
    pub(super) fn begins(&self, bytes: usize) -> bool {
        // SAFETY: the block is live, and the caller has written that many of its bytes.
        let bytes = unsafe { NonNull::slice_from_raw_parts(self.at, bytes).as_ref() };
        bytes.iter().all(|&byte| byte == self.number as u8)
    }

    pub(super) fn is_whole(&self) -> bool {
        self.begins(self.layout.size())
    }

    /// Writes its number into all bytes.
    pub(super) fn fill(&self) {
        // SAFETY: the block is live.
        unsafe { self.at.write_bytes(self.number as u8, self.layout.size()) };
    }

    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let range = |b: &Self| (b.at.addr().get(), b.at.addr().get() + b.layout.size());
        let ((start, end), (other_start, other_end)) = (range(self), range(other));
        start < other_end && other_start < end
    }
}
