//! Everything taken back at once, and chunks given to the heap.

use core::ptr;

use crate::frame::chunk::FrameChunk;
use crate::frame::sharing::cells::{NumberCell as _, PointerCell as _};
use crate::frame::top::Top;
use crate::frame::{Frames, Sharing};

impl<S: Sharing> Frames<S> {
    /// Takes everything back. O(chunks), whatever was allocated.
    ///
    /// The chunks stay, the largest in front. Older [`Mark`](crate::frame::Mark)s are void.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FrameBox, FrameStack};
    ///
    /// let mut frame = FrameStack::new();
    /// let first = FrameBox::as_ptr(&frame.alloc(1_u64));
    /// frame.reset();
    /// assert_eq!(FrameBox::as_ptr(&frame.alloc(2_u64)), first);
    /// ```
    ///
    /// A box that is alive forbids it:
    ///
    /// ```compile_fail,E0502
    /// use typed_pool::FrameStack;
    ///
    /// let mut frame = FrameStack::new();
    /// let first = frame.alloc(1_u64);
    /// frame.reset();
    /// assert_eq!(*first, 1);
    /// ```
    pub fn reset(&mut self) {
        // SAFETY: blocks borrow the stack, and it is borrowed exclusively.
        unsafe { self.clear() };
        self.put_largest_first();
        self.current.set(self.first.get());
        self.note();
    }

    /// Takes everything back and gives the chunks to the heap; returns their bytes. O(chunks).
    ///
    /// For use after a frame that was far larger than later ones will be. The next allocation starts again with a
    /// first chunk.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let mut frame = FrameStack::new();
    /// frame.alloc([0_u8; 100_000]);
    /// assert!(frame.trim() >= 100_000);
    /// assert_eq!(frame.capacity(), 8192);
    /// ```
    pub fn trim(&mut self) -> usize {
        // SAFETY: blocks borrow the stack, and it is borrowed exclusively.
        unsafe { self.clear() };
        self.current.set(ptr::null_mut());
        let mut next = self.first.get();
        // Empty the stack first: the heap may itself use it.
        self.first.set(ptr::null_mut());
        let mut bytes = 0;
        while let Some(chunk) = ptr::NonNull::new(next) {
            // SAFETY: the chunk was in the chain until now, and is initialised.
            next = unsafe { chunk.as_ref() }.next.get();
            // SAFETY: it is in no chain any more, and its blocks are gone.
            bytes += unsafe { FrameChunk::release(chunk) };
        }
        self.note();
        bytes
    }

    /// Empties all chunks and goes back to the first.
    ///
    /// # Safety
    ///
    /// No block is used any more, and nothing else uses the stack meanwhile.
    pub(super) unsafe fn clear(&self) {
        self.note_peak(self.used());
        self.id.set(0);
        for chunk in self.chunks() {
            // SAFETY: passed on from the caller.
            unsafe { chunk.cut(Top::BOTTOM) };
            // Whichever chunk becomes the first.
            chunk.below.set(0);
        }
        self.current.set(self.first.get());
    }

    /// Moves the largest chunk to the front, so that a frame that fits into one chunk uses one.
    fn put_largest_first(&mut self) {
        let Some(largest) = self.chunks().max_by_key(|chunk| chunk.size()) else { return };
        // SAFETY: `prev` is null or a chunk of this stack.
        let Some(before) = (unsafe { FrameChunk::of(largest.prev.get()) }) else { return };
        // Where `before` points, `largest` is, with the provenance of its whole block.
        let (front, moved, after) = (self.first.get(), before.next.get(), largest.next.get());
        before.next.set(after);
        // SAFETY: `next` is null or a chunk of this stack.
        if let Some(after) = unsafe { FrameChunk::of(after) } {
            after.prev.set(largest.prev.get());
        }
        // SAFETY: the stack has chunks, and so a first.
        if let Some(front) = unsafe { FrameChunk::of(front) } {
            front.prev.set(moved);
        }
        largest.prev.set(ptr::null_mut());
        largest.next.set(front);
        self.first.set(moved);
    }
}

impl<S: Sharing> Drop for Frames<S> {
    fn drop(&mut self) {
        self.trim();
    }
}
