//! Blocks without a type: where the chunks are chosen.

use core::alloc::Layout;
use core::ptr::{self, NonNull};

use crate::base::exhausted::Exhausted;
use crate::base::guard::IS_CHECKED;
use crate::frame::chunk::{CHUNK_ALIGN, FrameChunk};
use crate::frame::sharing::cells::{NumberCell as _, PointerCell as _};
use crate::frame::{Frames, Sharing};

/// Bytes of a chunk that is not the first: at least a few times its header.
const LEAST_GROWTH: usize = 1024;

impl<S: Sharing> Frames<S> {
    /// A block of this layout. O(1), except when the stack changes to another chunk.
    ///
    /// It is valid until the stack is reset, rewound to an earlier mark, or dropped; all of these need the borrow
    /// of the stack to have ended, or say so in their safety section. The slice has the requested length, and is
    /// not initialised. A layout of size zero gives a dangling, aligned pointer.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the block does not fit, and the stack is bounded or the heap has no room for a
    /// chunk. Nothing has changed then.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::alloc::Layout;
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let layout = Layout::from_size_align(100, 64)?;
    /// let block = frame.alloc_raw(layout)?;
    /// assert_eq!((block.len(), block.cast::<u8>().as_ptr().addr() % 64), (100, 0));
    /// // SAFETY: the block is from this stack and this layout, and used no more.
    /// assert!(unsafe { frame.free_last(block.cast(), layout) });
    /// assert_eq!(frame.used(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[doc(alias = "alloc_layout")]
    #[doc(alias = "try_alloc_layout")]
    pub fn alloc_raw(&self, layout: Layout) -> Result<NonNull<[u8]>, Exhausted> {
        match self.alloc_block(layout) {
            Some(block) => Ok(NonNull::slice_from_raw_parts(block, layout.size())),
            None => Err(self.exhausted(layout)),
        }
    }

    /// Gives a block back if it is the last one; `true` if it was. O(1).
    ///
    /// The padding before it goes back as well, so that the block before it is then the last. A block that is not
    /// the last stays until the reset. A block of size zero is always given back.
    ///
    /// # Panics
    ///
    /// In a debug build and with the feature `hardened`, if the block is in no chunk of this stack, or
    /// if what is there was given back already.
    ///
    /// # Safety
    ///
    /// 1. The block came from this stack, for this layout (or was resized to it by the stack's
    ///    `Allocator`), and nothing took it back since.
    /// 2. It is not used any more, if this returns `true`.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::alloc::Layout;
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::new();
    /// let layout = Layout::new::<u64>();
    /// let [first, last] = [(); 2].map(|()| frame.alloc_raw(layout).unwrap().cast());
    /// // SAFETY: both are from this stack and this layout, and used no more.
    /// unsafe {
    ///     assert!(!frame.free_last(first, layout), "there is one above it");
    /// }
    /// // SAFETY: as above.
    /// unsafe {
    ///     assert!(frame.free_last(last, layout));
    /// }
    /// assert_eq!(frame.used(), 8);
    /// ```
    #[inline]
    #[track_caller]
    pub unsafe fn free_last(&self, block: NonNull<u8>, layout: Layout) -> bool {
        if IS_CHECKED && layout.size() != 0 {
            self.check(block.as_ptr(), layout.size());
        }
        // SAFETY: passed on from the caller.
        unsafe { self.free_if_last(block, layout) }
    }

    /// Panics if no block of `bytes` bytes can be in use there. O(chunks).
    #[track_caller]
    fn check(&self, block: *const u8, bytes: usize) {
        let found =
            self.chunks().find_map(|chunk| chunk.offset_of(block).map(|start| (chunk, start)));
        match found {
            None => panic!(
                "invalid free: {block:p} is in no chunk of the frame stack; expected a block that it handed out"
            ),
            Some((chunk, start)) if start + bytes > chunk.top().offset() => panic!(
                "double free: the {bytes} bytes at {block:p} of the frame stack are not in use; expected a block \
                 that is"
            ),
            Some(_) => {}
        }
    }

    /// Remembers that the blocks in `chunk` reached up to `end` before the last was given back or resized; `false` if
    /// it was not.
    #[inline(always)]
    fn note_end(&self, chunk: &FrameChunk<S>, end: Option<usize>) -> bool {
        end.is_some_and(|end| {
            self.note_peak(chunk.below.get() + end);
            true
        })
    }

    /// [`Frames::free_last`], of a block that need not be from this stack.
    ///
    /// # Safety
    ///
    /// As for [`Frames::free_last`], if the block is in one of this stack's chunks.
    #[inline]
    pub(super) unsafe fn free_if_last(&self, block: NonNull<u8>, layout: Layout) -> bool {
        if layout.size() == 0 {
            return true;
        }
        let Some((chunk, start)) = self.find_last(block) else { return false };
        // SAFETY: the block is the caller's (1), in this chunk, and not used any more (2).
        let end = unsafe { chunk.free_if_last(start, layout.size()) };
        self.note_end(chunk, end)
    }

    /// Makes a block longer or shorter where it stands, if it is the last one and that fits.
    ///
    /// # Safety
    ///
    /// As for [`Frames::free_last`], with `old` for the size of its layout; neither `old` nor `new` is
    /// zero. What is cut off is not used any more, if this returns `true`.
    pub(super) unsafe fn resize_last(&self, block: NonNull<u8>, old: usize, new: usize) -> bool {
        let Some((chunk, start)) = self.find_last(block) else { return false };
        // SAFETY: passed on from the caller.
        let end = unsafe { chunk.resize(start, old, new) };
        self.note_end(chunk, end)
    }

    #[inline(always)]
    pub(super) fn alloc_block(&self, layout: Layout) -> Option<NonNull<u8>> {
        if layout.size() == 0 {
            return NonNull::new(ptr::without_provenance_mut(layout.align()));
        }
        // SAFETY: the chunks of a stack are released through `&mut self` only.
        let current = unsafe { FrameChunk::of(self.current.get()) };
        match current.and_then(|chunk| chunk.alloc_block(layout)) {
            Some(block) => Some(block),
            None => self.alloc_elsewhere(layout),
        }
    }

    /// The current chunk has no room, or there is none.
    #[cold]
    #[inline(never)]
    fn alloc_elsewhere(&self, layout: Layout) -> Option<NonNull<u8>> {
        loop {
            let seen = self.current.get();
            // SAFETY: the chunks of a stack are released through `&mut self` only.
            let current = unsafe { FrameChunk::of(seen) };
            if let Some(block) = current.and_then(|chunk| chunk.alloc_block(layout)) {
                self.note();
                return Some(block);
            }
            // The stack leaves the current chunk only when one with room is found: a failed request must not cost
            // the others their room.
            let (found, next) = self.find_room(seen, layout)?;
            next.below.set(self.used_before(found));
            // If another thread was faster, what it chose is tried first.
            self.current.exchange(seen, found);
        }
    }

    /// The first chunk behind `last` (null: the first of all) that has room, which is made if need be.
    fn find_room(
        &self,
        mut last: *mut FrameChunk<S>,
        layout: Layout,
    ) -> Option<(*mut FrameChunk<S>, &FrameChunk<S>)> {
        loop {
            // SAFETY: `last` is null or a chunk of this stack, released through `&mut self` only.
            let link = unsafe { FrameChunk::of(last) }.map_or(&self.first, |chunk| &chunk.next);
            let next = link.get();
            // SAFETY: as above.
            match unsafe { FrameChunk::of(next) } {
                Some(chunk) if chunk.has_room(layout) => return Some((next, chunk)),
                Some(_) => last = next,
                None => {
                    let grown = self.grow(last, layout)?;
                    if link.exchange(next, grown.as_ptr()) {
                        self.note_growth();
                    } else {
                        // Another thread, or the heap as a user of this stack, has linked one.
                        // SAFETY: nobody but this function has seen the chunk.
                        unsafe { FrameChunk::release(grown) };
                    }
                }
            }
        }
    }

    /// A chunk that holds a block of this layout, to be linked behind `last`.
    ///
    /// The first has what was asked for, or is not made. Others are as large as all before them together;
    /// smaller if the heap refuses that.
    fn grow(&self, last: *mut FrameChunk<S>, layout: Layout) -> Option<NonNull<FrameChunk<S>>> {
        if self.is_bounded {
            return if last.is_null() { FrameChunk::allocate(self.initial, last) } else { None };
        }
        // Wherever the chunk begins.
        let needed = layout.size().checked_add(layout.align().saturating_sub(CHUNK_ALIGN))?;
        if last.is_null() {
            return FrameChunk::allocate(self.initial.max(needed), last);
        }
        let mut size = self.capacity().max(LEAST_GROWTH).max(needed);
        loop {
            match FrameChunk::allocate(size, last) {
                None if size > needed => size = (size / 2).max(needed),
                chunk => return chunk,
            }
        }
    }

    /// The request that the heap could not meet, when there was no room for a block of this layout: the block, or
    /// the larger first chunk; `None` if there can be no such chunk.
    pub(super) fn failed_request(&self, layout: Layout) -> Option<Layout> {
        if !self.first.get().is_null() || self.initial <= layout.size() {
            return Some(layout);
        }
        FrameChunk::<S>::layout(self.initial).map(|(chunk, _)| chunk)
    }

    /// The chunk whose last block `block` may be, and how far into it the block begins.
    #[inline(always)]
    fn find_last(&self, block: NonNull<u8>) -> Option<(&FrameChunk<S>, usize)> {
        // SAFETY: the chunks of a stack are released through `&mut self` only.
        let current = unsafe { FrameChunk::of(self.current.get()) }?;
        match current.offset_of(block.as_ptr()) {
            Some(start) => Some((current, start)),
            None => self.find_earlier(block),
        }
    }

    /// The block is not in the current chunk: as long as that is empty, goes back to the one before.
    #[cold]
    #[inline(never)]
    fn find_earlier(&self, block: NonNull<u8>) -> Option<(&FrameChunk<S>, usize)> {
        // Otherwise a pointer from elsewhere would make the stack go back for nothing.
        self.chunks().find(|chunk| chunk.offset_of(block.as_ptr()).is_some())?;
        loop {
            let seen = self.current.get();
            // SAFETY: the chunks of a stack are released through `&mut self` only.
            let current = unsafe { FrameChunk::of(seen) }?;
            if let Some(start) = current.offset_of(block.as_ptr()) {
                return Some((current, start));
            }
            if current.top().offset() > 0 || current.prev.get().is_null() {
                return None;
            }
            // A thread that still puts a block into the chunk which is left does no harm: the stack
            // comes to it again (`mark` looks there, too).
            self.current.exchange(seen, current.prev.get());
        }
    }

    /// Bytes in use in the chunks before `chunk`.
    fn used_before(&self, chunk: *const FrameChunk<S>) -> usize {
        let before = self.chunks().take_while(|other| !ptr::eq(*other, chunk));
        before.map(|chunk| chunk.top().offset()).sum()
    }

    /// The error of a request for which no room was found.
    #[cold]
    pub(super) fn exhausted(&self, layout: Layout) -> Exhausted {
        self.note_refusal();
        // A bounded stack without a chunk has not been given its one.
        let is_full = self.is_bounded && !self.first.get().is_null();
        Exhausted::of_frame(layout, self.used(), self.capacity(), is_full)
    }
}
