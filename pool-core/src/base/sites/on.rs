//! The feature `sites`: the table of lines, and what stands beside slots.

use core::alloc::Layout;
use core::num::NonZeroU32;
use core::panic::Location;
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use crate::base::heap::PoolVec;

#[cfg(feature = "std")]
pub(crate) mod remains;

/// Whether each live element knows the line that made it.
pub(crate) const IS_SITED: bool = true;

/// How many lines the process can tell apart. What others make has no site. (A page of the table is there once a line is entered.)
pub(crate) const MOST_LINES: usize = if cfg!(feature = "std") { 16 * 1024 } else { 512 };

/// How many places are looked at for a line.
const PROBES: usize = 32;

/// The lines that have made elements: a place is found by the address of the line's [`Location`]. What has been entered stays, and what
/// it points to is never changed, so readers need no lock. The heap is not asked: it may be a user of pools itself.
static LINES: [AtomicPtr<Location<'static>>; MOST_LINES] =
    [const { AtomicPtr::new(ptr::null_mut()) }; MOST_LINES];

/// The number of a line, which is its place and one; 0 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line(u32);

impl Line {
    pub(crate) const NONE: Self = Self(0);

    /// The line that calls the function that asks.
    #[inline]
    #[track_caller]
    pub(crate) fn of_caller() -> Self {
        let location = ptr::from_ref(Location::caller()).cast_mut();
        let place = first_place(location);
        if LINES[place].load(Ordering::Relaxed) == location {
            return Self(place as u32 + 1);
        }
        find_or_enter(location)
    }
}

/// Locations lie side by side, most of them 24 bytes each, so no other mixing is needed.
#[inline]
fn first_place(location: *mut Location<'static>) -> usize {
    (location.addr() / align_of::<Location<'static>>()) % MOST_LINES
}

#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
extern "C" fn find_or_enter(location: *mut Location<'static>) -> Line {
    let first = first_place(location);
    for place in (first..first + PROBES).map(|place| place % MOST_LINES) {
        let found = LINES[place].load(Ordering::Relaxed);
        if found == location || (found.is_null() && enter(place, location)) {
            return Line(place as u32 + 1);
        }
    }
    Line::NONE
}

/// Whether the line is in this place, which was empty.
#[cfg(target_has_atomic = "ptr")]
fn enter(place: usize, location: *mut Location<'static>) -> bool {
    let null = ptr::null_mut();
    let entered =
        LINES[place].compare_exchange(null, location, Ordering::Release, Ordering::Relaxed);
    entered.map_or_else(|found| found == location, |_| true)
}

/// On targets without compare-and-swap, where pools are not listed either, no line is entered.
#[cfg(not(target_has_atomic = "ptr"))]
fn enter(_: usize, _: *mut Location<'static>) -> bool {
    false
}

/// The line with this number.
pub(crate) fn location(number: NonZeroU32) -> Option<&'static Location<'static>> {
    let line = LINES.get(number.get() as usize - 1)?.load(Ordering::Acquire);
    // SAFETY: null, or from a `&'static` (`Line::of_caller`).
    unsafe { line.as_ref() }
}

/// The numbers beside the slots of a chunk. They lie between its header and its slots.
pub(crate) struct ChunkSites(*mut u32);

impl ChunkSites {
    /// The layout of the numbers of `slots` slots; `None` where that exceeds `isize::MAX` bytes.
    pub(crate) fn layout(slots: usize) -> Option<Layout> {
        Layout::array::<u32>(slots).ok()
    }

    /// The numbers at `start`: all 0.
    ///
    /// # Safety
    ///
    /// It is aligned, and there is room for what [`ChunkSites::layout`] says, for as long as they are used.
    pub(crate) unsafe fn new(start: *mut u8, slots: usize) -> Self {
        let sites = Self(start.cast());
        // SAFETY: passed on from the caller.
        unsafe { sites.clear(slots) };
        sites
    }

    /// Which line's element lies in the slot with this number.
    ///
    /// # Safety
    ///
    /// As for [`ChunkSites::set`].
    pub(crate) unsafe fn get(&self, slot: usize) -> Line {
        // SAFETY: it is initialised (`new`), and there is one for each slot (caller).
        Line(unsafe { self.0.wrapping_add(slot).read() })
    }

    /// Writes down which line's element lies in the slot with this number.
    ///
    /// # Safety
    ///
    /// There is a slot with this number, and no other thread uses the numbers.
    #[inline(always)]
    pub(crate) unsafe fn set(&self, slot: usize, line: Line) {
        // SAFETY: there is one for each slot, and nobody else reads it (caller).
        unsafe { self.0.wrapping_add(slot).write(line.0) };
    }

    /// No slot has an element.
    ///
    /// # Safety
    ///
    /// There are `slots` slots, and no other thread uses the numbers.
    pub(crate) unsafe fn clear(&self, slots: usize) {
        // SAFETY: passed on from the caller.
        unsafe { self.0.write_bytes(0, slots) };
    }

    /// Shows the line of each element.
    ///
    /// # Safety
    ///
    /// As for [`ChunkSites::clear`].
    pub(crate) unsafe fn show(&self, slots: usize, found: &mut dyn FnMut(NonZeroU32)) {
        for slot in 0..slots {
            // SAFETY: it is initialised (`new`), and there is one for each slot (caller).
            let number = unsafe { self.0.wrapping_add(slot).read() };
            NonZeroU32::new(number).into_iter().for_each(&mut *found);
        }
    }
}

/// The numbers beside the slots of a static pool with a capacity. Relaxed: they are figures.
#[derive(Debug)]
pub(crate) struct FixedSites<const N: usize>([AtomicU32; N]);

impl<const N: usize> FixedSites<N> {
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const NONE: Self = Self([const { AtomicU32::new(0) }; N]);

    /// Writes down which line's element lies in the slot with this index.
    #[inline(always)]
    pub(crate) fn set(&self, index: usize, line: Line) {
        self.0[index].store(line.0, Ordering::Relaxed);
    }

    /// Shows the line of each element.
    pub(crate) fn show(&self, found: &mut dyn FnMut(NonZeroU32)) {
        for number in &self.0 {
            NonZeroU32::new(number.load(Ordering::Relaxed)).into_iter().for_each(&mut *found);
        }
    }
}

/// The numbers beside the slots of a roster.
#[derive(Debug)]
pub(crate) struct RosterSites(PoolVec<u32>);

impl RosterSites {
    pub(crate) const fn new() -> Self {
        Self(PoolVec::new())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<u32>()
    }

    /// The same with room for `slots` slots; or what the heap has no room for.
    pub(crate) fn room(&self, slots: usize) -> Result<Self, Layout> {
        let mut numbers = PoolVec::new();
        let layout = || Layout::array::<u32>(slots).unwrap_or(Layout::new::<u32>());
        numbers.try_reserve_exact(slots.max(self.0.len())).map_err(|_| layout())?;
        numbers.extend_from_slice(&self.0);
        numbers.resize(slots.max(self.0.len()), 0);
        Ok(Self(numbers))
    }

    /// There are no more slots than these.
    pub(crate) fn truncate(&mut self, slots: usize) {
        self.0.truncate(slots);
        if Self::is_much_less(slots, self.0.capacity()) {
            // If the heap has no room for fewer, there are as many as before.
            if let Ok(smaller) = self.room(slots) {
                *self = smaller;
            }
        }
    }

    /// By halves: giving up many chunks should not move the numbers as many times.
    fn is_much_less(slots: usize, room: usize) -> bool {
        slots <= room / 2
    }

    /// The bytes after [`RosterSites::truncate`] to each of these in turn.
    pub(crate) fn bytes_after(&self, slots: impl Iterator<Item = usize>) -> usize {
        let less = |room, slots| if Self::is_much_less(slots, room) { slots } else { room };
        slots.fold(self.0.capacity(), less) * size_of::<u32>()
    }

    /// Which line's element lies in a slot.
    pub(crate) fn get(&self, slot: u32) -> Line {
        Line(self.0[slot as usize])
    }

    /// Writes down which line's element lies in a slot.
    #[inline(always)]
    pub(crate) fn set(&mut self, slot: u32, line: Line) {
        self.0[slot as usize] = line.0;
    }

    /// Shows the line of each element.
    pub(crate) fn show(&self, found: &mut dyn FnMut(NonZeroU32)) {
        self.0.iter().filter_map(|&number| NonZeroU32::new(number)).for_each(found);
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::vec;
    use alloc::vec::Vec;
    use core::num::NonZeroU32;
    use core::panic::Location;
    use core::ptr;

    use super::{Line, MOST_LINES, find_or_enter, location};

    /// It fills the table of this process.
    #[test]
    fn a_line_keeps_its_number_and_one_that_finds_no_place_has_none() {
        // To the table, each copy is a line, as it has an address of its own.
        let copies: &[Location<'static>] = vec![*Location::caller(); 2 * MOST_LINES].leak();
        let number_of = |copy| find_or_enter(ptr::from_ref::<Location<'_>>(copy).cast_mut());
        let lines: Vec<Line> = copies.iter().map(number_of).collect();
        let known: Vec<_> =
            lines.iter().zip(copies).filter(|(line, _)| **line != Line::NONE).collect();
        assert!((MOST_LINES / 2..=MOST_LINES).contains(&known.len()), "{}", known.len());
        let numbers: BTreeSet<u32> = known.iter().map(|(line, _)| line.0).collect();
        assert_eq!(numbers.len(), known.len(), "a number is one line's");
        for (line, copy) in known {
            assert!(ptr::eq(location(NonZeroU32::new(line.0).unwrap()).unwrap(), copy));
        }
        assert!(copies.iter().map(number_of).eq(lines), "they keep their numbers");
    }
}
