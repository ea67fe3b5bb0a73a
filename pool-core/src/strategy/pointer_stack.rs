//! The pointer stack: the addresses of vacant slots, in an array beside the chunks.
//!
//! # The hot pair
//!
//! Nothing is read from a vacant slot or written into one. Two places give a slot, asked in this order: the top of
//! the stack, and `bump`, the first slot of the current chunk that was never used (`memory/bump.rs`).
//!
//! The array has room for as many addresses as the pool has slots. It grows with the chunks, so a
//! free never asks the heap for anything.
//!
//! # Emptiness for free
//!
//! The pool is empty when its stack is as high as the number of *circulating* slots, those that were
//! handed out since it was last empty. To compare the two on every free, both would have to be kept.
//! Instead `threshold` marks a height, and a free only compares with that:
//!
//! ```text
//! 2 <= threshold - bottom <= circulating, or threshold - bottom == 2 where fewer than two circulate
//! ```
//!
//! A free that would reach `threshold` goes the rare way, which either finds that the pool is empty or
//! moves `threshold` up to the number that circulates now. That number grows only while the stack is
//! empty, so at least that many frees lie between two such moves. Where only one slot circulates, `threshold` is
//! out of reach, for there is no order to restore: an object that is made and destroyed at once is one pop
//! and one push.

use core::alloc::Layout;
use core::cell::Cell;
use core::iter;
use core::ops::Range;
use core::ptr::{self, NonNull};

use crate::base::stats::{self, Memory};
use crate::base::watch::valgrind;
use crate::memory::chunk::Chunk;
use crate::memory::heap;
use crate::memory::pages;
use crate::strategy::slots::{SlotStore, Slots, Strategy};

/// Vacant slots are remembered by their addresses, on a stack: the strategy of a
/// [`PointerStack`](crate::PointerStack) and of a [`RawPointerStack`](crate::RawPointerStack).
///
/// `IS_LIST` is whether it stands in for the free list, whose slots it then has: with the feature `hardened`, where nothing that is
/// written into a vacant slot may lead to another.
#[derive(Debug)]
pub struct InPointerStack<const IS_LIST: bool = false> {
    /// The place for the next freed slot's address.
    top: Cell<*mut Entry>,
    /// Has no fewer entries than there are slots.
    array: EntryArray,
    /// See the module's documentation. In a closed pool a window above `bottom`.
    threshold: Cell<*mut Entry>,
    /// The lowest entry that `pop` gives: the array's first. In a closed pool, one above the slots that their chunks have counted.
    bottom: Cell<*mut Entry>,
}

impl<const IS_LIST: bool> Slots<InPointerStack<IS_LIST>> {
    /// How many vacant slots are on the stack.
    fn len(&self) -> usize {
        entries_between(self.strategy.array.entries.get(), self.strategy.top.get())
    }

    /// Makes `len` entries the stack, from the bottom of the array on.
    fn set_len(&self, len: usize, slot: Layout) {
        let entries = self.strategy.array.entries.get();
        let (bottom, height) = match self.cursor.is_closed.get() {
            true => (entries.wrapping_add(len), self.cursor.window()),
            // One slot is in order by itself.
            false => (entries, self.cursor.circulating(slot).max(2)),
        };
        self.strategy.bottom.set(bottom);
        self.strategy.top.set(entries.wrapping_add(len));
        self.strategy.threshold.set(bottom.wrapping_add(height));
    }

    /// Moves the entries to another array; returns the old one.
    fn install(&self, array: EntryArray) -> EntryArray {
        let len = self.len();
        debug_assert!(len.max(self.cursor.chain.slots()) <= array.capacity.get());
        self.strategy.array.copy(0, &array, 0, len);
        let bytes = |array: &EntryArray| Memory {
            bytes: EntryArray::bytes_for(array.capacity.get()),
            ..Memory::NONE
        };
        self.cursor.chain.change(bytes(&self.strategy.array), bytes(&array));
        self.strategy.array.swap(&array);
        let (old, new) = (array.entries.get(), self.strategy.array.entries.get());
        for place in [&self.strategy.bottom, &self.strategy.top, &self.strategy.threshold] {
            place.set(new.wrapping_add(entries_between(old, place.get())));
        }
        self.anchor();
        array
    }

    /// Takes back the `count` lowest slots of an array.
    ///
    /// # Safety
    ///
    /// As for [`Slots::put`], for each of them.
    pub(crate) unsafe fn put_many(&self, from: &EntryArray, count: usize, slot: Layout) {
        let len = self.len() + count;
        from.copy(0, &self.strategy.array, self.len(), count);
        if count > 0 && len == self.cursor.circulating(slot) {
            <InPointerStack<IS_LIST> as SlotStore>::reset(self, slot);
        } else {
            self.set_len(len, slot);
        }
    }

    /// Moves the `most` vacant slots that were freed last, or all if there are fewer, to an array, from the height `at` on;
    /// returns how many. They stay poisoned.
    pub(crate) fn take_many(&self, most: usize, to: &EntryArray, at: usize, slot: Layout) -> usize {
        let count = most.min(self.len());
        let left = self.len() - count;
        self.strategy.array.copy(left, to, at, count);
        self.set_len(left, slot);
        count
    }

    /// Takes at most `most` adjacent slots that were never used, if no other slot is vacant; returns the first,
    /// and how many there are. O(1).
    pub(crate) fn take_run(&self, most: usize, slot: Layout) -> (*mut u8, usize) {
        self.cursor.take_run(if self.len() > 0 { 0 } else { most }, slot)
    }

    /// Lets the chunks of a closed pool refer to its array, so that a leak checker that reaches a leaked box reaches the array, too.
    fn anchor(&self) {
        if self.cursor.is_closed.get() {
            let array = self.strategy.array.entries.get().cast_const().cast();
            self.cursor.chain.iter().for_each(|chunk| chunk.beside.set(array));
        }
    }
}

fn entries_between(from: *mut Entry, to: *mut Entry) -> usize {
    (to.addr() - from.addr()) / size_of::<Entry>()
}

impl<const IS_LIST: bool> Strategy for InPointerStack<IS_LIST> {}

impl<const IS_LIST: bool> SlotStore for InPointerStack<IS_LIST> {
    const EMPTY: Self = Self {
        top: Cell::new(ptr::null_mut()),
        array: EntryArray::NONE,
        threshold: Cell::new(ptr::null_mut()),
        bottom: Cell::new(ptr::null_mut()),
    };
    const IS_INTRUSIVE: bool = IS_LIST;
    const KIND: stats::Strategy =
        if IS_LIST { stats::Strategy::FREE_LIST } else { stats::Strategy::POINTER_STACK };
    const TYPED_POOL: &'static str = if IS_LIST { "FreeList" } else { "PointerStack" };
    const RAW_POOL: &'static str = if IS_LIST { "RawFreeList" } else { "RawPointerStack" };

    #[inline(always)]
    fn pop(slots: &Slots<Self>, _: Layout) -> Option<*mut u8> {
        let stack = &slots.strategy;
        let top = stack.top.get();
        if top == stack.bottom.get() {
            return None;
        }
        let below = top.wrapping_sub(1);
        stack.top.set(below);
        // SAFETY: from `bottom` to `top` lie the entries that `push` has written.
        let taken = unsafe { below.read() };
        if valgrind::IS_ON {
            // SAFETY: as above. What is left there would make a leaked slot reachable.
            unsafe { below.write(ptr::null_mut()) };
        }
        Some(taken)
    }

    #[inline(always)]
    unsafe fn push(slots: &Slots<Self>, freed: *mut u8, slot: Layout) {
        let stack = &slots.strategy;
        let top = stack.top.get();
        let above = top.wrapping_add(1);
        if above == stack.threshold.get() {
            // SAFETY: the caller gives up a slot of this pool.
            unsafe { slots.push_rare(freed, slot) };
            return;
        }
        // SAFETY: the array has room for the address of every slot (`append`), and this one's is
        // not among those below.
        unsafe { top.write(freed) };
        stack.top.set(above);
    }

    /// The array gets room for the chunk's slots as well.
    fn append(
        slots: &Slots<Self>,
        chunk: NonNull<Chunk>,
        count: usize,
        slot: Layout,
    ) -> Option<()> {
        debug_assert!(count <= slots.cursor.room());
        let chain = &slots.cursor.chain;
        // The heap may use this very pool. If the pool is closed, and the heap frees its last slot, the array is given up: so look again.
        while chain.slots() + count > slots.strategy.array.capacity.get() {
            let array = EntryArray::allocate(chain.slots() + count)?;
            // Before the chunk is appended: the heap, which is called here, might have it given back.
            drop(slots.install(array));
        }
        chain.append(chunk);
        if !slots.cursor.is_closed.get() {
            slots.set_len(slots.len(), slot);
        }
        slots.anchor();
        Some(())
    }

    fn reset(slots: &Slots<Self>, slot: Layout) {
        slots.cursor.rewind(slot);
        slots.set_len(0, slot);
    }

    #[inline(never)]
    unsafe fn push_last(slots: &Slots<Self>, freed: *mut u8, slot: Layout) {
        let len = slots.len();
        if len + 1 == slots.cursor.circulating(slot) {
            Self::reset(slots, slot);
        } else {
            slots.strategy.array.set(len, freed);
            slots.set_len(len + 1, slot);
        }
    }

    fn live(slots: &Slots<Self>, slot: Layout) -> usize {
        slots.cursor.circulating(slot) - slots.len()
    }

    fn bytes_beside(&self) -> usize {
        EntryArray::bytes_for(self.array.capacity.get())
    }

    fn for_each_vacant(slots: &Slots<Self>, _: Layout, show: &mut dyn FnMut(*mut u8)) {
        (0..slots.len()).rev().for_each(|height| show(slots.strategy.array.get(height)));
    }

    fn last_freed(slots: &Slots<Self>) -> *mut u8 {
        let stack = &slots.strategy;
        let top = stack.top.get();
        if top == stack.array.entries.get() {
            return ptr::null_mut();
        }
        // SAFETY: as in `pop`.
        unsafe { top.wrapping_sub(1).read() }
    }

    /// Makes the array as small as the slots allow, if the heap has another.
    fn fit(slots: &Slots<Self>) -> usize {
        let (before, count) = (slots.strategy.bytes_beside(), slots.cursor.chain.slots());
        let array = match count {
            0 => Some(EntryArray::NONE),
            _ if EntryArray::bytes_for(count) == before => None,
            _ => EntryArray::allocate(count),
        };
        // The heap may have freed the last slot of a chunk of this very pool, if it is closed.
        let Some(array) = array.filter(|_| slots.cursor.chain.slots() == count) else {
            slots.anchor();
            return 0;
        };
        let _old_array = slots.install(array);
        before - slots.strategy.bytes_beside()
    }

    unsafe fn keep(slots: &Slots<Self>, freed: *mut u8) {
        slots.strategy.array.set(slots.len(), freed);
        slots.strategy.top.set(slots.strategy.top.get().wrapping_add(1));
    }

    fn count(slots: &Slots<Self>, slot: Layout) -> (usize, bool) {
        let (mut count, mut any) = (0, false);
        for (home, run) in slots.runs(slots.len() - Self::unsettled(slots), slot) {
            any |= home.count_vacant(run.len());
            count += run.len();
        }
        (count, any)
    }

    fn forget_vacant(slots: &Slots<Self>, slot: Layout) {
        let array = &slots.strategy.array;
        let mut kept = 0;
        for (_, run) in slots.runs(0, slot).filter(|(home, _)| !home.is_vacant()) {
            for height in run {
                array.set(kept, array.get(height));
                kept += 1;
            }
        }
        slots.strategy.top.set(array.bottom().wrapping_add(kept));
    }

    fn resume(slots: &Slots<Self>, slot: Layout) {
        slots.set_len(slots.len(), slot);
    }

    fn unsettle(slots: &Slots<Self>, most: usize, slot: Layout) -> usize {
        let most = most.min(slots.len());
        for (home, run) in slots.runs(slots.len() - most, slot) {
            home.vacant_count.set(home.vacant_count.get() - run.len());
        }
        let bottom = slots.strategy.bottom.get().wrapping_sub(most);
        slots.strategy.bottom.set(bottom);
        slots.strategy.threshold.set(bottom.wrapping_add(slots.cursor.window()));
        most
    }

    fn unsettled(slots: &Slots<Self>) -> usize {
        entries_between(slots.strategy.bottom.get(), slots.strategy.top.get())
    }
}

/// The address of a vacant slot.
pub(crate) type Entry = *mut u8;

/// Room for entries on the heap.
#[derive(Debug)]
pub(crate) struct EntryArray {
    /// Null, if there is no room.
    entries: Cell<*mut Entry>,
    /// How many entries it has room for.
    pub(crate) capacity: Cell<usize>,
}

impl EntryArray {
    /// Without room.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const NONE: Self =
        Self { entries: Cell::new(ptr::null_mut()), capacity: Cell::new(0) };

    /// Asks the heap for an array; `None` if it is too large or the heap refuses.
    #[inline]
    pub(crate) fn allocate(capacity: usize) -> Option<Self> {
        let block = pages::alloc(Self::layout(capacity)?)?;
        Some(Self { entries: Cell::new(block.as_ptr().cast()), capacity: Cell::new(capacity) })
    }

    #[inline]
    fn layout(capacity: usize) -> Option<Layout> {
        Layout::array::<Entry>(capacity).ok().map(pages::aligned)
    }

    /// The heap bytes of an array of this capacity.
    #[inline]
    fn bytes_for(capacity: usize) -> usize {
        Self::layout(capacity).map_or(0, |layout| layout.size())
    }

    /// Returns the place of the lowest entry.
    #[inline(always)]
    pub(crate) fn bottom(&self) -> *mut Entry {
        self.entries.get()
    }

    /// The entry at a height below the stack's.
    #[inline(always)]
    pub(crate) fn get(&self, height: usize) -> Entry {
        // SAFETY: the array has room for the stack (`append`), and every entry below its
        // length was written when it was pushed.
        unsafe { self.entries.get().wrapping_add(height).read() }
    }

    /// Writes the entry at a height below `capacity`.
    #[inline]
    fn set(&self, height: usize, entry: Entry) {
        debug_assert!(height < self.capacity.get(), "the stack has room for every slot");
        // SAFETY: the height lies inside the array: at most as many entries are written as there
        // are slots.
        unsafe { self.entries.get().wrapping_add(height).write(entry) };
    }

    /// Writes the addresses of `count` adjacent slots from a height on, for which there is room: the lowest slot's last.
    #[inline]
    pub(crate) fn set_run(&self, height: usize, run: Entry, count: usize, slot: Layout) {
        debug_assert!(height + count <= self.capacity.get());
        let lowest = self.bottom().wrapping_add(height);
        let mut entry = run.wrapping_add(count * slot.size());
        for at in 0..count {
            // An addition each: the compiler would make it a multiplication of halves.
            entry = entry.wrapping_sub(slot.size());
            // SAFETY: so many places from there on lie inside the array.
            unsafe { lowest.wrapping_add(at).write(entry) };
        }
    }

    /// Copies `count` entries, from the height `from` on, to the height `at` of an array, which may be this one.
    #[inline]
    pub(crate) fn copy(&self, from: usize, to: &Self, at: usize, count: usize) {
        debug_assert!(from + count <= self.capacity.get() && at + count <= to.capacity.get());
        let (from, to) = (self.bottom().wrapping_add(from), to.bottom().wrapping_add(at));
        // An array without room has no address.
        if count > 0 {
            // SAFETY: both have room for so many there, and every entry below a stack's height was written.
            unsafe { ptr::copy(from, to, count) };
        }
    }

    #[inline]
    pub(crate) fn swap(&self, other: &Self) {
        self.entries.swap(&other.entries);
        self.capacity.swap(&other.capacity);
    }
}

impl Drop for EntryArray {
    fn drop(&mut self) {
        // An array exists, so it has a layout.
        let capacity = self.capacity.get();
        if let Some(layout) = Self::layout(capacity).filter(|_| capacity > 0) {
            // SAFETY: the block was allocated with this very layout, and this is the last use of it.
            unsafe { heap::dealloc(self.entries.get().cast(), layout) };
        }
    }
}

impl<const IS_LIST: bool> Slots<InPointerStack<IS_LIST>> {
    /// The entries from a height to the top of the stack, in runs from the same chunk, which is named: neighbours on the stack mostly
    /// share one.
    fn runs(
        &self,
        mut height: usize,
        slot: Layout,
    ) -> impl Iterator<Item = (&Chunk, Range<usize>)> {
        let (array, len) = (&self.strategy.array, self.len());
        iter::from_fn(move || {
            let from = height;
            let first = (from < len).then(|| array.get(from).addr())?;
            let home = self.cursor.chain.find(first, slot)?;
            let (start, bytes) = home.span(slot);
            while height < len && array.get(height).addr().wrapping_sub(start) < bytes {
                height += 1;
            }
            Some((home, from..height))
        })
    }
}
