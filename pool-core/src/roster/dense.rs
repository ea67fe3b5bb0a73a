//! Dense indices: the places of live slots in a list without gaps.
//!
//! The two tables come from the swap-delete design (T. Cohen, Insomniac Games, 2010; M. Labbe, 2023): `order` lists
//! the live slots, every live slot knows its place there, and one is taken out by moving the last into its place.
//! Keeping them makes a removal 2.8 times as expensive (`docs/decisions/roster.md`), so before an index is
//! requested they are not written, and their memory is not touched. From then on they are kept up to date.

use alloc::alloc::alloc_zeroed;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::roster::word::live_slots;

/// The tables, with a number for each slot.
///
/// They are built behind a shared reference, perhaps by several threads at once. All threads write the same
/// numbers, since the roster cannot change meanwhile; so none has to wait for another.
#[derive(Debug)]
pub(super) struct Dense {
    /// One flag, once there are slots. It is behind a pointer because the compiler may assume that the fields of a
    /// shared roster do not change while handles are followed.
    built: Vec<AtomicBool>,
    order: Vec<AtomicU32>,
    places: Vec<AtomicU32>,
}

impl Dense {
    pub(super) const fn new() -> Self {
        Self { built: Vec::new(), order: Vec::new(), places: Vec::new() }
    }

    /// The place of a live slot.
    pub(super) fn place(&self, slot: u32, words: &[u32]) -> usize {
        self.build(words);
        self.places[slot as usize].load(Ordering::Relaxed) as usize
    }

    /// The live slot at a place below their number.
    pub(super) fn slot(&self, place: usize, words: &[u32]) -> u32 {
        self.build(words);
        self.order[place].load(Ordering::Relaxed)
    }

    /// The live slots in their order, if one was requested; other numbers follow.
    #[cfg(feature = "serde")]
    pub(super) fn order(&self) -> Option<impl ExactSizeIterator<Item = u32> + Clone> {
        self.is_built().then(|| self.order.iter().map(|slot| slot.load(Ordering::Relaxed)))
    }

    #[inline]
    fn is_built(&self) -> bool {
        self.built.first().is_some_and(|built| built.load(Ordering::Acquire))
    }

    /// Whether the tables have to be kept up to date.
    #[inline(always)]
    pub(super) fn is_kept(&mut self) -> bool {
        self.built.first_mut().is_some_and(|built| *built.get_mut())
    }

    /// [`Dense::is_kept`].
    ///
    /// # Safety
    ///
    /// There are slots.
    #[inline(always)]
    pub(super) unsafe fn is_kept_unchecked(&mut self) -> bool {
        // SAFETY: there is a flag once there are slots.
        let built = unsafe { self.built.get_unchecked_mut(0) };
        *built.get_mut()
    }

    #[inline]
    fn build(&self, words: &[u32]) {
        // Pairs with the store below: a thread that sees `true` sees the numbers.
        if !self.is_built() {
            self.build_now(words);
        }
    }

    #[cold]
    fn build_now(&self, words: &[u32]) {
        for (slot, place) in live_slots(words).zip(0..) {
            self.order[place as usize].store(slot, Ordering::Relaxed);
            self.places[slot as usize].store(place, Ordering::Relaxed);
        }
        for built in &self.built {
            built.store(true, Ordering::Release);
        }
    }

    /// Takes over an order, which must be one of the live slots.
    #[cfg(feature = "serde")]
    pub(super) fn set(&mut self, order: &[u32]) {
        for (place, &slot) in order.iter().enumerate() {
            *self.order[place].get_mut() = slot;
            *self.places[slot as usize].get_mut() = place as u32;
        }
        for built in &mut self.built {
            *built.get_mut() = true;
        }
    }

    /// A slot has become live beside `count` others.
    pub(super) fn insert(&mut self, slot: usize, count: usize) {
        if self.is_kept() {
            *self.order[count].get_mut() = slot as u32;
            *self.places[slot].get_mut() = count as u32;
        }
    }

    /// A slot is no longer live; `count` others are.
    ///
    /// # Safety
    ///
    /// The slot exists.
    #[inline(always)]
    pub(super) unsafe fn remove(&mut self, slot: usize, count: usize) {
        // SAFETY: the slot exists.
        if unsafe { self.is_kept_unchecked() } {
            self.swap_remove(slot, count);
        }
    }

    #[cold]
    #[inline(never)]
    extern "C" fn swap_remove(&mut self, slot: usize, count: usize) {
        let place = *self.places[slot].get_mut();
        let last = *self.order[count].get_mut();
        *self.order[place as usize].get_mut() = last;
        *self.places[last as usize].get_mut() = place;
    }

    /// The same, in tables of a number for each of `slots` slots; `None` if the heap has no room.
    pub(super) fn resized(&self, slots: usize) -> Option<Self> {
        let is_built = self.is_built();
        let mut built = Vec::new();
        built.try_reserve_exact(1).ok()?;
        built.push(AtomicBool::new(is_built));
        let mut order = zeros(slots)?;
        let mut places = zeros(slots)?;
        if is_built {
            copy(&self.order, &mut order);
            copy(&self.places, &mut places);
        }
        Some(Self { built, order, places })
    }

    /// Heap bytes held, perhaps never touched.
    pub(super) fn bytes(&self) -> usize {
        (self.order.capacity() + self.places.capacity()) * size_of::<u32>()
    }
}

impl Clone for Dense {
    fn clone(&self) -> Self {
        let built = self.built.iter().map(|built| AtomicBool::new(built.load(Ordering::Acquire)));
        let table = |from: &[AtomicU32]| {
            from.iter().map(|number| AtomicU32::new(number.load(Ordering::Relaxed))).collect()
        };
        Self { built: built.collect(), order: table(&self.order), places: table(&self.places) }
    }
}

fn copy(from: &[AtomicU32], to: &mut [AtomicU32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to.get_mut() = from.load(Ordering::Relaxed);
    }
}

/// `count` zeros, in memory that the heap knows to be zero, so it is not touched here. `None` if the heap has no
/// room.
fn zeros(count: usize) -> Option<Vec<AtomicU32>> {
    let layout = Layout::array::<AtomicU32>(count).ok()?;
    if layout.size() == 0 {
        return Some(Vec::new());
    }
    // SAFETY: the size is not 0.
    let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
    // SAFETY: the block has the layout of a vector with this capacity, and zero is an `AtomicU32`.
    Some(unsafe { Vec::from_raw_parts(block.as_ptr().cast(), count, count) })
}
