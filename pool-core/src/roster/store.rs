//! The memory of a roster's elements: slots in chunks that never move.

use core::alloc::Layout;
use core::hint::assert_unchecked;
use core::marker::PhantomData;
use core::mem;
use core::ops::Range;
use core::ptr::NonNull;

use crate::base::watch::sanitizer;
use crate::base::watch::sites::{self, IS_SITED};
use crate::memory::heap::{self, PoolVec};
use crate::memory::pages;

/// Chunks begin on a cache line, so that slots of 2^n bytes never straddle two.
const CHUNK_ALIGN: usize = 64;

/// Up to so many bytes, a chunk is aligned only as far as its slots need: a heap is slow with large alignments.
const SMALL_CHUNK: usize = 2048;

/// The most bytes of a granule.
const GRANULE_BYTES: usize = 1024;

/// The most slots of a granule. (Tests of this crate want many chunks of few slots.)
const GRANULE_SLOTS: usize = if cfg!(test) { 4 } else { 16 };

/// Slots by their index.
///
/// A table has the address of every *granule*, which is a power of two of slots. Chunks consist of whole granules,
/// except the last chunk of a roster that can grow no further. So elements never move, whatever the size of the
/// chunks, and an access reads one number more than in an array.
pub(super) struct Store<T> {
    /// For each granule, where slot 0 would lie if the slots before it lay in one piece with it. (`*const`, so that a
    /// roster is covariant in `T`.)
    bases: PoolVec<*const T>,
    chunks: PoolVec<RosterChunk>,
    marker: PhantomData<T>,
}

#[derive(Clone, Copy)]
struct RosterChunk {
    start: NonNull<u8>,
    first: u32,
    count: u32,
}

impl RosterChunk {
    #[inline]
    fn slots(&self) -> Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }
}

impl<T> Store<T> {
    /// Whether the sanitizer's granules, of 8 bytes, can tell one slot from its neighbours.
    pub(super) const IS_POISONED: bool = size_of::<T>() % 8 == 0 && size_of::<T>() != 0;

    /// Whether elements go one by one: they have a destructor, or a watcher wants to know.
    pub(super) const GO_SINGLY: bool = mem::needs_drop::<T>() || IS_SITED || sanitizer::IS_ON;

    /// The bytes from one slot to the next in a chunk: those of an element. With `sites`, lines are known by the addresses of slots, so
    /// each slot has one of its own, even without size.
    const STRIDE: usize = match size_of::<T>() {
        0 => IS_SITED as usize,
        size => size,
    };

    /// The number of slots in a granule is 2 to the power of this.
    const GRANULE_BITS: u32 = match GRANULE_BYTES.checked_div(size_of::<T>()) {
        Some(0) => 0,
        Some(slots) if slots < GRANULE_SLOTS => slots.ilog2(),
        _ => GRANULE_SLOTS.ilog2(),
    };

    /// Slots in a granule.
    pub(super) const GRANULE: usize = 1 << Self::GRANULE_BITS;

    pub(super) const fn new() -> Self {
        Self { bases: PoolVec::new(), chunks: PoolVec::new(), marker: PhantomData }
    }

    /// Slots in all chunks. (The directory has the number at hand.)
    pub(super) fn capacity(&self) -> usize {
        self.chunks.last().map_or(0, |last| last.slots().end)
    }

    /// How many slots the chunk has, all of which lie in one piece.
    pub(super) fn slots_in(&self, chunk: usize) -> usize {
        self.chunks[chunk].count as usize
    }

    /// Returns the slot's address. The pointer is valid for all slots of the granule.
    ///
    /// # Safety
    ///
    /// `index` is below the capacity.
    #[inline(always)]
    pub(super) unsafe fn slot(&self, index: u32) -> *mut T {
        let (bases, granule) = (self.bases.as_slice(), (index >> Self::GRANULE_BITS) as usize);
        // An unoptimised build has fewer calls so.
        if cfg!(debug_assertions) {
            return bases[granule].wrapping_add(index as usize).cast_mut();
        }
        // SAFETY: every slot lies in a granule of the table (`try_grow`, `trim`).
        let base = unsafe { *bases.get_unchecked(granule) };
        let slot = base.wrapping_add(index as usize).cast_mut();
        // SAFETY: a slot lies in the memory of its chunk, so not at the null address.
        // Without this, an `Option` of a reference to the slot would cost a test and the address.
        unsafe { assert_unchecked(!slot.is_null()) };
        slot
    }

    /// The slot that begins at this address. O(chunks).
    pub(super) fn slot_at(&self, address: *const T) -> Option<u32> {
        self.chunks().find_map(|(start, slots)| {
            let offset = address.addr().checked_sub(start.addr())?;
            let slot = slots.start.checked_add(offset.checked_div(size_of::<T>())?)?;
            let is_there = slots.contains(&slot) && offset % size_of::<T>() == 0;
            is_there.then_some(slot as u32)
        })
    }

    /// The address by which the slot's line is known. O(chunks).
    pub(super) fn site(&self, index: u32) -> NonNull<u8> {
        let at = index as usize;
        let chunk = self.chunks.iter().find(|chunk| chunk.slots().contains(&at));
        let (start, first) =
            chunk.map_or((NonNull::dangling(), at), |of| (of.start, of.slots().start));
        start.map_addr(|start| start.saturating_add((at - first) * Self::STRIDE))
    }

    /// Heap bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.capacity() * Self::STRIDE + self.bases.capacity() * size_of::<*const T>()
    }

    fn layout(slots: usize) -> Option<Layout> {
        let bytes = slots.checked_mul(Self::STRIDE)?;
        let layout = Layout::from_size_align(bytes, align_of::<T>()).ok()?;
        let align = match size_of::<T>().trailing_zeros() {
            bits @ ..6 if layout.size() <= SMALL_CHUNK => 1 << bits,
            _ => CHUNK_ALIGN,
        };
        layout.align_to(align).ok().map(pages::aligned)
    }

    /// Adds one chunk that brings the capacity to `capacity` slots, unless there are as many. If it cannot, nothing changes.
    pub(super) fn try_grow(&mut self, capacity: usize) -> Result<(), NoRoom> {
        let present = self.capacity();
        let slots = capacity - present;
        if slots == 0 {
            return Ok(());
        }
        assert!(present % Self::GRANULE == 0);
        let layout = Self::layout(slots).ok_or(NoRoom(None))?;
        let granules = capacity.div_ceil(Self::GRANULE);
        let mut bases = copy_with_room(&self.bases, granules)?;
        let mut chunks = copy_with_room(&self.chunks, self.chunks.len() + 1)?;
        let start = if layout.size() == 0 {
            NonNull::<T>::dangling().cast()
        } else {
            pages::alloc(layout).ok_or(NoRoom(Some(layout)))?
        };
        if Self::IS_POISONED {
            sanitizer::poison(start.as_ptr(), layout.size());
        }
        bases.resize(granules, start.as_ptr().cast::<T>().cast_const().wrapping_sub(present));
        chunks.push(RosterChunk { start, first: present as u32, count: slots as u32 });
        (self.bases, self.chunks) = (bases, chunks);
        Ok(())
    }

    /// The chunks, in the order of their slots: where the first lies, and the indices.
    pub(super) fn chunks(&self) -> impl ExactSizeIterator<Item = (*mut u8, Range<usize>)> {
        self.chunks.iter().map(|chunk| (chunk.start.as_ptr(), chunk.slots()))
    }

    /// Gives the chunks that begin at `least` or later back to the heap, the last one first; then what their table needs no
    /// longer, unless the heap has no room for a smaller one.
    pub(super) fn trim(&mut self, least: usize) {
        while let Some(&chunk) = self.chunks.last().filter(|last| last.slots().start >= least) {
            self.chunks.pop();
            self.bases.truncate(chunk.slots().start.div_ceil(Self::GRANULE));
            let (start, layout) = (chunk.start.as_ptr(), Self::layout(chunk.slots().len()));
            if let Some(layout) = layout.filter(|layout| layout.size() != 0) {
                sanitizer::unpoison(start, layout.size());
                // SAFETY: the block was allocated with this layout (`try_grow`), and its slots are beyond the capacity
                // from here on.
                unsafe { heap::dealloc(start, layout) };
            }
        }
        if let Ok(bases) = copy_with_room(&self.bases, 0) {
            self.bases = bases;
        }
    }

    /// Puts an element into a slot.
    ///
    /// # Safety
    ///
    /// The slot exists, and holds no element.
    #[inline(always)]
    #[track_caller]
    pub(super) unsafe fn put(&mut self, index: u32, element: T) {
        // SAFETY: the slot exists (caller).
        let place = unsafe { self.place(index) };
        // SAFETY: the slot exists, and holds no element that this would write over (caller).
        unsafe { place.write(element) };
    }

    /// Returns the address at which an element is about to be written, and tells the watchers.
    ///
    /// # Safety
    ///
    /// The slot exists.
    #[inline(always)]
    #[track_caller]
    pub(super) unsafe fn place(&mut self, index: u32) -> *mut T {
        if IS_SITED {
            sites::enter(self.site(index));
        }
        // SAFETY: the slot exists (caller).
        let slot = unsafe { self.slot(index) };
        if Self::IS_POISONED {
            sanitizer::unpoison(slot.cast(), size_of::<T>());
        }
        slot
    }

    /// Takes the element out of a slot.
    ///
    /// # Safety
    ///
    /// The slot holds an element, which is used there no more.
    #[inline(always)]
    pub(super) unsafe fn take(&mut self, index: u32) -> T {
        // SAFETY: a slot with an element exists.
        let slot = unsafe { self.slot(index) };
        // SAFETY: it holds an element, which is read once only (caller).
        let element = unsafe { slot.read() };
        self.leave(index, slot);
        element
    }

    /// Tells those who watch that the slot, which lies there, is no longer in use.
    #[inline(always)]
    pub(super) fn leave(&mut self, index: u32, slot: *mut T) {
        if IS_SITED {
            sites::leave(self.site(index));
        }
        if Self::IS_POISONED {
            sanitizer::poison(slot.cast(), size_of::<T>());
        }
    }
}

impl<T> Drop for Store<T> {
    fn drop(&mut self) {
        self.trim(0);
    }
}

/// Out of memory: the heap has refused a block of this layout, or no block can be that large.
#[derive(Debug)]
pub(super) struct NoRoom(pub(super) Option<Layout>);

/// The items, in memory with room for `room` of them at least.
pub(super) fn copy_with_room<U: Copy>(items: &[U], room: usize) -> Result<PoolVec<U>, NoRoom> {
    let mut copy = PoolVec::new();
    let reserved = copy.try_reserve_exact(room.max(items.len()));
    reserved.map_err(|_| NoRoom(Layout::array::<U>(room).ok()))?;
    copy.extend_from_slice(items);
    Ok(copy)
}
