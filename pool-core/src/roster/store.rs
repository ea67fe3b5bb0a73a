//! Where a roster's elements lie: slots in chunks that never move.

use alloc::alloc::{alloc, dealloc};
use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::marker::PhantomData;
use core::ptr::{self, NonNull};

use crate::sanitizer;

/// Chunks begin on a cache line, so that slots of 2^n bytes never straddle two.
const CHUNK_ALIGN: usize = 64;

/// Slots by their index.
///
/// Indices of 2^k to 2^(k+1) are of class k, and 0 is of class 0. A chunk holds whole classes, all but
/// the last of a roster that can grow no further; so a slot is found by its class alone, and
/// growth doubles the roster.
#[derive(Debug)]
pub(super) struct Store<T> {
    /// For each class, where slot 0 would lie if the slots of the class's chunk went back so far.
    bases: [*mut T; 32],
    chunks: Vec<Chunk<T>>,
    /// Slots in all chunks.
    capacity: usize,
    marker: PhantomData<T>,
}

#[derive(Debug)]
struct Chunk<T> {
    start: NonNull<T>,
    slots: usize,
}

/// Why the store could not grow.
#[derive(Debug)]
pub(super) enum StoreError {
    /// The heap has no room for a chunk of this layout.
    Heap(Layout),
    /// No chunk can be that large.
    Overflow,
}

impl<T> Store<T> {
    /// Whether the sanitizer's granules, of 8 bytes, can tell one slot from its neighbours.
    const IS_POISONED: bool = size_of::<T>() % 8 == 0 && size_of::<T>() != 0;

    pub(super) const fn new() -> Self {
        Self { bases: [ptr::null_mut(); 32], chunks: Vec::new(), capacity: 0, marker: PhantomData }
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(super) fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// Where the slot is. The pointer is good for all slots of the chunk.
    ///
    /// For an index that is not below the capacity it leads nowhere.
    #[inline(always)]
    pub(super) fn slot(&self, index: u32) -> *mut T {
        self.bases[class(index as usize)].wrapping_add(index as usize)
    }

    /// Heap bytes of the chunks.
    pub(super) fn bytes(&self) -> usize {
        self.capacity * size_of::<T>()
    }

    fn layout(slots: usize) -> Option<Layout> {
        Layout::array::<T>(slots).ok()?.align_to(CHUNK_ALIGN).ok()
    }

    /// Adds one chunk that brings the capacity to `capacity` slots.
    pub(super) fn try_grow(&mut self, capacity: usize) -> Result<(), StoreError> {
        debug_assert!(
            self.capacity < capacity && (self.capacity & self.capacity.wrapping_sub(1)) == 0
        );
        let slots = capacity - self.capacity;
        let layout = Self::layout(slots).ok_or(StoreError::Overflow)?;
        let list = Layout::new::<Chunk<T>>();
        self.chunks.try_reserve(1).map_err(|_: TryReserveError| StoreError::Heap(list))?;
        let start = if layout.size() == 0 {
            NonNull::<T>::dangling()
        } else {
            // SAFETY: the size is not 0.
            let block = unsafe { alloc(layout) };
            NonNull::new(block.cast::<T>()).ok_or(StoreError::Heap(layout))?
        };
        if Self::IS_POISONED {
            sanitizer::poison(start.as_ptr().cast(), layout.size());
        }
        let base = start.as_ptr().wrapping_sub(self.capacity);
        for class in class(self.capacity)..=class(capacity - 1) {
            self.bases[class] = base;
        }
        self.chunks.push(Chunk { start, slots });
        self.capacity = capacity;
        Ok(())
    }

    /// The indices of the last chunk's slots.
    pub(super) fn last_chunk(&self) -> Option<core::ops::Range<usize>> {
        let last = self.chunks.last()?;
        Some(self.capacity - last.slots..self.capacity)
    }

    /// Gives the last chunk back to the heap; what is in its slots is forgotten.
    pub(super) fn pop_chunk(&mut self) {
        let Some(Chunk { start, slots }) = self.chunks.pop() else { return };
        self.capacity -= slots;
        let Some(layout) = Self::layout(slots) else { return };
        if layout.size() == 0 {
            return;
        }
        sanitizer::unpoison(start.as_ptr().cast(), layout.size());
        // SAFETY: the block was allocated with this very layout (`try_grow`), and its slots are
        // beyond the capacity from here on.
        unsafe { dealloc(start.as_ptr().cast(), layout) };
    }

    /// Tells the sanitizer that the slot is in use.
    #[inline(always)]
    pub(super) fn occupy(&self, slot: *mut T) {
        if Self::IS_POISONED {
            sanitizer::unpoison(slot.cast(), size_of::<T>());
        }
    }

    /// Tells the sanitizer that the slot is not in use.
    #[inline(always)]
    pub(super) fn leave(&self, slot: *mut T) {
        if Self::IS_POISONED {
            sanitizer::poison(slot.cast(), size_of::<T>());
        }
    }
}

impl<T> Drop for Store<T> {
    fn drop(&mut self) {
        while !self.chunks.is_empty() {
            self.pop_chunk();
        }
    }
}

#[inline(always)]
fn class(index: usize) -> usize {
    (index as u32 | 1).ilog2() as usize
}
