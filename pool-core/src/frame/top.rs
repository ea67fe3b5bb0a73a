//! Where a chunk's blocks end, and which of them have padding before them: one word, so that one
//! exchange changes both.
//!
//! A freed block takes its padding along; otherwise the block before it would not be the last. But the length of the
//! padding depends on where the block *before* ended, which is not stored. So it is noted in the padding itself,
//! which is unused. A block without padding has no room for a note; hence the word counts the blocks above the last
//! padded one. At a count of zero the last block has a note before it, and the note holds the count to go on with.
//!
//! The count saturates, in the word and, earlier, in a note of a single byte. Then it stays *unknown*, and blocks
//! are freed without their padding, whose memory waits for the next reset. With 64-bit words that takes 65,535
//! blocks, or 31 before one that is padded by less than 8 bytes.

use core::ptr;

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

/// Where the blocks of a chunk end, and how many lie above the last padded one.
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
            UNKNOWN => Self::new(start, UNKNOWN),
            // SAFETY: passed on from the caller; at zero, the last block has a note.
            0 => unsafe { Self::noted(block, start) },
            count => Self::new(start, count - 1),
        }
    }

    /// What stands in the note before `block`.
    ///
    /// # Safety
    ///
    /// There is one, and the caller owns the block.
    #[inline]
    unsafe fn noted(block: *const u8, start: usize) -> Self {
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

    /// The same blocks, except that the last ends at `offset`.
    #[inline(always)]
    pub(super) fn ending_at(self, offset: usize) -> Self {
        Self::new(offset, self.count())
    }
}
