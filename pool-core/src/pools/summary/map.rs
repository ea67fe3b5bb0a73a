//! A map as text.

mod svg;

use core::fmt::{self, Write as _};

use crate::base::map::{MapChunk, PoolMap, SlotUse};
use crate::base::stats::{Counted, OneLine};

/// How wide a line is, unless the format says so.
const WIDTH: usize = 80;

/// The least that makes sense.
const LEAST_WIDTH: usize = 8;

/// How many lines the chunks take together, unless the format says so.
const LINES: usize = 24;

/// How many slots a half block stands for, so that all chunks together take at most `lines` lines of `blocks` half blocks, if each
/// chunk takes a line at least.
#[inline]
pub(super) fn scale(map: &PoolMap, blocks: usize, lines: usize) -> usize {
    let mut scale = 1;
    loop {
        let lines_of = |chunk: MapChunk<'_>| chunk.slots().div_ceil(scale).div_ceil(blocks);
        let taken: usize = map.chunks().map(lines_of).sum();
        if taken <= lines.max(map.chunks().len()) {
            return scale;
        }
        scale *= 2;
    }
}

/// Groups of `scale` slots, each with its number of occupied slots, of vacant ones that were used, and of all.
#[inline]
pub(super) fn groups(chunk: MapChunk<'_>, scale: usize) -> impl Iterator<Item = Group> {
    let mut runs = chunk.runs();
    let mut rest = runs.next();
    core::iter::from_fn(move || {
        let mut group = Group::default();
        while let Some((as_what, slots)) = rest.filter(|_| group.slots < scale) {
            let taken = slots.min(scale - group.slots);
            group.slots += taken;
            group.occupied += if as_what.is_occupied() { taken } else { 0 };
            group.used += if as_what == SlotUse::NeverUsed { 0 } else { taken };
            rest = if taken < slots { Some((as_what, slots - taken)) } else { runs.next() };
        }
        (group.slots > 0).then_some(group)
    })
}

/// Adjacent slots that are drawn as one.
#[derive(Clone, Copy, Default)]
pub(super) struct Group {
    pub(super) slots: usize,
    pub(super) occupied: usize,
    /// Occupied, or used before.
    pub(super) used: usize,
}

impl Group {
    fn is_full(self) -> bool {
        self.occupied == self.slots
    }

    /// The character for this group above another. Where one of them is live in part, a shade for both: a scattered pool is to look it.
    fn above(self, lower: Self) -> char {
        let is_mixed = |group: Self| group.occupied > 0 && !group.is_full();
        let (occupied, slots) = (self.occupied + lower.occupied, self.slots + lower.slots);
        match (self.occupied > 0, lower.occupied > 0) {
            _ if is_mixed(self) || is_mixed(lower) => SHADES[occupied * SHADES.len() / slots],
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        }
    }
}

/// How much of a cell is live, by thirds; fewer than all.
const SHADES: [char; 3] = ['░', '▒', '▓'];

impl fmt::Display for PoolMap {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = f.width().unwrap_or(WIDTH).max(LEAST_WIDTH) - 2;
        let lines = if f.alternate() { usize::MAX } else { f.precision().unwrap_or(LINES) };
        let scale = scale(self, 2 * inner, lines);
        let (slots, bytes, chunks) = (self.slots(), self.bytes(), self.chunks().len());
        let unit = if self.is_of_bytes() { "bytes" } else { "slots" };
        write!(f, "{}: {} of {slots} {unit} ", OneLine(self.name()), self.live())?;
        if !self.is_of_bytes() {
            write!(f, "of {} bytes ", self.slot_bytes())?;
        }
        write!(f, "live, in {}, {bytes} bytes", Counted(chunks, "chunk"))?;
        if self.kept_elsewhere() > 0 {
            write!(f, " ({} kept by other threads are drawn as live)", self.kept_elsewhere())?;
        }
        for (number, chunk) in self.chunks().enumerate() {
            let (live, slots) = (chunk.live(), chunk.slots());
            write!(f, "\nchunk {number} at {:#x}: {live} of {slots} live", chunk.address())?;
            let mut groups = groups(chunk, scale).peekable();
            while groups.peek().is_some() {
                f.write_str("\n|")?;
                for _ in 0..inner {
                    let Some(upper) = groups.next() else { break };
                    f.write_char(upper.above(groups.next().unwrap_or_default()))?;
                }
                f.write_char('|')?;
            }
        }
        if chunks == 0 {
            return Ok(());
        }
        if scale > 1 {
            let cell = 2 * scale;
            write!(
                f,
                "\na half block is {scale} {unit}, all live; ░ ▒ ▓ are {cell}, and live by thirds"
            )?;
        }
        f.write_str("\nchunks by tenths of live slots, from empty to full:")?;
        self.fullness().into_iter().try_for_each(|chunks| write!(f, " {chunks}"))?;
        let (bytes, run) = (self.returnable_bytes(), self.longest_vacant_run());
        write!(f, "\na trim returns {bytes} bytes; the longest vacant run is {run} {unit}")
    }
}
