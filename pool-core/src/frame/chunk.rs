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
    /// The name of the stack in lists of pools.
    #[doc(hidden)]
    const STACK: &'static str;
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
    const STACK: &'static str = "LocalFrameStack";
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
pub(super) const CHUNK_ALIGN: usize = 64;

/// The header that stands before a chunk's blocks, in the same heap block.
///
/// Each chunk is a stack of its own: allocating from it and freeing to it reads no other chunk's state. A thread
/// that comes late to a chunk which the others have left does no harm there.
pub(super) struct FrameChunk {
    top: AtomicUsize,
    /// Bytes in use in the chunks before this one, at the time when it became the current one.
    pub(super) below: AtomicUsize,
    pub(super) next: AtomicPtr<Self>,
    /// The beginning of the blocks.
    pub(super) start: *mut u8,
    /// Bytes of blocks that fit.
    pub(super) size: usize,
    /// The layout of the whole chunk, the header included.
    pub(super) layout: Layout,
}

impl FrameChunk {
    /// The layout of a chunk with room for `size` bytes of blocks, and where the blocks begin; `None` if no chunk
    /// can be that large.
    pub(super) fn layout(size: usize) -> Option<(Layout, usize)> {
        let blocks = Layout::from_size_align(size, CHUNK_ALIGN).ok()?;
        let (chunk, offset) = Layout::new::<Self>().extend(blocks).ok()?;
        (size <= MOST_BYTES).then(|| (pages::aligned(chunk), offset))
    }

    /// A chunk with room for `size` bytes of blocks, linked to nothing; `None` if the heap has no room.
    pub(super) fn allocate(size: usize) -> Option<NonNull<Self>> {
        let (layout, offset) = Self::layout(size)?;
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
    pub(super) unsafe fn release(chunk: NonNull<Self>) -> Self {
        // SAFETY: the chunk is the caller's.
        let header = unsafe { chunk.read() };
        sanitizer::unpoison(header.start, header.size);
        // SAFETY: `allocate` got the block with this layout, and it is given back once (caller).
        unsafe { dealloc(chunk.as_ptr().cast(), header.layout) };
        header
    }

    /// Returns the end of its blocks.
    #[inline(always)]
    pub(super) fn top(&self) -> Top {
        Top(self.top.load(Ordering::Relaxed))
    }

    /// The first byte after the blocks, and the padding before a block of this layout behind them; `None` if there is no room.
    #[inline(always)]
    pub(super) fn next_block(&self, top: Top, layout: Layout) -> Option<(*mut u8, usize)> {
        let end = self.start.wrapping_add(top.offset());
        let padding = end.addr().wrapping_neg() & (layout.align() - 1);
        // Less than `align` and a size that `Layout` keeps `align - 1` below `isize::MAX`: the
        // sum does not overflow.
        (padding + layout.size() <= self.size - top.offset()).then_some((end, padding))
    }

    /// Puts a block behind the others, if there is room.
    ///
    /// One exchange, so that `top` is never beyond the end of the chunk, whatever other threads do.
    #[inline(always)]
    pub(super) fn alloc_block<S: Sharing>(&self, layout: Layout) -> Option<NonNull<u8>> {
        let mut top = self.top();
        loop {
            let (end, padding) = self.next_block(top, layout)?;
            let after = top.push(padding, layout.size());
            // Acquire: the thread that freed these bytes has finished with them.
            if let Err(seen) = S::exchange(&self.top, top.0, after.0, Ordering::Acquire) {
                top = Top(seen);
                continue;
            }
            let block = end.wrapping_add(padding);
            sanitizer::unpoison(end, padding + layout.size());
            if padding > 0 {
                // SAFETY: the bytes from `end` to the block have just become this thread's.
                unsafe { top.note(block, padding) };
            }
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

    /// Takes the block back that begins `start` bytes into the chunk, if it is the last; then returns
    /// where the blocks ended before.
    ///
    /// # Safety
    ///
    /// The caller owns the block, which is `size` bytes long and not empty. If it is taken back, it is
    /// not used any more.
    #[inline(always)]
    pub(super) unsafe fn free_if_last<S: Sharing>(
        &self,
        start: usize,
        size: usize,
    ) -> Option<usize> {
        // Not the caller's pointer, which may not be valid for what stands before the block.
        let block = self.start.wrapping_add(start);
        let end = start + size;
        let mut top = self.top();
        loop {
            if top.offset() != end {
                return None;
            }
            // SAFETY: a block that ends where all end is the last, and it is the caller's.
            let before = unsafe { top.pop(block, start) };
            let (freed, bytes) = (self.start.wrapping_add(before.offset()), end - before.offset());
            // Before the exchange: after it they may be another thread's.
            sanitizer::poison(freed, bytes);
            // Release: what was done to these bytes comes before what their next owner does.
            match S::exchange(&self.top, top.0, before.0, Ordering::Release) {
                Ok(_) => return Some(end),
                Err(seen) => top = Top(seen),
            }
            sanitizer::reveal(freed, bytes);
        }
    }

    /// Makes the block at `start` end at `new` bytes instead of `old`, if it is the last and that fits;
    /// then returns where the blocks ended before.
    ///
    /// # Safety
    ///
    /// The caller owns the block, which is `old` bytes long and not empty. Neither is `new` zero. If the
    /// block is cut short, the bytes that are cut off are not used any more.
    pub(super) unsafe fn resize<S: Sharing>(
        &self,
        start: usize,
        old: usize,
        new: usize,
    ) -> Option<usize> {
        let end = start + old;
        if new > self.size - start {
            return None;
        }
        let (kept, cut) = (self.start.wrapping_add(start + new), old.saturating_sub(new));
        let mut top = self.top();
        loop {
            if top.offset() != end {
                return None;
            }
            sanitizer::poison(kept, cut);
            let after = Top::new(start + new, top.count());
            // As in `alloc_block` where the block grows, and as in `free_if_last` where it shrinks.
            match S::exchange(&self.top, top.0, after.0, Ordering::AcqRel) {
                Ok(_) => break,
                Err(seen) => top = Top(seen),
            }
            sanitizer::reveal(kept, cut);
        }
        sanitizer::unpoison(self.start.wrapping_add(end), new.saturating_sub(old));
        Some(end)
    }

    /// Frees all blocks above `top`.
    ///
    /// # Safety
    ///
    /// `top` was this chunk's, and everything below it is as it was then. What lies above it is not used any more,
    /// and nothing uses the chunk during the call.
    pub(super) unsafe fn cut(&self, top: Top) {
        let (kept, end) = (top.offset(), self.top().offset());
        // With the rest of the last granule, which no other block has.
        let end = end.next_multiple_of(8).min(self.size);
        sanitizer::poison(self.start.wrapping_add(kept), end.saturating_sub(kept));
        self.top.store(top.0, Ordering::Relaxed);
    }
}

/// The bits of the count.
const COUNT_BITS: u32 = if usize::BITS >= 64 { 16 } else { 3 };

/// The count when it is unknown.
const UNKNOWN: usize = (1 << COUNT_BITS) - 1;

/// The most bytes that a chunk can have: 256 TiB, and 512 MiB with 32-bit words.
pub(super) const MOST_BYTES: usize = usize::MAX >> COUNT_BITS;

/// A note of one byte: the padding in the lower bits, never zero, and the count in the upper five.
const PADDING_BITS: u32 = 3;
/// [`UNKNOWN`] in such a note.
const UNKNOWN_IN_BYTE: usize = (u8::MAX >> PADDING_BITS) as usize;
/// From this padding on there is room for a note of eight bytes: the padding in four of them, the count in three,
/// and a zero in place of the one-byte note.
const LONG: usize = size_of::<u64>();

/// The end of a chunk's blocks, and whether padding is before them: one word, so that one
/// exchange changes both.
///
/// A freed block takes its padding along; otherwise the block before it would not be the last. But the length of the
/// padding depends on where the block *before* ended, which is not stored. So it is noted in the padding itself,
/// which is unused. A block without padding has no room for a note; hence the word counts the blocks above the last
/// padded one. At a count of zero the last block has a note before it, and the note holds the count to go on with.
///
/// The count saturates, in the word and, earlier, in a note of a single byte. Then it stays *unknown*, and blocks
/// are freed without their padding, whose memory waits for the next reset. With 64-bit words that takes 65,535
/// blocks, or 31 before one that is padded by less than 8 bytes.
#[derive(Clone, Copy)]
pub(super) struct Top(pub(super) usize);

impl Top {
    /// The top of a chunk without blocks.
    pub(super) const BOTTOM: Self = Self(0);

    #[inline(always)]
    fn new(offset: usize, count: usize) -> Self {
        Self(offset << COUNT_BITS | count)
    }

    /// Bytes from the start of the chunk.
    #[inline(always)]
    pub(super) fn offset(self) -> usize {
        self.0 >> COUNT_BITS
    }

    #[inline(always)]
    fn count(self) -> usize {
        self.0 & UNKNOWN
    }

    /// The top with one more block, of `size` bytes after `padding`.
    #[inline(always)]
    pub(super) fn push(self, padding: usize, size: usize) -> Self {
        let count = self.count();
        let count = if padding == 0 {
            count + usize::from(count != UNKNOWN)
        } else if padding as u64 <= u64::from(u32::MAX) {
            0
        } else {
            UNKNOWN
        };
        Self::new(self.offset() + padding + size, count)
    }

    /// Writes into the padding what [`Top::pop`] will read. `self` is the top before the block.
    ///
    /// # Safety
    ///
    /// The caller owns the `padding` bytes before `block`, and at least one.
    #[inline(always)]
    pub(super) unsafe fn note(self, block: *mut u8, padding: usize) {
        let count = self.count();
        if padding < LONG {
            let note = padding | count.min(UNKNOWN_IN_BYTE) << PADDING_BITS;
            // SAFETY: one byte before the block is the caller's.
            unsafe { block.wrapping_sub(1).write(note as u8) };
        } else {
            let note = (padding as u64 & u64::from(u32::MAX)) | (count as u64) << 32;
            let start: *mut [u8; LONG] = block.wrapping_sub(LONG).cast();
            // SAFETY: eight bytes before the block are the caller's, and bytes are always aligned.
            unsafe { start.write(note.to_le_bytes()) };
        }
    }

    /// The top without its last block, which begins at `start` bytes into the chunk.
    ///
    /// # Safety
    ///
    /// `block` is the last block below this top, and the caller owns it. (So it owns its padding, too.)
    #[inline(always)]
    pub(super) unsafe fn pop(self, block: *const u8, start: usize) -> Self {
        match self.count() {
            UNKNOWN => return Self::new(start, UNKNOWN),
            // The last block has a note.
            0 => {}
            count => return Self::new(start, count - 1),
        }
        // SAFETY: a note ends right before its block, and has a byte at least.
        let last = usize::from(unsafe { block.wrapping_sub(1).read() });
        let padding = last & (LONG - 1);
        if padding > 0 {
            let count = match last >> PADDING_BITS {
                UNKNOWN_IN_BYTE => UNKNOWN,
                count => count.min(UNKNOWN),
            };
            return Self::new(start - padding, count);
        }
        let note: *const [u8; LONG] = block.wrapping_sub(LONG).cast();
        // SAFETY: a note whose last byte has no padding in it is one of eight.
        let note = u64::from_le_bytes(unsafe { ptr::read(note) });
        Self::new(start - (note as u32) as usize, (note >> 32) as usize)
    }
}
