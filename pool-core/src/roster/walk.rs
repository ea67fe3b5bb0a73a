//! Walks over the live slots, forwards and back. Within a chunk, the order of slots is that of addresses.

use core::hint::assert_unchecked;
use core::mem;
use core::ops::Range;
use core::ptr;

use crate::base::copied;
use crate::roster::Store;
use crate::roster::directory::Directory;

/// Slots in a word of the bitmap.
pub(super) const WORD: usize = 64;

/// Bytes that most processors have in a core's own cache.
const NEAR_CACHE: usize = 1 << 20;

/// From how many words ahead an element is prefetched.
const AHEAD: usize = 2;

/// A walk over the live slots, from both ends.
pub(super) struct Walk<'a, T> {
    cursor: Cursor<T>,
    /// The rest of the word that the last slots come from. Its elements are not counted as left in the cursor.
    /// (Without a walk back, the compiler leaves this out.)
    back: Part<T>,
    directory: &'a Directory,
    store: &'a Store<T>,
}

/// The place of a walk.
///
/// It goes on by *parts*. A part is either a *run* of live slots without a gap in one piece of memory, which may be
/// many words of the bitmap long and ends before the first vacant slot, or the live slots of a word that has gaps. So where all slots are live, a walk is a
/// loop over an array, and elsewhere an element costs a few instructions on registers.
///
/// It borrows nothing: slots that were passed may be vacated during the walk. All others must stay as they are.
pub(super) struct Cursor<T> {
    /// The rest of the present part.
    part: Part<T>,
    /// The occupied slots of a word ahead which have not been prefetched.
    unasked: u64,
    /// Whether the elements exceed the nearest large cache.
    is_large: bool,
    rest: Rest<T>,
}

/// The rest of a part. One of the first two is 0.
struct Part<T> {
    /// A bit for each live slot of a word.
    bits: u64,
    /// The offset of a run's first slot, which is negative: offset 0 is its end. (With a second number for the end,
    /// a loop over a word's bits would move both from register to register.)
    run: isize,
    /// The slot with offset 0: that of the lowest bit, or the one behind the run.
    zero: u32,
    /// The address of that slot, or the one that it would have in this piece. (`*const`, so that iterators are covariant.)
    base: *const T,
}

/// The parts behind the present one.
///
/// The fields used for each word stand between those used for each piece: two neighbours that are only handed on would be read as
/// one, which waits if they were just written as two.
struct Rest<T> {
    /// The end of the present piece.
    piece_end: usize,
    /// The first slot of the rest.
    next: usize,
    /// The chunk behind the present piece.
    chunk: usize,
    /// The end of the words that lie in the present piece as a whole, and whose occupied slots are all live. `next`
    /// is before it only if a word begins there.
    plain_end: usize,
    /// The end of the walk.
    end: usize,
    /// How many elements are left, those of a word included.
    left: usize,
    /// The address that slot 0 would have if it were in the present piece.
    base: *const T,
}

copied!([T] Cursor[T]);
copied!([T] Part[T]);
copied!([T] Rest[T]);

impl<T> Rest<T> {
    /// Takes out the next part. Something is left.
    ///
    /// By value, so that the caller can keep a cursor in registers.
    #[inline(never)]
    fn pop_part(self, directory: &Directory, store: &Store<T>) -> (Self, Part<T>) {
        // Field by field, so that what is returned is not read where it was just written.
        let mut rest = Self { ..self };
        let mut part = Part::EMPTY;
        loop {
            let from = rest.next;
            if from >= rest.piece_end {
                rest.enter_piece(directory, store);
            }
            let first = from / WORD * WORD;
            let slots = from..rest.piece_end.min(first + WORD);
            let live = live_in(&slots, directory);
            rest.next = slots.end;
            if live == 0 {
                continue;
            }
            let mut run = live >> (from - first);
            if run & run.wrapping_add(1) == 0 {
                // It goes on where a word without a gap ends in the middle of a piece.
                let mut end = from + run.trailing_ones() as usize;
                while end == rest.next && end < rest.piece_end {
                    let slots = end..rest.piece_end.min(end + WORD);
                    run = live_in(&slots, directory);
                    if run & run.wrapping_add(1) != 0 {
                        break;
                    }
                    end += run.trailing_ones() as usize;
                    rest.next = slots.end;
                }
                rest.left -= end - from;
                part.run = -((end - from) as isize);
                part.zero = end as u32;
            } else {
                part.bits = live;
                part.zero = first as u32;
            }
            break;
        }
        part.base = rest.base.wrapping_add(part.zero as usize);
        (rest, part)
    }

    /// Takes out the last word that has a live slot; empty if nothing is left.
    #[inline(never)]
    fn pop_last_part(&mut self, directory: &Directory, store: &Store<T>) -> Part<T> {
        // They lie in one piece.
        let least = Store::<T>::GRANULE.min(WORD);
        while self.next < self.end {
            let first = ((self.end - 1) / least * least).max(self.next);
            let live = live_in(&(first..self.end), directory);
            self.end = first;
            self.piece_end = self.piece_end.min(first);
            self.plain_end = self.plain_end.min(first / WORD * WORD);
            if live != 0 {
                self.left -= live.count_ones() as usize;
                let zero = first / WORD * WORD;
                // SAFETY: the slot is below the capacity.
                let at = unsafe { store.slot(first as u32) }.cast_const();
                let base = at.wrapping_sub(first - zero);
                return Part { bits: live, run: 0, zero: zero as u32, base };
            }
        }
        Part::EMPTY
    }

    /// Enters the piece that has the next slot.
    fn enter_piece(&mut self, directory: &Directory, store: &Store<T>) {
        assert!(self.next < self.end);
        // The last piece ended where its chunk did, since slots are left.
        let mut end = self.piece_end;
        while end <= self.next {
            end += store.slots_in(self.chunk);
            self.chunk += 1;
        }
        // SAFETY: the slot is before the end, which is at most the capacity.
        let at = unsafe { store.slot(self.next as u32) };
        self.base = at.cast_const().wrapping_sub(self.next);
        self.piece_end = self.end.min(end);
        self.plain_end = if directory.has_exceptions() { 0 } else { self.piece_end / WORD * WORD };
    }
}

impl<T> Cursor<T> {
    #[inline]
    pub(super) fn new(directory: &Directory) -> Self {
        let left = directory.len();
        Self {
            part: Part::EMPTY,
            unasked: 0,
            is_large: left.saturating_mul(size_of::<T>()) > NEAR_CACHE,
            rest: Rest {
                next: directory.occupancy.start(),
                plain_end: 0,
                left,
                base: ptr::null(),
                piece_end: 0,
                chunk: 0,
                end: directory.occupancy.slots(),
            },
        }
    }

    /// Goes on to the next part; `false` if there is none. Nothing is left of the present one.
    #[inline(always)]
    pub(super) fn advance(&mut self, directory: &Directory, store: &Store<T>) -> bool {
        while self.rest.next < self.rest.plain_end {
            let first = self.rest.next;
            let bits = directory.occupancy.words()[first / WORD];
            if bits & bits.wrapping_add(1) != 0 {
                self.rest.next = first + WORD;
                self.part.bits = bits;
                self.part.zero = first as u32;
                self.part.base = self.rest.base.wrapping_add(first);
                if self.prefetches() {
                    let ahead = directory.occupancy.words().get(first / WORD + AHEAD);
                    self.unasked = ahead.copied().unwrap_or(0);
                }
                return true;
            }
            // Its first slots are a run.
            if bits != 0 {
                break;
            }
            self.rest.next = first + WORD;
            if self.rest.left == 0 {
                return false;
            }
        }
        if self.rest.left == 0 {
            return false;
        }
        (self.rest, self.part) = self.rest.pop_part(directory, store);
        self.unasked = 0;
        self.part.bits != 0 || self.part.run != 0
    }

    /// Goes on to what is left of the last word, if anything is; nothing is left before it.
    #[inline(always)]
    fn take_over(&mut self, back: &mut Part<T>) -> bool {
        self.part = mem::replace(back, Part::EMPTY);
        self.unasked = 0;
        self.rest.left = self.part.bits.count_ones() as usize;
        self.part.bits != 0
    }

    /// Whether elements are prefetched: gaps mislead the processor's own prefetching, and it ends with the page. It pays if few
    /// share a cache line.
    #[inline(always)]
    fn prefetches(&self) -> bool {
        cfg!(target_arch = "x86_64") && size_of::<T>() >= 32 && self.is_large
    }

    /// Prefetches an element of the word [`AHEAD`]. If none is left, what lies behind it, which does no harm.
    #[inline(always)]
    fn ask(&mut self) {
        let bit = self.unasked.trailing_zeros() as usize;
        let _element = self.part.base.wrapping_add(AHEAD * WORD + bit);
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch changes nothing, and does not fault, whatever the address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(_element.cast()) };
        }
        self.unasked &= self.unasked.wrapping_sub(1);
    }

    /// Passes the lowest slot of a word; one is left.
    #[inline(always)]
    fn pass_bit(&mut self) -> (u32, *mut T) {
        let bit = self.part.bits.trailing_zeros();
        self.part.bits &= self.part.bits.wrapping_sub(1);
        self.rest.left -= 1;
        self.part.slot(bit as isize)
    }

    /// Passes the next slots between which there is no gap: where the first lies, and how many they are.
    pub(super) fn pass_neighbours(&mut self) -> Option<(*const T, usize)> {
        let (gap, count) = if self.part.bits != 0 {
            let gap = self.part.bits.trailing_zeros();
            let count = (self.part.bits >> gap).trailing_ones() as usize;
            self.part.bits &= self.part.bits.wrapping_add(1 << gap);
            self.rest.left -= count;
            (gap as isize, count)
        } else {
            let run = mem::take(&mut self.part.run);
            (run, run.unsigned_abs())
        };
        (count != 0).then(|| (self.part.base.wrapping_offset(gap), count))
    }

    /// Passes what is left of the part, and shows each slot.
    #[inline(always)]
    pub(super) fn pass_part(&mut self, mut show: impl FnMut(u32, *mut T)) {
        for (slot, at) in self.pass_run() {
            show(slot, at);
        }
        while self.part.bits != 0 {
            let (slot, at) = self.pass_bit();
            show(slot, at);
        }
    }

    /// Passes what is left of a run.
    #[inline(always)]
    fn pass_run(&mut self) -> impl Iterator<Item = (u32, *mut T)> + use<T> {
        let length = -mem::take(&mut self.part.run);
        let zero = self.part.zero.wrapping_sub(length as u32);
        let base = self.part.base.cast_mut().wrapping_offset(-length);
        (0..length as usize).map(move |offset| (zero + offset as u32, base.wrapping_add(offset)))
    }
}

impl<T> Part<T> {
    const EMPTY: Self = Self { bits: 0, run: 0, zero: 0, base: ptr::null() };

    /// Takes out the highest slot.
    fn pop_last(&mut self) -> Option<(u32, *mut T)> {
        if self.run != 0 {
            // The end moves, since its offset is 0.
            self.run += 1;
            self.zero -= 1;
            self.base = self.base.wrapping_sub(1);
            return Some(self.slot(0));
        }
        let bit = self.bits.checked_ilog2()?;
        self.bits &= !(1 << bit);
        Some(self.slot(bit as isize))
    }

    /// The live slot with this offset, and where it lies.
    #[inline(always)]
    fn slot(&self, offset: isize) -> (u32, *mut T) {
        let at = self.base.cast_mut().wrapping_offset(offset);
        // SAFETY: a live slot has memory, and that is not at the null address. Without this, an `Option` of a
        // reference to the slot would cost a test.
        unsafe { assert_unchecked(!at.is_null()) };
        (self.zero.wrapping_add(offset as u32), at)
    }
}

impl<'a, T> Walk<'a, T> {
    #[inline]
    pub(super) fn new(directory: &'a Directory, store: &'a Store<T>) -> Self {
        let cursor = Cursor::new(directory);
        Self { cursor, back: Part::EMPTY, directory, store }
    }

    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<(u32, *mut T)> {
        let cursor = &mut self.cursor;
        loop {
            if cursor.part.run != 0 {
                let slot = cursor.part.slot(cursor.part.run);
                cursor.part.run += 1;
                return Some(slot);
            }
            if cursor.part.bits != 0 {
                if cursor.prefetches() {
                    cursor.ask();
                }
                return Some(cursor.pass_bit());
            }
            if !cursor.advance(self.directory, self.store) && !cursor.take_over(&mut self.back) {
                return None;
            }
        }
    }

    pub(super) fn next_back(&mut self) -> Option<(u32, *mut T)> {
        if self.back.bits == 0 {
            self.back = self.cursor.rest.pop_last_part(self.directory, self.store);
        }
        self.back.pop_last().or_else(|| {
            // The last word is the present one.
            self.cursor.rest.left -= usize::from(self.cursor.part.bits != 0);
            self.cursor.part.pop_last()
        })
    }

    #[inline(always)]
    pub(super) fn fold<B>(mut self, init: B, mut f: impl FnMut(B, (u32, *mut T)) -> B) -> B {
        let cursor = &mut self.cursor;
        let mut folded = init;
        loop {
            for slot in cursor.pass_run() {
                folded = f(folded, slot);
            }
            while cursor.part.bits != 0 {
                if cursor.prefetches() {
                    cursor.ask();
                }
                folded = f(folded, cursor.pass_bit());
            }
            if !cursor.advance(self.directory, self.store) && !cursor.take_over(&mut self.back) {
                return folded;
            }
        }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        let back = self.back.bits.count_ones() as usize;
        self.cursor.rest.left + self.cursor.part.run.unsigned_abs() + back
    }

    /// Splits off the second half of the slots; `None` if there is a single word, or a single granule if that is
    /// smaller. The walk has not begun.
    #[cfg(feature = "rayon")]
    pub(super) fn split_off(&mut self) -> Option<Self> {
        let rest = self.cursor.rest;
        let least = Store::<T>::GRANULE.min(WORD);
        let middle = rest.next + (rest.end - rest.next).div_ceil(least).div_ceil(2) * least;
        if middle >= rest.end {
            return None;
        }
        let starts = (rest.next / WORD * WORD..middle).step_by(WORD);
        let words = starts.map(|start| start.max(rest.next)..middle.min(start + WORD));
        let ours = words.map(|slots| live_in(&slots, self.directory).count_ones() as usize).sum();
        let mut behind = *self;
        (behind.cursor.rest.next, behind.cursor.rest.left) = (middle, rest.left - ours);
        (self.cursor.rest.end, self.cursor.rest.left) = (middle, ours);
        Some(behind)
    }
}

copied!(['a, T] Walk['a, T]);

/// A bit for each of these slots, all of one word, which is 1 if the slot is live.
#[inline]
fn live_in(slots: &Range<usize>, directory: &Directory) -> u64 {
    let word = slots.start / WORD;
    let first = word * WORD;
    let mask = (u64::MAX >> (first + WORD - slots.end)) & (u64::MAX << (slots.start - first));
    let bits = directory.occupancy.words()[word] & mask;
    if !directory.has_exceptions() {
        return bits;
    }
    let words = directory.words()[first..].iter().take(WORD).zip(0..);
    words.fold(0, |live, (&word, at)| live | (bits & (u64::from(word & 1) << at)))
}
