//! Memory for slots, which never move.

use core::mem::MaybeUninit;

/// Memory that begins on a cache line, as the heap's does not.
type Lines = Vec<Line>;

/// A cache line.
#[repr(align(64))]
struct Line {
    _bytes: MaybeUninit<[u8; 64]>,
}

fn lines_for<S>(slots: usize) -> Lines {
    const { assert!(align_of::<S>() <= align_of::<Line>(), "a slot's alignment is a line's") };
    Vec::with_capacity((slots * size_of::<S>()).div_ceil(size_of::<Line>()))
}

/// Slots for which the table has one base.
const PAGE: usize = 128;

/// Chunks that double the pool, and a table with a base for every [`PAGE`] slots. A base is moved back by the index of its
/// chunk's first slot, so that one addition leads from it to any slot.
pub(super) struct Chunks<S> {
    bases: Vec<*mut S>,
    chunks: Vec<Lines>,
}

impl<S: 'static> Chunks<S> {
    pub(super) const fn new() -> Self {
        Self { bases: Vec::new(), chunks: Vec::new() }
    }

    /// Grows to `slots` slots: the first number, or twice the number before.
    pub(super) fn grow(&mut self, slots: usize) {
        let before = self.bases.len() * PAGE;
        if slots <= before {
            return;
        }
        let added = (slots - before).max(PAGE);
        let mut chunk = lines_for::<S>(added);
        let base = chunk.as_mut_ptr().cast::<S>().wrapping_sub(before);
        self.bases.extend((0..added / PAGE).map(|_| base));
        self.chunks.push(chunk);
    }

    /// Returns the slot's address.
    #[inline(always)]
    pub(super) fn address(&self, index: usize) -> *mut S {
        // SAFETY: there is a base for every slot.
        let base = unsafe { self.bases.get_unchecked(index / PAGE) };
        base.wrapping_add(index)
    }
}
