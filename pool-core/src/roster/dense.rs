//! Dense indices: the places of live slots in a list without gaps.
//!
//! The two tables come from the swap-delete design (T. Cohen, Insomniac Games, 2010; M. Labbe, 2023): `order` lists
//! the live slots, every live slot knows its place there, and one is taken out by moving the last into its place.
//! Keeping them makes a removal 2.8 times as expensive (`docs/decisions/roster.md`), so before an index is
//! requested they are not written, and their memory is not touched. From then on they are kept up to date.

use alloc::alloc::handle_alloc_error;
use core::alloc::Layout;
use core::iter;
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::memory::heap::PoolVec;
use crate::roster::store::NoRoom;
use crate::roster::word::is_live;

/// Both tables in one: the slot with each place, and the place of each slot. All numbers are initialised once the tables are
/// built, and none before: zeros would be a third of what growth costs.
///
/// They are built behind a shared reference, perhaps by several threads at once. All threads write the same
/// numbers, since the roster cannot change meanwhile; so none has to wait for another.
#[derive(Debug)]
pub(super) struct Dense {
    /// First the flags, which are initialised: [`BUILT`] once the tables are. Then for each number from 0 the slot with this place, and
    /// the place of this slot. Empty as long as there are no slots.
    ///
    /// (The flags are behind a pointer because the compiler may assume that the fields of a shared roster do not change
    /// while handles are followed.)
    numbers: PoolVec<MaybeUninit<AtomicU32>>,
}

/// Among the flags: the tables are built.
const BUILT: u32 = 1 << 31;

/// Where the slot with this place is noted.
#[inline]
const fn of_place(place: usize) -> usize {
    2 * place + 1
}

/// Where the place of this slot is noted.
#[inline]
const fn of_slot(slot: usize) -> usize {
    2 * slot + 2
}

fn number(number: u32) -> MaybeUninit<AtomicU32> {
    MaybeUninit::new(AtomicU32::new(number))
}

impl Dense {
    pub(super) const fn new() -> Self {
        Self { numbers: PoolVec::new() }
    }

    /// For how many slots there are numbers.
    fn slots(&self) -> usize {
        self.numbers.len() / 2
    }

    /// The place of a live slot.
    pub(super) fn place(&self, slot: u32, words: &[u32]) -> usize {
        self.build(words);
        self.get(of_slot(slot as usize)) as usize
    }

    /// The live slot at a place below their number.
    pub(super) fn slot(&self, place: usize, words: &[u32]) -> u32 {
        self.build(words);
        self.get(of_place(place))
    }

    #[inline]
    fn flag(&self) -> Option<&AtomicU32> {
        // SAFETY: the flags are initialised.
        self.numbers.first().map(|flags| unsafe { flags.assume_init_ref() })
    }

    #[inline]
    fn flags(&self) -> u32 {
        self.flag().map_or(0, |flags| flags.load(Ordering::Acquire))
    }

    fn set_flags(&mut self, to: u32) {
        self.numbers.first_mut().into_iter().for_each(|flags| *flags = number(to));
    }

    #[inline]
    pub(super) fn is_built(&self) -> bool {
        self.flags() & BUILT != 0
    }

    /// Whether changes are to be noted here.
    #[inline(always)]
    pub(super) fn is_kept(&mut self) -> bool {
        self.flags() != 0
    }

    /// [`Dense::is_kept`].
    ///
    /// # Safety
    ///
    /// There are slots.
    #[inline(always)]
    pub(super) unsafe fn is_kept_unchecked(&mut self) -> bool {
        let flags = self.numbers.as_ptr().cast::<u32>();
        // SAFETY: once there are slots (caller) there are flags, which are initialised; and nobody else writes them now.
        unsafe { flags.read() != 0 }
    }

    #[inline]
    fn build(&self, words: &[u32]) {
        // Pairs with the store below: a thread that sees the flag sees the numbers.
        if !self.is_built() {
            self.build_now(words);
        }
    }

    #[cold]
    fn build_now(&self, words: &[u32]) {
        let mut count = 0;
        for slot in 0..self.slots() {
            // Each number is stored once: another thread may have built the tables, and a third may be reading them.
            self.set(of_slot(slot), count);
            if words.get(slot).is_some_and(|&word| is_live(word)) {
                self.set(of_place(count as usize), slot as u32);
                count += 1;
            }
        }
        for place in count as usize..self.slots() {
            self.set(of_place(place), 0);
        }
        if let Some(flag) = self.flag() {
            flag.store(self.flags() | BUILT, Ordering::Release);
        }
    }

    /// Takes over an order, which must be one of the live slots. An error if the heap has no room.
    #[cfg(feature = "serde")]
    pub(super) fn take_over(&mut self, order: &[u32]) -> Result<(), NoRoom> {
        if self.numbers.is_empty() {
            // There are no slots, and there is an order.
            self.numbers.try_reserve_exact(1).map_err(|_| NoRoom::of::<u32>(1))?;
            self.numbers.push(number(0));
        }
        self.fill([BUILT]);
        for (place, &slot) in order.iter().enumerate() {
            self.put(slot, place);
        }
        Ok(())
    }

    /// A slot has become live beside `count` others.
    pub(super) fn insert(&mut self, slot: usize, count: usize) {
        if self.is_built() {
            self.put(slot as u32, count);
        }
    }

    /// A slot is no longer live; of those that were `inserted`, this one is among those that were `removed`.
    #[cold]
    #[inline(never)]
    pub(super) extern "C" fn remove(&mut self, slot: usize, inserted: usize, removed: usize) {
        // How many others are live, which the caller would have to count in each loop.
        let count = inserted.wrapping_sub(removed);
        if self.is_built() {
            self.put(self.get(of_place(count)), self.get(of_slot(slot)) as usize);
        }
    }

    /// The same, with numbers for `slots` slots; an error if the heap has no room.
    pub(super) fn resized(&self, slots: usize) -> Result<Self, NoRoom> {
        let length = self.length_for(slots);
        let mut numbers = PoolVec::new();
        numbers.try_reserve_exact(length).map_err(|_| NoRoom::of::<u32>(length))?;
        // SAFETY: there is room for them, and they need no value. (`resize_with` would touch the memory in a debug build.)
        unsafe { numbers.set_len(length) };
        let mut resized = Self { numbers };
        if self.is_built() {
            resized.fill((0..self.numbers.len()).map(|at| self.get(at)));
        } else {
            resized.set_flags(self.flags());
        }
        Ok(resized)
    }

    /// How many numbers there are for `slots` slots.
    fn length_for(&self, slots: usize) -> usize {
        if slots == 0 && !self.is_built() { 0 } else { of_place(slots) }
    }

    /// Heap bytes held, perhaps never touched.
    pub(super) fn bytes(&self) -> usize {
        self.numbers.capacity() * size_of::<u32>()
    }

    /// Sets all numbers: to those, and the rest to 0.
    fn fill(&mut self, numbers: impl IntoIterator<Item = u32>) {
        let numbers = numbers.into_iter().chain(iter::repeat(0));
        self.numbers.iter_mut().zip(numbers).for_each(|(at, value)| *at = number(value));
    }

    /// Gives a slot a place.
    fn put(&self, slot: u32, place: usize) {
        self.set(of_place(place), slot);
        self.set(of_slot(slot as usize), place as u32);
    }

    #[inline]
    fn set(&self, at: usize, number: u32) {
        let at = self.numbers[at].as_ptr().cast::<u32>().cast_mut();
        // SAFETY: it is one of the numbers, which are atomic, so they may be written behind a shared reference; and it
        // is not read here.
        unsafe { AtomicU32::from_ptr(at) }.store(number, Ordering::Relaxed);
    }

    /// One of the numbers, which are built.
    #[inline]
    fn get(&self, at: usize) -> u32 {
        assert!(self.is_built());
        // SAFETY: all numbers are initialised once they are built.
        unsafe { self.numbers[at].assume_init_ref() }.load(Ordering::Relaxed)
    }
}

impl Dense {
    /// Forgets the tables: the next request builds them anew.
    pub(super) fn forget(&mut self) {
        self.set_flags(self.flags() & !BUILT);
    }

    /// Undoes [`Dense::remove`] of a slot that had this place; `count` others are live.
    pub(super) fn undo_remove(&mut self, slot: u32, place: usize, count: usize) {
        if self.is_built() && place <= count {
            let moved = if place < count { self.get(of_place(place)) } else { slot };
            self.put(moved, count);
            self.put(slot, place);
        }
    }
}

impl Clone for Dense {
    fn clone(&self) -> Self {
        let layout = Layout::new::<u32>();
        self.resized(self.slots()).unwrap_or_else(|_| handle_alloc_error(layout))
    }
}
