//! Blocks without a type: where the chunks are chosen.

use core::alloc::Layout;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering;

use crate::base::exhausted::{Exhausted, Missing};
use crate::base::watch::IS_CHECKED;
use crate::frame::chunk::{FrameChunk, has_note, rounded};
use crate::frame::{FIRST_CHUNK_BYTES, Frames, Sharing, address};
use crate::memory::heap;

/// Bytes of a chunk that is not the first: at least a few times its header.
const LEAST_GROWTH: usize = 1024;

impl<S: Sharing> Frames<S> {
    /// Allocates a block of this layout. O(1), except when the stack changes to another chunk.
    ///
    /// The block is valid until the stack is reset, rewound to an earlier mark, or dropped. A reset or a drop needs the borrow of
    /// the stack to have ended; a rewind says so in its safety section. The slice has the requested length, and is not initialised.
    /// A layout of size zero gives a dangling, aligned pointer.
    ///
    /// A stack that is a program's heap (by a `GlobalAlloc`) is to be out of everybody else's reach: it would take boxes of other stacks,
    /// which lie in its blocks, for its own ([`Frames::free`]).
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
            None => Err(self.exhausted(layout, 1)),
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
        // SAFETY: the caller gives up a block of this stack with this layout.
        unsafe { self.free_if_last(block, layout) }
    }

    /// Panics if no block of `bytes` bytes can be in use there. O(chunks).
    #[track_caller]
    fn check(&self, block: *const u8, bytes: usize) {
        let found = self.chunks().find_map(|chunk| Some((chunk, chunk.offset_of(block)?)));
        let Some((chunk, start)) = found else {
            panic!(
                "invalid free: {block:p} is in no chunk of the frame stack; expected a block that it handed out"
            );
        };
        assert!(
            start + bytes <= chunk.top(),
            "double free: the {bytes} bytes at {block:p} of the frame stack are not in use; expected a block \
             that is"
        );
    }

    /// [`Frames::free_last`], of a block that need not be from this stack.
    ///
    /// # Safety
    ///
    /// As for [`Frames::free_last`], if the block is in one of this stack's chunks.
    #[inline]
    pub(super) unsafe fn free_if_last(&self, block: NonNull<u8>, layout: Layout) -> bool {
        // SAFETY: the caller gives up a block of this layout.
        layout.size() == 0 || unsafe { self.resize_last(block, layout, 0) }.is_some()
    }

    /// Makes a block `new` bytes long where it stands, if it is the last one and that fits; takes it back if that is zero. Returns the
    /// stack's own pointer to it: its owner's may reach no further than what it has there. How much was in use before is remembered.
    ///
    /// # Safety
    ///
    /// As for [`Frames::free_if_last`], with `old` for its layout. What is cut off is not used any more, if this returns `Some`.
    #[inline(always)]
    pub(super) unsafe fn resize_last(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: usize,
    ) -> Option<NonNull<u8>> {
        // A block without a size lies nowhere.
        if old.size() == 0 {
            return None;
        }
        let current = self.current()?;
        let (chunk, start) = match current.offset_of(block.as_ptr()) {
            Some(start) => (current, start),
            None => self.find_earlier(block)?,
        };
        // SAFETY: the block is the caller's, in this chunk, and what is cut off is not used any more (caller).
        let end = unsafe { chunk.resize::<S>(start, old, new) }?;
        self.note_peak(chunk.below.load(Ordering::Relaxed) + end);
        NonNull::new(chunk.start.wrapping_add(start))
    }

    #[inline(always)]
    pub(super) fn alloc_block(&self, layout: Layout) -> Option<NonNull<u8>> {
        if layout.size() == 0 {
            return NonNull::new(ptr::without_provenance_mut(layout.align()));
        }
        if let Some(current) = self.current() {
            if let Some(block) = current.alloc_block::<S>(layout) {
                return Some(block);
            }
        }
        self.alloc_elsewhere(layout)
    }

    /// The current chunk has no room, or there is none.
    #[cold]
    #[inline(never)]
    fn alloc_elsewhere(&self, layout: Layout) -> Option<NonNull<u8>> {
        let mut seen = self.current();
        loop {
            if let Some(block) = seen.and_then(|chunk| chunk.alloc_block::<S>(layout)) {
                return Some(block);
            }
            // The stack leaves the current chunk only when one with room is found: a failed request must not cost
            // the others their room. If another thread was faster, what it chose is tried first.
            let found = self.find_room(seen, layout)?;
            S::publish(&self.current, address(seen), address(Some(found)));
            seen = self.current();
        }
    }

    /// The first chunk behind `last` (null: the first of all) that has room, which is made if need be.
    fn find_room(&self, last: Option<&FrameChunk>, layout: Layout) -> Option<&FrameChunk> {
        loop {
            let (mut end, mut below, mut is_first) = (&self.first, 0, true);
            let mut is_behind = last.is_none();
            for chunk in self.chunks() {
                if is_behind && chunk.place(chunk.top(), layout).is_some() {
                    chunk.below.store(below, Ordering::Relaxed);
                    return Some(chunk);
                }
                is_behind |= last.is_some_and(|last| ptr::eq(last, chunk));
                below += chunk.top();
                (end, is_first) = (&chunk.next, false);
            }
            let grown = self.grow(is_first, layout)?;
            if !S::publish(end, ptr::null_mut(), grown.as_ptr()) {
                // Another thread, or the heap as a user of this stack, has linked one.
                // SAFETY: only this function has seen the chunk.
                unsafe { FrameChunk::release(grown) };
            }
        }
    }

    /// A chunk that holds a block of this layout, to be linked behind the others.
    ///
    /// The first has what was asked for, or is not made. Others are as large as all before them together;
    /// smaller if the heap refuses that.
    fn grow(&self, is_first: bool, layout: Layout) -> Option<NonNull<FrameChunk>> {
        if self.is_bounded {
            return if is_first { FrameChunk::allocate(self.initial) } else { None };
        }
        // Wherever the chunk begins, and with the note.
        let before = if has_note(layout) { layout.align() } else { 0 };
        let needed = rounded(layout.size()).checked_add(before)?;
        let (wanted, least) = if is_first {
            (0, self.initial.max(needed))
        } else {
            (self.capacity().max(LEAST_GROWTH), needed)
        };
        heap::grow(wanted, least, usize::MAX, FrameChunk::allocate)
    }

    /// The block is not in the current chunk: as long as that is empty, goes back to the one before.
    #[cold]
    #[inline(never)]
    fn find_earlier(&self, block: NonNull<u8>) -> Option<(&FrameChunk, usize)> {
        // Otherwise a pointer from elsewhere would make the stack go back for nothing.
        self.chunks().find(|chunk| chunk.offset_of(block.as_ptr()).is_some())?;
        loop {
            let current = self.current()?;
            if let Some(start) = current.offset_of(block.as_ptr()) {
                return Some((current, start));
            }
            // A thread that still puts a block into the chunk which is left does no harm: the stack
            // comes to it again (`mark` looks there, too).
            let before = self.chunks().take_while(|chunk| !ptr::eq(*chunk, current)).last();
            let (0, Some(_)) = (current.top(), before) else { return None };
            S::publish(&self.current, address(Some(current)), address(before));
        }
    }

    /// The error of a request for `len` elements of this layout, for which no room was found.
    #[cold]
    pub(super) fn exhausted(&self, element: Layout, len: usize) -> Exhausted {
        let is_first = self.chunks().next().is_none();
        let missing = match self.is_bounded {
            // A bounded stack without a chunk has not been given its one.
            true if is_first => Missing::First(Some("bounded")),
            true => Missing::Limit,
            false if is_first && element.size().saturating_mul(len) < self.initial => {
                Missing::First((self.initial != FIRST_CHUNK_BYTES).then_some("with_capacity"))
            }
            false => Missing::Chunk,
        };
        Exhausted::of_frame((element, len), self.used(), self.capacity(), missing)
    }
}

/// Frame stacks as allocators of `allocator-api2`, for containers.
#[cfg(feature = "allocator-api2-02")]
mod allocator {
    use core::alloc::Layout;
    use core::ptr::NonNull;

    use crate::base::allocator::allocator;
    use crate::frame::{FrameScope, Frames, Sharing};

    allocator! {
        /// For containers that take an allocator: `allocator_api2::vec::Vec`, hashbrown's maps.
        ///
        /// A block that a container gives back is free again if it is the last one; otherwise it stays until the reset.
        /// So a vector that grows while nothing else is allocated grows where it stands, without a copy, and
        /// leaves nothing behind when it is dropped. One that grows while others allocate above it leaves each of
        /// its earlier blocks behind: for a doubling vector, as many bytes again as it ends with. Make such
        /// containers with the capacity that they will need.
        ///
        /// # Examples
        ///
        /// ```
        /// use allocator_api2::vec::Vec;
        /// use typed_pool::FrameStack;
        ///
        /// let frame = FrameStack::with_capacity(64 * 1024);
        /// let mut squares = Vec::new_in(&frame);
        /// squares.extend((0..1000_u64).map(|n| n * n));
        /// // It has only ever grown, so it lies where it began.
        /// assert_eq!(frame.used(), squares.capacity() * 8);
        /// drop(squares);
        /// assert_eq!(frame.used(), 0);
        /// ```
        [S: Sharing] &Frames<S>: allocate deallocate resize
    }

    // A block stays valid and in its place until it is given back, or the stack is reset or dropped, which it cannot be while a
    // reference to it lives. A copy of the reference is the same stack.

    #[inline]
    #[track_caller]
    fn allocate<S: Sharing>(stack: &Frames<S>, layout: Layout) -> Option<NonNull<[u8]>> {
        let block = stack.alloc_block(layout)?;
        Some(NonNull::slice_from_raw_parts(block, layout.size()))
    }

    /// # Safety
    ///
    /// As for `Allocator::deallocate`.
    #[inline]
    unsafe fn deallocate<S: Sharing>(stack: &Frames<S>, block: NonNull<u8>, layout: Layout) {
        // SAFETY: the caller gives up a block of this stack with this layout.
        unsafe { stack.free_last(block, layout) };
    }

    /// # Safety
    ///
    /// As for `Allocator::grow`, or as for `Allocator::shrink`.
    unsafe fn resize<S: Sharing>(
        stack: &Frames<S>,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Option<NonNull<[u8]>> {
        // What stands before a block depends on its alignment.
        if new.size() == 0 || new.align() != old.align() {
            return None;
        }
        // SAFETY: the caller has a block of this stack with the layout `old`.
        let resized = unsafe { stack.resize_last(block, old, new.size()) };
        let own = match resized {
            // A block that is not the last keeps its bytes, though its owner knows of fewer.
            None if new.size() <= old.size() => stack.chunks().find_map(|chunk| {
                let start = chunk.offset_of(block.as_ptr())?;
                NonNull::new(chunk.start.wrapping_add(start))
            }),
            resized => resized,
        };
        Some(NonNull::slice_from_raw_parts(own?, new.size()))
    }

    // A block lives until the scope ends, or a scope around it, and neither can end while a reference to this scope lives; nor
    // can a scope within it begin.
    allocator! {
        /// As the allocator `&`[`Frames`], for containers that end before the scope does.
        ///
        /// # Examples
        ///
        /// ```
        /// use allocator_api2::vec::Vec;
        /// use typed_pool::FrameStack;
        ///
        /// let mut frame = FrameStack::new();
        /// let sum = frame.scope(|scope| {
        ///     let mut numbers = Vec::new_in(&*scope);
        ///     numbers.extend(1..=100);
        ///     numbers.iter().sum::<u32>()
        /// });
        /// assert_eq!((sum, frame.used()), (5050, 0));
        /// ```
        [S: Sharing] &FrameScope<'_, S>, by stack: allocate deallocate resize
    }
}
