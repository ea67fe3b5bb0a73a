//! The feature `sites`: which line has made the element in each slot of a roster.

use core::alloc::Layout;

use crate::base::heap::PoolVec;
use crate::base::watch::sites::{IS_SITED, Line};

/// A line for each slot.
#[derive(Debug)]
pub(super) struct Lines([PoolVec<Line>; IS_SITED as usize]);

impl Lines {
    pub(super) const fn new() -> Self {
        Self([const { PoolVec::new() }; IS_SITED as usize])
    }

    /// The same with room for `slots` slots; or what the heap has no room for.
    pub(super) fn room(&self, slots: usize) -> Result<Self, Layout> {
        let mut with_room = Self::new();
        for (lines, old) in with_room.0.iter_mut().zip(&self.0) {
            let slots = slots.max(old.len());
            let layout = || Layout::array::<Line>(slots).unwrap_or(Layout::new::<Line>());
            lines.try_reserve_exact(slots).map_err(|_| layout())?;
            lines.extend_from_slice(old);
            lines.resize(slots, Line::NONE);
        }
        Ok(with_room)
    }

    /// There are no more slots than these.
    pub(super) fn truncate(&mut self, slots: usize) {
        let Some(lines) = self.0.first_mut() else { return };
        lines.truncate(slots);
        if is_much_less(slots, lines.capacity()) {
            // If the heap has no room for fewer, there are as many as before.
            if let Ok(smaller) = self.room(slots) {
                *self = smaller;
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes_after(core::iter::empty())
    }

    /// The bytes after [`Lines::truncate`] to each of these in turn.
    pub(super) fn bytes_after(&self, slots: impl Iterator<Item = usize>) -> usize {
        let less = |room, slots| if is_much_less(slots, room) { slots } else { room };
        slots.fold(self.0.first().map_or(0, |lines| lines.capacity()), less) * size_of::<Line>()
    }

    pub(super) fn get(&self, slot: u32) -> Line {
        self.0.first().map_or(Line::NONE, |lines| lines[slot as usize])
    }

    #[inline(always)]
    pub(super) fn set(&mut self, slot: u32, line: Line) {
        if IS_SITED {
            self.0.iter_mut().for_each(|lines| lines[slot as usize] = line);
        }
    }

    /// Shows the line of each element.
    pub(super) fn show(&self, found: &mut dyn FnMut(Line)) {
        self.0.iter().flat_map(|lines| lines.iter()).for_each(|&line| found(line));
    }
}

/// By halves: giving up many chunks should not move the lines as many times.
fn is_much_less(slots: usize, room: usize) -> bool {
    slots <= room / 2
}
