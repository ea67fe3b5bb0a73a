//! A chunk of a frame stack: blocks one behind the other, freed from the last backwards.

use alloc::alloc::{alloc, dealloc};
use core::alloc::Layout;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering;

use crate::base::atomic::{AtomicPtr, AtomicUsize};
use crate::base::sealed::Sealed;
use crate::base::watch::sanitizer;
use crate::memory::pages;

/// How many threads may use a frame stack at a time: implemented by [`Shared`](super::Shared) and [`Local`] only.
pub trait Sharing: Sealed + 'static {
    /// How a pointer to a chunk is read and written: what its writer released is acquired.
    #[doc(hidden)]
    const LINK: (Ordering, Ordering);
    /// Replaces `seen` by `new`, in this order. If the number is another, or for no reason at all, returns it instead.
    #[doc(hidden)]
    fn exchange(of: &AtomicUsize, seen: usize, new: usize, order: Ordering)
    -> Result<usize, usize>;
    /// Publishes `new`, and what it points to, unless there is another than `seen` by now.
    #[doc(hidden)]
    fn publish<T>(link: &AtomicPtr<T>, seen: *mut T, new: *mut T) -> bool;
}

/// The kind of [`Frames`](super::Frames) that one thread uses: [`LocalFrameStack`](super::LocalFrameStack).
#[derive(Debug)]
pub struct Local;

impl Sealed for Local {}

impl Sharing for Local {
    const LINK: (Ordering, Ordering) = (Ordering::Relaxed, Ordering::Relaxed);

    /// Nothing could have changed it.
    #[inline(always)]
    fn exchange(of: &AtomicUsize, seen: usize, new: usize, _: Ordering) -> Result<usize, usize> {
        of.store(new, Ordering::Relaxed);
        Ok(seen)
    }

    /// The heap may itself use this stack, and have changed it during the call.
    fn publish<T>(link: &AtomicPtr<T>, seen: *mut T, new: *mut T) -> bool {
        let is_seen = link.load(Ordering::Relaxed) == seen;
        if is_seen {
            link.store(new, Ordering::Relaxed);
        }
        is_seen
    }
}

/// Chunks begin on a cache line, so that the header and the blocks never share one.
const CHUNK_ALIGN: usize = 64;

/// The header that stands before a chunk's blocks, in the same heap block.
///
/// Each chunk is a stack of its own: allocating from it and freeing to it reads no other chunk's state. A thread
/// that comes late to a chunk which the others have left does no harm there.
pub(super) struct FrameChunk {
    /// The end of the blocks, from their beginning.
    top: AtomicUsize,
    /// Bytes in use in the chunks before this one, at the time when it became the current one.
    pub(super) below: AtomicUsize,
    pub(super) next: AtomicPtr<Self>,
    /// The beginning of the blocks.
    pub(super) start: *mut u8,
    /// Bytes of blocks that fit: a multiple of [`GRAIN`].
    pub(super) size: usize,
    /// The layout of the whole chunk, the header included.
    pub(super) layout: Layout,
}

impl FrameChunk {
    /// A chunk with room for `size` bytes of blocks, or for what of them is a multiple of [`GRAIN`], linked to nothing; `None` if
    /// the heap has no room, or no chunk can be that large.
    #[inline]
    pub(super) fn allocate(size: usize) -> Option<NonNull<Self>> {
        let size = size & !(GRAIN - 1);
        let blocks = Layout::from_size_align(size, CHUNK_ALIGN).ok()?;
        let (chunk, offset) = Layout::new::<Self>().extend(blocks).ok()?;
        let layout = pages::aligned(chunk);
        // SAFETY: the layout holds a header, and so is not zero in size.
        let block = NonNull::new(unsafe { alloc(layout) })?;
        pages::advise(block.as_ptr(), layout);
        let start = block.as_ptr().wrapping_add(offset);
        let chunk = block.cast();
        let [top, below] = [0; 2].map(AtomicUsize::new);
        let next = AtomicPtr::new(ptr::null_mut());
        // SAFETY: the block begins with room for a header and is aligned for one.
        unsafe { chunk.write(Self { top, below, next, start, size, layout }) };
        sanitizer::poison(start, size);
        Some(chunk)
    }

    /// Gives the chunk back to the heap; returns its header.
    ///
    /// # Safety
    ///
    /// The chunk is in no stack, and none of its blocks is used any more.
    #[inline]
    pub(super) unsafe fn release(chunk: NonNull<Self>) -> Self {
        // SAFETY: the chunk is the caller's.
        let header = unsafe { chunk.read() };
        sanitizer::unpoison(header.start, header.size);
        // SAFETY: `allocate` got the block with this layout, and it is given back once (caller).
        unsafe { dealloc(chunk.as_ptr().cast(), header.layout) };
        header
    }

    /// The end of its blocks, from their beginning.
    #[inline(always)]
    pub(super) fn top(&self) -> usize {
        self.top.load(Ordering::Relaxed)
    }

    /// The beginning and the end of a block of this layout behind the others, which end at `top`; `None` if there is no room.
    #[inline(always)]
    pub(super) fn place(&self, top: usize, layout: Layout) -> Option<(usize, usize)> {
        let mut begin = top;
        // No sum overflows: a block with its alignment is no larger than `isize::MAX`, and a chunk smaller by its header.
        if has_note(layout) {
            begin += GRAIN;
            let address = self.start.addr().wrapping_add(begin);
            begin += address.wrapping_neg() & (layout.align() - 1);
        }
        let end = begin + rounded(layout.size());
        (end <= self.size).then_some((begin, end))
    }

    /// Puts a block behind the others, if there is room.
    ///
    /// One exchange, so that `top` is never beyond the end of the chunk, whatever other threads do.
    #[inline(always)]
    pub(super) fn alloc_block<S: Sharing>(&self, layout: Layout) -> Option<NonNull<u8>> {
        let mut top = self.top();
        loop {
            let (begin, end) = self.place(top, layout)?;
            // Acquire: the thread that freed these bytes has finished with them.
            if let Err(seen) = S::exchange(&self.top, top, end, Ordering::Acquire) {
                top = seen;
                continue;
            }
            let block = self.start.wrapping_add(begin);
            if has_note(layout) {
                let note = note_of(block);
                sanitizer::unpoison(note.cast(), size_of::<usize>());
                // SAFETY: the bytes from `top` to the block have just become this thread's, and are a word or more; the block is
                // aligned to more than a word, and so is what is a word before it to a word.
                unsafe { note.write(top) };
            }
            sanitizer::unpoison(block, layout.size());
            // SAFETY: inside the chunk, and so not null.
            return Some(unsafe { NonNull::new_unchecked(block) });
        }
    }

    /// How far into the chunk a block begins; `None` if it is not in this chunk.
    #[inline(always)]
    pub(super) fn offset_of(&self, block: *const u8) -> Option<usize> {
        let offset = block.addr().wrapping_sub(self.start.addr());
        (offset < self.size).then_some(offset)
    }

    /// Resizes the block at `start` to `new` bytes where it stands, if it is the last and that fits; takes it back if `new` is zero.
    /// Returns where the blocks ended before.
    ///
    /// # Safety
    ///
    /// The caller owns the block, which has this layout and is not empty. What is cut off, if this returns `Some`, is not used any more.
    #[inline(always)]
    pub(super) unsafe fn resize<S: Sharing>(
        &self,
        start: usize,
        old: Layout,
        new: usize,
    ) -> Option<usize> {
        let end = start + rounded(old.size());
        if new > self.size - start {
            return None;
        }
        // Not the caller's pointer, which may not be valid for what stands before the block.
        let block = self.start.wrapping_add(start);
        let after = match new {
            // SAFETY: the caller owns the block, and so its note, which `alloc_block` has written.
            0 if has_note(old) => unsafe { note_of(block).read() },
            _ => start + rounded(new),
        };
        let (kept, cut) = (self.start.wrapping_add(after), end.saturating_sub(after));
        let mut top = self.top();
        loop {
            if top != end {
                return None;
            }
            // Before the exchange: after it they may be another thread's.
            sanitizer::poison(kept, cut);
            // As in `alloc_block` where the block grows. Release where it shrinks: what was done to these bytes comes before what
            // their next owner does.
            match S::exchange(&self.top, top, after, Ordering::AcqRel) {
                Ok(_) => break,
                Err(seen) => top = seen,
            }
            sanitizer::reveal(kept, cut);
        }
        sanitizer::unpoison(block.wrapping_add(old.size()), new.saturating_sub(old.size()));
        Some(end)
    }

    /// Frees all blocks above `top`.
    ///
    /// # Safety
    ///
    /// `top` was this chunk's, and everything below it is as it was then. What lies above it is not used any more,
    /// and nothing uses the chunk during the call.
    #[inline]
    pub(super) unsafe fn cut(&self, top: usize) {
        sanitizer::poison(self.start.wrapping_add(top), self.top().saturating_sub(top));
        self.top.store(top, Ordering::Relaxed);
    }
}

/// The unit of blocks, in bytes: they begin and end at multiples of it, so that one aligned to no more needs no padding.
pub(super) const GRAIN: usize = 8;

/// The bytes of a block of this size.
#[inline(always)]
pub(super) const fn rounded(size: usize) -> usize {
    (size + (GRAIN - 1)) & !(GRAIN - 1)
}

/// Whether a block has a note in the word before it: where the blocks ended when it was made. There is padding before it, and
/// with the block that is to go back as well; otherwise the block before it would not be the last.
#[inline(always)]
pub(super) fn has_note(block: Layout) -> bool {
    block.align() > GRAIN
}

#[inline(always)]
fn note_of(block: *mut u8) -> *mut usize {
    block.cast::<usize>().wrapping_sub(1)
}
