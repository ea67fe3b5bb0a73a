//! From one live slot to the next, in the order of memory.

use core::hint::assert_unchecked;
use core::mem;
use core::ops::Range;
use core::ptr;

use crate::roster::Store;
use crate::roster::directory::Directory;

/// Slots in a word of the bitmap.
const WORD: usize = 64;

/// Bytes that most processors have in a core's own cache.
const NEAR_CACHE: usize = 1 << 20;

/// From how many words ahead an element is prefetched.
const AHEAD: usize = 2;

/// A walk over the live slots.
pub(super) struct Walk<'a, T> {
    cursor: Cursor<T>,
    directory: &'a Directory,
    store: &'a Store<T>,
}

/// The place of a walk.
///
/// It goes on by *parts*. A part is either a *run* of live slots without a gap in one piece of memory, which may be many
/// words of the bitmap long, or the live slots of a word that has gaps. So where all slots are live, a walk is a loop
/// over an array, and elsewhere an element costs a few instructions on registers.
///
/// It borrows nothing: slots that were passed may be vacated meanwhile. All others must stay as they are.
pub(super) struct Cursor<T> {
    /// What is left of the present part: a bit for each slot that is live and in a word with gaps,
    pub(super) bits: u64,
    /// or the offsets of a run's slots.
    run: (u32, u32),
    /// The slot with offset 0, which is that of the lowest bit,
    first: u32,
    /// and where it lies, or would lie if it were in this piece.
    base: *mut T,
    /// The occupied slots of a word ahead which have not been prefetched.
    unasked: u64,
    /// The first slot behind the part.
    next: usize,
    /// Where the walk ends.
    end: usize,
    /// How many elements are left, except in the run.
    left: usize,
    piece: Piece<T>,
    /// Whether some occupied slots are not live.
    has_exceptions: bool,
    /// Whether the elements exceed the nearest large cache.
    is_large: bool,
}

/// Slots that lie in one piece: those of a chunk.
struct Piece<T> {
    /// Where slot 0 would lie if it were in this piece.
    base: *mut T,
    /// Where the piece ends, or the walk does.
    end: usize,
    /// The next chunk, and its first slot.
    chunk: (usize, usize),
}

impl<T> Clone for Cursor<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Cursor<T> {}

impl<T> Clone for Piece<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Piece<T> {}

impl<T> Piece<T> {
    const NONE: Self = Self { base: ptr::null_mut(), end: 0, chunk: (0, 0) };

    /// The piece that has the slot `next`, from a walk that ends at `end`. The present one ends there, or before.
    #[inline(never)]
    fn with(next: usize, end: usize, chunk: (usize, usize), store: &Store<T>) -> Self {
        assert!(next < end);
        let (mut chunk, mut start) = chunk;
        while start <= next {
            start += store.slots_in(chunk);
            chunk += 1;
        }
        // SAFETY: the slot is before the end, which is at most the capacity.
        let base = unsafe { store.slot(next as u32) }.wrapping_sub(next);
        Self { base, end: end.min(start), chunk: (chunk, start) }
    }
}

impl<T> Cursor<T> {
    /// Whether every chunk begins with a word.
    const HAS_WHOLE_WORDS: bool = Store::<T>::GRANULE % WORD == 0;

    #[inline]
    pub(super) fn new(directory: &Directory, store: &Store<T>) -> Self {
        let left = directory.len();
        Self {
            bits: 0,
            run: (0, 0),
            first: 0,
            base: ptr::null_mut(),
            unasked: 0,
            next: 0,
            end: store.capacity(),
            left,
            piece: Piece::NONE,
            has_exceptions: directory.has_exceptions(),
            is_large: left.saturating_mul(size_of::<T>()) > NEAR_CACHE,
        }
    }

    /// Goes on to the next part that has live slots; `false` if there is none. Nothing is left of the present one.
    #[inline(always)]
    pub(super) fn advance(&mut self, directory: &Directory, store: &Store<T>) -> bool {
        while self.left > 0 {
            let from = self.next;
            if from >= self.piece.end {
                self.piece = Piece::with(from, self.end, self.piece.chunk, store);
            }
            let first = if Self::HAS_WHOLE_WORDS { from } else { from / WORD * WORD };
            let (bits, all) = self.word(from, directory);
            self.next = first + WORD;
            if bits == 0 {
                self.leave_piece();
                continue;
            }
            self.first = first as u32;
            self.base = self.piece.base.wrapping_add(first);
            if bits == all {
                while self.next < self.piece.end && self.word(self.next, directory).0 == u64::MAX {
                    self.next += WORD;
                }
                self.leave_piece();
                self.run = ((from - first) as u32, (self.next - first) as u32);
                self.left -= self.next - from;
                return true;
            }
            self.leave_piece();
            self.bits = bits;
            if self.prefetches() {
                let ahead = directory.occupied().get(first / WORD + AHEAD);
                self.unasked = ahead.copied().unwrap_or(0);
            }
            return true;
        }
        false
    }

    /// The present word does not go on in the next piece.
    #[inline(always)]
    fn leave_piece(&mut self) {
        if !Self::HAS_WHOLE_WORDS {
            self.next = self.next.min(self.piece.end);
        }
    }

    /// The live slots of a word from the slot `from` on, as far as they are in the present piece; and what that
    /// would be if all were live.
    #[inline(always)]
    fn word(&self, from: usize, directory: &Directory) -> (u64, u64) {
        let bits = live_in(from / WORD, directory, self.has_exceptions);
        if Self::HAS_WHOLE_WORDS {
            return (bits, u64::MAX);
        }
        let all = mask(from..self.piece.end);
        (bits & all, all)
    }

    /// Whether elements are prefetched, beside gaps: these mislead the processor's own prefetching.
    #[inline(always)]
    pub(super) fn prefetches(&self) -> bool {
        can_prefetch::<T>() && self.is_large
    }

    /// The live slot with this offset, and where it lies.
    #[inline(always)]
    pub(super) fn slot(&self, offset: u32) -> (u32, *mut T) {
        let at = self.base.wrapping_add(offset as usize);
        // SAFETY: a live slot has memory, and that is not at the null address. Without this, an `Option` of a
        // reference to the slot would cost a test.
        unsafe { assert_unchecked(!at.is_null()) };
        (self.first + offset, at)
    }

    /// Passes the run, if the part is one, and returns the offsets of its slots.
    #[inline(always)]
    pub(super) fn pass_run(&mut self) -> Range<u32> {
        let (from, end) = mem::take(&mut self.run);
        from..end
    }

    #[inline(always)]
    fn pass_one_of_run(&mut self) -> Option<(u32, *mut T)> {
        let (offset, end) = self.run;
        if offset == end {
            return None;
        }
        self.run.0 += 1;
        Some(self.slot(offset))
    }

    /// Passes the lowest slot that is left of a word; there is one.
    #[inline(always)]
    pub(super) fn pass_bit(&mut self) -> (u32, *mut T) {
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits.wrapping_sub(1);
        self.left -= 1;
        self.slot(bit)
    }

    /// Prefetches an element of the word ahead. If none is left, what lies behind it, which does no harm.
    #[inline(always)]
    pub(super) fn ask(&mut self) {
        let bit = self.unasked.trailing_zeros() as usize;
        prefetch(self.base.wrapping_add(AHEAD * WORD + bit));
        self.unasked &= self.unasked.wrapping_sub(1);
    }
}

impl<'a, T> Walk<'a, T> {
    #[inline]
    pub(super) fn new(directory: &'a Directory, store: &'a Store<T>) -> Self {
        Self { cursor: Cursor::new(directory, store), directory, store }
    }

    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<(u32, *mut T)> {
        let cursor = &mut self.cursor;
        if let Some(slot) = cursor.pass_one_of_run() {
            return Some(slot);
        }
        if cursor.bits == 0 {
            if !cursor.advance(self.directory, self.store) {
                return None;
            }
            if let Some(slot) = cursor.pass_one_of_run() {
                return Some(slot);
            }
        }
        if cursor.prefetches() {
            cursor.ask();
        }
        Some(cursor.pass_bit())
    }

    #[inline(always)]
    pub(super) fn fold<B>(mut self, init: B, mut f: impl FnMut(B, (u32, *mut T)) -> B) -> B {
        let mut folded = init;
        loop {
            if self.cursor.bits == 0 {
                for offset in self.cursor.pass_run() {
                    folded = f(folded, self.cursor.slot(offset));
                }
            }
            if self.cursor.prefetches() {
                while self.cursor.bits != 0 {
                    self.cursor.ask();
                    folded = f(folded, self.cursor.pass_bit());
                }
            }
            while self.cursor.bits != 0 {
                folded = f(folded, self.cursor.pass_bit());
            }
            if !self.cursor.advance(self.directory, self.store) {
                return folded;
            }
        }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        let (from, end) = self.cursor.run;
        self.cursor.left + (end - from) as usize
    }

    /// Splits off the second half of the slots; `None` if there is but a word, or a granule that is less. Nobody has
    /// begun to walk.
    #[cfg(feature = "rayon")]
    pub(super) fn split_off(&mut self) -> Option<Self> {
        let Cursor { next, end, left, .. } = self.cursor;
        let least = if Cursor::<T>::HAS_WHOLE_WORDS { WORD } else { Store::<T>::GRANULE };
        let middle = next + (end - next).div_ceil(least).div_ceil(2) * least;
        if middle >= end {
            return None;
        }
        let words = (next / WORD..).take_while(|word| word * WORD < middle);
        let ours = words.map(|word| {
            let live = live_in(word, self.directory, self.cursor.has_exceptions);
            (live & mask(next.max(word * WORD)..middle)).count_ones() as usize
        });
        let ours = ours.sum();
        (self.cursor.end, self.cursor.left) = (middle, ours);
        let cursor = Cursor { next: middle, end, left: left - ours, ..self.cursor };
        Some(Self { cursor, ..*self })
    }
}

impl<T> Clone for Walk<'_, T> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

/// A bit for each slot of the word that has the slot `slots.start`, which is 1 for those in `slots`.
#[inline(always)]
fn mask(slots: Range<usize>) -> u64 {
    let behind = slots.end - slots.start / WORD * WORD;
    let before_end = if behind < WORD { (1 << behind) - 1 } else { u64::MAX };
    before_end & (u64::MAX << (slots.start % WORD))
}

/// The first live slot from `from` on.
pub(super) fn first_live(from: usize, directory: &Directory) -> Option<u32> {
    let mut bits = u64::MAX << (from % WORD);
    for word in from / WORD..directory.occupied().len() {
        bits &= live_in(word, directory, directory.has_exceptions());
        if bits != 0 {
            return Some((word * WORD) as u32 + bits.trailing_zeros());
        }
        bits = u64::MAX;
    }
    None
}

/// The live slots of a word.
#[inline(always)]
fn live_in(word: usize, directory: &Directory, has_exceptions: bool) -> u64 {
    let occupied = directory.occupied()[word];
    if has_exceptions { occupied & live(&directory.words()[word * WORD..]) } else { occupied }
}

/// A bit for each of a word's slots, which is 1 if it is live.
#[cold]
#[inline(never)]
fn live(words: &[u32]) -> u64 {
    let words = words.iter().take(WORD).zip(0..);
    words.fold(0, |bits, (&word, at)| bits | (u64::from(word & 1) << at))
}

/// Whether elements can be prefetched, and so few share a cache line that it pays.
#[inline(always)]
const fn can_prefetch<T>() -> bool {
    cfg!(target_arch = "x86_64") && size_of::<T>() >= 32
}

/// Prefetches the memory of an element that will be used soon. The address may be anything.
#[inline(always)]
fn prefetch<T>(element: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch changes nothing, and does not fault.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(element.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = element;
}
