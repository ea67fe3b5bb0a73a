//! The free slots that a thread keeps of a pool: a stack of their addresses, in an array.
//!
//! A magazine lies on the heap, so it survives its thread: other threads find it in the depot's list. The destructors of a thread's
//! keys, in the C library, run after anything that could take a magazine off the list. If they open one, it stays there, with its slots.

use core::alloc::Layout;
use core::cell::Cell;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering;

use crate::base::atomic::{AtomicPtr, const_unless_model};
use crate::base::watch::sanitizer;
use crate::memory::heap;
use crate::strategy::{Entry, EntryArray, InPointerStack, Slots};
use crate::thread::end::Registration;
use crate::thread::request;

/// The most slots in a thread's first array: few, so that a thread's first object brings in no page for more.
const FIRST: usize = 32;

/// One thread's free slots. All are of one size, which is passed in where it matters, and poisoned.
pub(crate) struct Magazine {
    /// One above the slot that came last. Other threads may read it, for statistics.
    top: AtomicPtr<Entry>,
    /// A free that finds the top here goes the rare way: there is no more room, or its slot may be the last live one.
    threshold: Cell<*mut Entry>,
    /// Replaced behind the depot's lock, since other threads ask where it begins.
    array: EntryArray,
    pub(super) sizes: Sizes,
    /// How many slots the thread keeps: the first array's, then two batches, and one more for each that it has had to fetch.
    capacity: Cell<usize>,
    pub(crate) registration: Registration,
    /// The next magazine in the depot's list. Behind the depot's lock.
    pub(super) next: Cell<*const Magazine>,
    /// The magazine before this one in that list, unless this is the first. Behind the depot's lock.
    pub(super) prev: Cell<*const Magazine>,
}

impl Magazine {
    const_unless_model! {
        /// A magazine without slots or room for any.
        pub(super) const fn none() -> Self {
            Self {
                top: AtomicPtr::new(ptr::null_mut()),
                threshold: Cell::new(ptr::null_mut()),
                array: EntryArray::NONE,
                sizes: Sizes::NONE,
                capacity: Cell::new(0),
                registration: Registration::NONE,
                next: Cell::new(ptr::null()),
                prev: Cell::new(ptr::null()),
            }
        }
    }

    /// A magazine that [`Magazine::widen`] gives room; `None` if the heap has no memory.
    #[inline]
    pub(super) fn new(sizes: Sizes) -> Option<Self> {
        let new = Self { sizes, ..Self::none() };
        new.array.swap(&EntryArray::allocate(FIRST.min(2 * sizes.batch))?);
        new.clear();
        Some(new)
    }

    /// One on the heap; `None` if that has no memory.
    #[inline]
    pub(super) fn allocate(sizes: Sizes) -> Option<NonNull<Self>> {
        let new = Self::new(sizes)?;
        let magazine = heap::alloc(Layout::new::<Self>())?.cast::<Self>();
        // SAFETY: it is new memory, of this layout.
        unsafe { magazine.write(new) };
        Some(magazine)
    }

    /// Gives one back.
    ///
    /// # Safety
    ///
    /// It came from [`Magazine::allocate`], is in no list, and is used no more.
    #[inline]
    pub(super) unsafe fn free(magazine: NonNull<Self>) {
        // SAFETY: it is there, and used no more (caller).
        unsafe { magazine.drop_in_place() };
        // SAFETY: it was allocated with this layout (caller).
        unsafe { heap::dealloc(magazine.as_ptr().cast(), Layout::new::<Self>()) };
    }

    /// How many slots there are. Other threads ask with the depot's lock.
    #[inline]
    pub(super) fn len(&self) -> usize {
        let bottom = self.array.bottom().addr();
        (self.top.load(Ordering::Relaxed).addr() - bottom) / size_of::<Entry>()
    }

    #[inline]
    fn set_len(&self, len: usize) {
        debug_assert!(len <= self.capacity.get());
        self.top.store(self.array.bottom().wrapping_add(len), Ordering::Relaxed);
    }

    /// Takes the slot that came last, fit for use.
    #[inline(always)]
    pub(crate) fn pop(&self, bytes: usize) -> Option<NonNull<u8>> {
        let top = self.top.load(Ordering::Relaxed);
        if top == self.array.bottom() {
            return None;
        }
        // SAFETY: from the bottom to the top lie the slots that the thread keeps.
        let slot = unsafe { top.wrapping_sub(1).read() };
        // Read once more: so it is one instruction that counts down.
        self.top.store(self.top.load(Ordering::Relaxed).wrapping_sub(1), Ordering::Relaxed);
        sanitizer::unpoison(slot, bytes);
        // SAFETY: a slot lies in a chunk.
        Some(unsafe { NonNull::new_unchecked(slot) })
    }

    /// Puts a slot in; `false` if that takes the rare way.
    ///
    /// # Safety
    ///
    /// As for [`Slots::put`](crate::strategy::Slots::put).
    #[inline(always)]
    pub(super) unsafe fn push(&self, slot: NonNull<u8>, bytes: usize) -> bool {
        let top = self.top.load(Ordering::Relaxed);
        if top >= self.threshold.get() {
            return false;
        }
        sanitizer::poison(slot.as_ptr(), bytes);
        // SAFETY: the threshold is no higher than the array (`aim`).
        unsafe { top.write(slot.as_ptr()) };
        self.top.store(self.top.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        true
    }

    /// Sets the threshold: no slot is live once this magazine has `all`.
    #[inline]
    pub(super) fn aim(&self, all: usize) {
        // The free that finds the threshold brings the last one.
        let before = all.saturating_sub(1).min(self.capacity.get());
        self.threshold.set(self.array.bottom().wrapping_add(before));
    }

    /// Puts a slot in, whatever the threshold; a full magazine first gives the half that has been here longest to the pool.
    ///
    /// # Safety
    ///
    /// As for [`Magazine::push`].
    #[inline]
    pub(super) unsafe fn push_rare(
        &self,
        slots: &Slots<InPointerStack>,
        freed: NonNull<u8>,
        slot: Layout,
    ) {
        if self.len() == self.capacity.get() {
            self.unload(slots, self.len().div_ceil(2), slot);
        }
        self.aim(usize::MAX);
        // SAFETY: the caller gives up a slot of the magazine's pool.
        let is_in = unsafe { self.push(freed, slot.size()) };
        debug_assert!(is_in, "there is room");
    }

    /// Gives `count` slots to the pool, those that have been here longest.
    #[inline]
    pub(super) fn unload(&self, slots: &Slots<InPointerStack>, count: usize, slot: Layout) {
        let left = self.len() - count;
        // SAFETY: free slots of the pool, which leave the magazine.
        unsafe { slots.put_many(&self.array, count, slot) };
        self.array.copy(count, &self.array, 0, left);
        self.set_len(left);
    }

    /// Takes vacant slots from the pool, `most` at most; returns how many.
    #[inline]
    pub(super) fn load(&self, slots: &Slots<InPointerStack>, most: usize, slot: Layout) -> usize {
        let len = self.len();
        let count = slots.take_many(most.min(self.capacity.get() - len), &self.array, len, slot);
        self.set_len(len + count);
        count
    }

    /// Puts `count` adjacent slots in, for which there is room; the lowest is the first to go.
    #[inline]
    pub(super) fn push_run(&self, run: *mut u8, count: usize, slot: Layout) {
        let len = self.len();
        self.array.set_run(len, run, count, slot);
        self.set_len(len + count);
    }

    /// How many slots it takes from the depot at a time.
    #[inline]
    pub(super) fn half(&self) -> usize {
        self.capacity.get() / 2
    }

    /// How many more slots there is room for.
    #[inline]
    pub(super) fn space(&self) -> usize {
        self.capacity.get() - self.len()
    }

    /// Whether there is not room for two batches yet.
    #[inline]
    pub(super) fn is_narrow(&self) -> bool {
        self.capacity.get() < 2 * self.sizes.batch
    }

    /// A larger array, if the thread may keep more slots than this one has room for, and the heap has memory.
    #[inline]
    pub(super) fn wider(&self) -> Option<EntryArray> {
        let Sizes { batch, most } = self.sizes;
        let (capacity, present) = (self.capacity.get(), self.array.capacity.get());
        // A heap that is a user of the pool would ask for an array to meet the request for an array.
        if capacity == most || capacity < present || request::asking_thread().is_some() {
            return None;
        }
        EntryArray::allocate((2 * present).max(2 * batch).min(most))
    }

    /// Lets the thread keep a batch more, if there is room for it in the array or in a wider one, which takes its place.
    #[inline]
    pub(super) fn widen(&self, wider: Option<EntryArray>) {
        if let Some(wider) = &wider {
            let len = self.len();
            self.array.copy(0, wider, 0, len);
            self.array.swap(wider);
            self.set_len(len);
        }
        let capacity = (self.capacity.get() + self.sizes.batch).max(2 * self.sizes.batch);
        self.capacity.set(capacity.min(self.array.capacity.get()));
        // Also for the heap, which may be a user of this very pool, and free slots before this thread aims again.
        self.aim(usize::MAX);
        // Last, when all is in order: the heap may free slots of this pool while it takes the old array.
        drop(wider);
    }

    /// Forgets all slots.
    #[inline]
    pub(super) fn clear(&self) {
        self.set_len(0);
    }

    /// Asks for the slots' memory ahead, since another thread may have used it last.
    #[inline]
    pub(super) fn prefetch(&self) {
        self.for_each(prefetch_for_write);
    }

    /// Shows the slots, the first one first.
    pub(super) fn for_each(&self, show: impl FnMut(*mut u8)) {
        (0..self.len()).map(|height| self.array.get(height)).for_each(show);
    }
}

/// Asks for the cache line of an address, to be written to.
#[inline(always)]
fn prefetch_for_write(_address: *mut u8) {
    // The intrinsic asks for a copy to be read, unless the target's baseline is more than x86-64.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch changes nothing, and does not fault.
    unsafe {
        core::arch::asm!(
            "prefetchw [{}]",
            in(reg) _address,
            options(nostack, preserves_flags, readonly)
        );
    }
}

/// The most slots in a batch.
///
/// At 16, threads do little but wait for one another; from 128 on the price of the lock disappears.
const MAX_BATCH: usize = 128;
/// The fewest slots in a batch.
const MIN_BATCH: usize = 16;
/// Bytes of slots in a batch, unless the fewest slots are more: or threads would hide megabytes from one another.
const BATCH_BYTES: usize = 256 * 1024;

/// The most batches that a thread keeps, and bytes of slots in these, unless two batches are more.
const MAX_KEPT: usize = 10;
const KEPT_BYTES: usize = 512 * 1024;

/// The room in the magazines of a pool.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    /// How many slots a thread takes from the depot at a time.
    pub(super) batch: usize,
    /// How many it keeps at most: two batches at least.
    pub(super) most: usize,
}

impl Sizes {
    /// For magazines without room.
    pub(super) const NONE: Self = Self { batch: 0, most: 0 };

    /// For magazines of such slots.
    #[inline]
    pub(super) fn new(slot: Layout) -> Self {
        let batch = (BATCH_BYTES / slot.size()).clamp(MIN_BATCH, MAX_BATCH);
        Self { batch, most: batch * (KEPT_BYTES / slot.size() / batch).clamp(2, MAX_KEPT) }
    }
}
