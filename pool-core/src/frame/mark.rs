//! Marks: where a frame stack was at an earlier moment; resets and trims.

use core::cmp::Ordering::{Equal, Greater, Less};
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering;

use crate::base::atomic::swap::new_number;
use crate::frame::chunk::FrameChunk;
use crate::frame::{Frames, Sharing};

/// The position of a frame stack when [`Frames::mark`] was called: [`Frames::rewind`] goes back there.
///
/// A mark borrows nothing and keeps nothing alive. If a closure fits, [`Frames::scope`] does the same without
/// `unsafe`.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    position: Position,
    /// Stands for the stack of the mark, between two resets.
    id: usize,
}

/// A place in the chain of chunks, whose order changes with a reset only; by default, the place in an empty stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub(super) struct Position {
    /// How many chunks come before the one with the last block.
    chunk: usize,
    /// The end of that chunk's blocks.
    top: usize,
}

impl<S: Sharing> Frames<S> {
    /// Returns the present position, for a later [`rewind`](Frames::rewind). O(chunks).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let kept = frame.alloc(7_u64);
    /// let mark = frame.mark();
    /// let _ = frame.alloc_slice(&[0_u8; 1000]);
    /// // SAFETY: what was allocated since the mark is not used any more, and no other thread has
    /// // the stack.
    /// assert!(unsafe { frame.rewind(mark) });
    /// assert_eq!((*kept, frame.used()), (7, 8));
    /// ```
    #[must_use = "a mark is there to be gone back to"]
    pub fn mark(&self) -> Mark {
        // An id from another thread is as good. (An exchange may fail for no reason.)
        while self.id.load(Ordering::Relaxed) == 0 {
            let _ = S::exchange(&self.id, 0, new_number(), Ordering::Relaxed);
        }
        Mark { position: self.position(), id: self.id.load(Ordering::Relaxed) }
    }

    /// The top of the last chunk with something in it.
    ///
    /// It may lie behind the current chunk: a thread may not yet have seen that the stack went back. What it put
    /// there is older than the mark made from this. An empty chunk does not count, even if it is the current one, since the
    /// stack may leave it for one before.
    pub(super) fn position(&self) -> Position {
        let mut position = Position::default();
        for (index, chunk) in self.chunks().enumerate() {
            if chunk.top() > 0 {
                position = Position { chunk: index, top: chunk.top() };
            }
        }
        position
    }

    /// Takes back everything allocated since the mark. Returns `false`, and changes nothing, if the mark is from another stack,
    /// from before a reset, or ahead of the stack, which has gone back since. O(chunks).
    ///
    /// # Safety
    ///
    /// 1. Nothing that was allocated since the mark was taken, by any thread, is used any more. A block that the stack's
    ///    `Allocator` has resized counts as allocated when it was last resized.
    /// 2. No other thread allocates from the stack or frees to it during the call.
    /// 3. Each element that was pinned in the stack since has been dropped: a forgotten `Pin<FrameBox<T>>` keeps its place for ever
    ///    ([drop guarantee](core::pin#subtle-details-and-the-drop-guarantee)).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let (frame, other) = (FrameStack::new(), FrameStack::new());
    /// let older = frame.mark();
    /// let _ = frame.alloc(1);
    /// let newer = frame.mark();
    /// // SAFETY: nothing is used any more that was allocated since, and there is no other thread.
    /// assert!(unsafe { frame.rewind(older) });
    /// // SAFETY: as above.
    /// assert!(!unsafe { frame.rewind(newer) }, "from a place that is ahead");
    /// // SAFETY: as above.
    /// assert!(!unsafe { other.rewind(older) }, "of another stack");
    /// ```
    pub unsafe fn rewind(&self, mark: Mark) -> bool {
        if mark.id != self.id.load(Ordering::Relaxed) {
            return false;
        }
        // SAFETY: the caller uses nothing any more that was allocated after the mark, and has dropped what is pinned.
        unsafe { self.rewind_to(mark.position) }
    }

    /// [`Frames::rewind`] to a position of this stack.
    ///
    /// # Safety
    ///
    /// As for `rewind`.
    pub(super) unsafe fn rewind_to(&self, to: Position) -> bool {
        if to > self.position() {
            return false;
        }
        self.note_peak(self.used());
        let mut below = 0;
        for (index, chunk) in self.chunks().enumerate() {
            let top = match index.cmp(&to.chunk) {
                Less => chunk.top(),
                // Some blocks older than the mark may have been freed since.
                Equal => to.top.min(chunk.top()),
                Greater => 0,
            };
            // SAFETY: what lies above is newer than the mark, and no other thread interferes (caller).
            unsafe { chunk.cut(top) };
            if index == to.chunk {
                // It may have become current when more was in use below: a block may have been too large for it.
                chunk.below.store(below, Ordering::Relaxed);
                self.set_current(Some(chunk));
            }
            below += top;
        }
        true
    }

    /// Takes everything back. O(chunks), whatever was allocated.
    ///
    /// The chunks stay, the largest in front. Older [`Mark`]s are void.
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
        self.empty_chunks();
        self.put_largest_first();
        self.set_current(self.chunks().next());
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
    /// let _ = frame.alloc([0_u8; 100_000]);
    /// assert!(frame.trim() >= 100_000);
    /// assert_eq!(frame.capacity(), 8192);
    /// ```
    pub fn trim(&mut self) -> usize {
        self.empty_chunks();
        self.set_current(None);
        // Empty the stack first: the heap may itself use it.
        let mut next = self.first.load(S::LINK.0);
        self.first.store(ptr::null_mut(), S::LINK.1);
        let mut bytes = 0;
        while let Some(chunk) = NonNull::new(next) {
            // SAFETY: it is in no chain any more, and its blocks are gone.
            let header = unsafe { FrameChunk::release(chunk) };
            next = header.next.load(S::LINK.0);
            bytes += header.layout.size();
        }
        bytes
    }

    /// Empties all chunks.
    fn empty_chunks(&mut self) {
        self.note_peak(self.used());
        self.id.store(0, Ordering::Relaxed);
        for chunk in self.chunks() {
            // SAFETY: blocks borrow the stack, and it is borrowed exclusively.
            unsafe { chunk.cut(0) };
            // Whichever chunk becomes the first.
            chunk.below.store(0, Ordering::Relaxed);
        }
    }

    /// Moves the largest chunk to the front, so that a frame that fits into one chunk uses one.
    fn put_largest_first(&mut self) {
        let (mut before, mut found) = (None, None);
        for chunk in self.chunks() {
            if found.is_none_or(|(_, largest): (_, &FrameChunk)| chunk.size >= largest.size) {
                found = Some((before, chunk));
            }
            before = Some(chunk);
        }
        let Some((Some(before), largest)) = found else { return };
        let [behind, first] = [&largest.next, &self.first].map(|link| link.load(S::LINK.0));
        self.first.store(before.next.load(S::LINK.0), S::LINK.1);
        before.next.store(behind, S::LINK.1);
        largest.next.store(first, S::LINK.1);
    }
}

impl<S: Sharing> Drop for Frames<S> {
    fn drop(&mut self) {
        self.trim();
    }
}
