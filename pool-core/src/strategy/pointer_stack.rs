//! The pointer stack, with the layout of a slot as an argument: the machinery under
//! [`PointerStack`](crate::PointerStack), compiled once for all element types but for its two hot
//! paths.
//!
//! # The hot pair
//!
//! The addresses of vacant slots lie in an array beside the chunks, and nothing is read from a vacant
//! slot or written into one. Two places give a slot, asked in this order: the top of the stack, and
//! `bump`, the first slot of the current chunk that was never used.
//!
//! The array has room for as many addresses as the pool has slots. It grows with the chunks, so a
//! free never asks the heap for anything.
//!
//! # Emptiness for free
//!
//! The pool is empty when its stack is as high as the number of *circulating* slots, those that were
//! handed out since it was last empty. To compare the two on every free, both would have to be kept.
//! Instead `trip` marks a height, which a free has to compare with only:
//!
//! ```text
//! 2 <= trip - bottom <= circulating, or trip - bottom == 2 where fewer than two circulate
//! ```
//!
//! A free that would reach `trip` goes the rare way, which either finds that the pool is empty or
//! moves `trip` up to the number that circulates now. That number grows only while the stack is
//! empty, so at least so many frees lie between two such moves. Where only one slot circulates, `trip` is
//! out of reach, for there is no order to restore: an object that is made and destroyed at once is one pop
//! and one push.

use core::alloc::Layout;
use core::cell::Cell;
use core::ptr::{self, NonNull};

use crate::base::config::Config;
use crate::base::guard::{sanitizer, valgrind};
use crate::memory::bump::Region;
use crate::memory::chunk::Chunk;
use crate::strategy::Strategy;

use entries::Array;

mod entries;
mod reclaim;

/// The address of a vacant slot.
pub(crate) type Entry = *mut u8;

/// The state of a pointer stack.
pub(crate) struct Stack {
    /// Where the next freed slot's address goes.
    top: Cell<*mut Entry>,
    /// The start of the array, null before there is a chunk.
    bottom: Cell<*mut Entry>,
    /// See the module's documentation. In a closed pool one above `top`, and `top == bottom`.
    trip: Cell<*mut Entry>,
    /// How many entries the array has room for: no fewer than there are slots.
    room: Cell<usize>,
    /// How many entries there are in a closed pool.
    closed_len: Cell<usize>,
    region: Region,
}

impl Stack {
    /// A stack without chunks, which grows as far as memory lasts.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const EMPTY: Self = Self {
        top: Cell::new(ptr::null_mut()),
        bottom: Cell::new(ptr::null_mut()),
        trip: Cell::new(ptr::null_mut()),
        room: Cell::new(0),
        closed_len: Cell::new(0),
        region: Region::EMPTY,
    };

    pub(crate) const fn new(config: Config) -> Self {
        Self { region: Region::new(config), ..Self::EMPTY }
    }

    /// How many vacant slots are on the stack.
    fn len(&self) -> usize {
        if self.region.is_closed.get() {
            self.closed_len.get()
        } else {
            (self.top.get().addr() - self.bottom.get().addr()) / size_of::<Entry>()
        }
    }

    /// Makes `len` entries the stack, from the bottom of the array on.
    fn set_len(&self, len: usize, slot: Layout) {
        let bottom = self.bottom.get();
        if self.region.is_closed.get() {
            self.closed_len.set(len);
            self.top.set(bottom);
            self.trip.set(bottom.wrapping_add(1));
        } else {
            self.top.set(bottom.wrapping_add(len));
            // One slot is in order by itself.
            self.trip.set(bottom.wrapping_add(self.region.circulating(slot).max(2)));
        }
    }

    /// The entry at a height below [`Stack::len`].
    fn entry(&self, height: usize) -> Entry {
        // SAFETY: the array has room for the stack (`Stack::grow_by`), and every entry below its
        // length was written when it was pushed.
        unsafe { self.bottom.get().wrapping_add(height).read() }
    }

    /// Writes the entry at a height below `room`.
    fn set_entry(&self, height: usize, entry: Entry) {
        debug_assert!(height < self.room.get(), "the stack has room for every slot");
        // SAFETY: the height lies inside the array: at most as many entries are written as there
        // are slots.
        unsafe { self.bottom.get().wrapping_add(height).write(entry) };
    }

    /// Goes over to another array, with the entries that there are; returns the one before.
    fn install(&self, array: Array, slot: Layout) -> Array {
        let len = self.len();
        let (entries, room) = array.into_parts();
        debug_assert!(len <= room && self.region.chain.slots() <= room);
        for height in 0..len {
            // SAFETY: the new array has room for every slot (callers), and so for every entry.
            unsafe { entries.wrapping_add(height).write(self.entry(height)) };
        }
        let before = self.bottom.replace(entries);
        let room_before = self.room.replace(room);
        self.set_len(len, slot);
        self.anchor();
        // SAFETY: both came from `into_parts`, and are forgotten here.
        unsafe { Array::from_parts(before, room_before) }
    }

    /// Lets the chunks of a closed pool refer to its array.
    fn anchor(&self) {
        if self.region.is_closed.get() {
            let array = self.bottom.get().cast_const().cast();
            self.region.chain.iter().for_each(|chunk| chunk.beside.set(array));
        }
    }

    /// Appends the chunk, with room in the array for its slots as well; returns the array that nobody needs
    /// any more.
    fn append(&self, chunk: NonNull<Chunk>, slots: usize, slot: Layout) -> Option<Array> {
        // The heap may be a user of this very pool, and trim it. So what it was asked for must suffice for
        // the pool as it is then, and the heap is not called again before the chunk is in the chain.
        let wanted = || self.region.chain.slots() + slots;
        let mut array = Array::NONE;
        while wanted() > self.room.get().max(array.room()) {
            array = Array::allocate(wanted())?;
        }
        if !self.region.may_grow_by(slots) {
            return None;
        }
        let outgrown = if wanted() > self.room.get() { self.install(array, slot) } else { array };
        self.region.chain.append(chunk);
        self.set_len(self.len(), slot);
        self.anchor();
        Some(outgrown)
    }
}

impl Strategy for Stack {
    const LISTED_IN: &'static str = "pointer stack";
    const RAW_POOL: &'static str = "RawPointerStack";

    type Outgrown = Array;

    #[inline(always)]
    fn region(&self) -> &Region {
        &self.region
    }

    #[inline(always)]
    fn take(&self, slot: Layout) -> Option<NonNull<u8>> {
        let top = self.top.get();
        let taken = if top != self.bottom.get() {
            let below = top.wrapping_sub(1);
            self.top.set(below);
            // SAFETY: from `bottom` to `top` lie the entries that `put` has written.
            let taken = unsafe { below.read() };
            if valgrind::IS_ON {
                // SAFETY: as above. What is left there would make a leaked slot reachable.
                unsafe { below.write(ptr::null_mut()) };
            }
            taken
        } else {
            self.region.take(slot)?
        };
        sanitizer::unpoison(taken, slot.size());
        // SAFETY: entries are addresses of slots, and a never-used slot lies in a chunk.
        Some(unsafe { NonNull::new_unchecked(taken) })
    }

    #[inline(always)]
    unsafe fn put(&self, freed: *mut u8, slot: Layout) {
        sanitizer::poison(freed, slot.size());
        let top = self.top.get();
        let above = top.wrapping_add(1);
        if above == self.trip.get() {
            // SAFETY: passed on from the caller.
            unsafe { put_rare(self, freed, slot.size(), slot.align()) };
            return;
        }
        // SAFETY: the array has room for the address of every slot (`append`), and this one's is
        // not among those below.
        unsafe { top.write(freed) };
        self.top.set(above);
    }

    fn refill(&self, slot: Layout) -> Option<NonNull<u8>> {
        if self.region.is_closed.get() {
            return self.take_closed(slot);
        }
        let mut outgrown = None;
        if !self.region.chain.has_untouched() {
            outgrown = self.region.grow(slot, |slots| self.grow_by(slots, slot));
            // The heap may be a user of this very pool, and have made room in it meanwhile.
            let taken = self.take(slot);
            if taken.is_some() || outgrown.is_none() {
                return taken;
            }
        }
        self.region.advance(slot);
        let taken = self.take(slot);
        drop(outgrown);
        taken
    }

    #[cfg(feature = "std")]
    fn take_run(&self, most: usize, slot: Layout) -> (*mut u8, usize) {
        self.region.take_run(if self.len() > 0 { 0 } else { most }, slot)
    }

    fn grow_by(&self, slots: usize, slot: Layout) -> Option<Array> {
        // Not before it is known that there can be an array for them.
        Layout::array::<Entry>(slots).ok()?;
        let chunk = Chunk::allocate(slots, slot)?;
        let outgrown = self.append(chunk, slots, slot);
        if outgrown.is_none() {
            // SAFETY: the chunk is in no chain, and none of its slots was handed out.
            unsafe { Chunk::release(chunk) };
        }
        outgrown
    }

    fn largest_block(slots: usize, slot: Layout) -> Option<Layout> {
        let chunk = Chunk::bytes_for(slots, slot)?;
        let array = Layout::array::<Entry>(slots).ok()?;
        Some(if chunk.size() < array.size() { array } else { chunk })
    }

    fn reset(&self, slot: Layout) {
        self.region.rewind(slot);
        self.set_len(0, slot);
    }

    fn live(&self, slot: Layout) -> usize {
        if self.region.is_closed.get() {
            self.region.live_settled()
        } else {
            self.region.circulating(slot) - self.len()
        }
    }

    fn bytes_beside(&self) -> usize {
        Array::bytes_for(self.room.get())
    }

    fn for_each_vacant(&self, _: Layout, show: &mut dyn FnMut(*mut u8)) {
        (0..self.len()).rev().for_each(|height| show(self.entry(height)));
    }

    fn newest(&self) -> *mut u8 {
        self.len().checked_sub(1).map_or(ptr::null_mut(), |height| self.entry(height))
    }

    fn trim(&self, slot: Layout) -> usize {
        self.trim_settled(slot)
    }

    #[cfg(feature = "std")]
    fn close(&self, slot: Layout) {
        self.close_settled(slot);
    }

    unsafe fn dissolve(&self) {
        // SAFETY: passed on from the caller.
        drop(unsafe { self.region.chain.release(|_| true) });
        let (entries, room) = (self.bottom.get(), self.room.get());
        // SAFETY: both came from `into_parts`, and the pool is used no more.
        drop(unsafe { Array::from_parts(entries, room) });
    }
}

/// The free that is not like the others: as many slots are vacant as circulated when `trip` was set
/// last, or the pool is closed.
///
/// `extern "C"`, as nothing in here unwinds: see `put_rare` in `strategy/free_list.rs`.
///
/// # Safety
///
/// As for [`Strategy::put`], of which this is a part.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
unsafe extern "C" fn put_rare(stack: &Stack, freed: *mut u8, slot_size: usize, slot_align: usize) {
    // SAFETY: the two are the parts of a layout.
    let slot = unsafe { Layout::from_size_align_unchecked(slot_size, slot_align) };
    if stack.region.is_closed.get() {
        // SAFETY: passed on from the caller.
        unsafe { stack.put_closed(freed, slot) };
        return;
    }
    let len = stack.len();
    if len + 1 == stack.region.circulating(slot) {
        stack.reset(slot);
    } else {
        stack.set_entry(len, freed);
        stack.set_len(len + 1, slot);
    }
}
