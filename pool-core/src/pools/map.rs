//! A map as text, and as a picture.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use crate::base::map::{MapChunk, PoolMap, SlotUse};
use crate::base::stats::{Counted, OneLine};

/// The cells of a line.
const COLUMNS: usize = 80;

/// The most lines that all chunks take together, if each takes one at least.
const LINES: usize = 24;

/// The fill of a cell, adjacent slots that are drawn as one: 0 if no slot was ever used, 1 if none is in use, from 2 by quarters to
/// 5, where all are.
#[inline]
fn shade(cell: &[SlotUse]) -> usize {
    let is_free = |slot: &&SlotUse| matches!(slot, SlotUse::Vacant | SlotUse::NeverUsed);
    let used = cell.len() - cell.iter().filter(is_free).count();
    match used {
        0 => usize::from(cell.contains(&SlotUse::Vacant)),
        _ => 1 + (4 * used).div_ceil(cell.len()),
    }
}

/// The drawing of a cell: by its [`shade`], a character and a colour.
const SHADES: [(char, &str, &str); 6] = [
    (' ', "#edf0f2", "never used"),
    ('·', "#cbd2d9", "vacant"),
    ('░', "#a9d6cd", "in use: up to a quarter"),
    ('▒', "#6bb8a8", "a half"),
    ('▓', "#2f9482", "three quarters"),
    ('█', "#0b5e50", "more"),
];

impl PoolMap {
    /// Slots in a cell, so that the chunks take few enough lines.
    #[inline]
    fn scale(&self) -> usize {
        let lines = |scale: usize| {
            let lines_of = |chunk: MapChunk<'_>| chunk.slots().len().div_ceil(scale * COLUMNS);
            self.chunks().map(lines_of).sum::<usize>()
        };
        let scales = (0..usize::BITS).map(|power| 1 << power);
        let most = LINES.max(self.chunks().len());
        scales.into_iter().find(|scale| lines(*scale) <= most).unwrap_or(1)
    }

    /// Writes the first line: the name and the numbers.
    fn write_title(&self, f: &mut impl fmt::Write) -> fmt::Result {
        let slots: usize = self.chunks().map(|chunk| chunk.slots().len()).sum();
        let bytes: usize = self.chunks().map(|chunk| chunk.bytes()).sum();
        let (name, live, slot) = (OneLine(self.name()), self.live(), self.slot_bytes());
        let chunks = Counted(self.chunks().len(), "chunk");
        write!(
            f,
            "{name}: {live} of {slots} slots of {slot} bytes live, in {chunks}, {bytes} bytes"
        )
    }

    /// Returns the map as an SVG document: chunks as rows of cells, with a legend. O(slots).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<[f32; 4]>::bounded(1000);
    /// let some: Vec<_> = (0..100).map(|n| pool.alloc([n as f32; 4])).collect();
    /// let picture = pool.map().to_svg();
    /// assert!(picture.starts_with("<svg") && picture.contains("100 of 1000 slots"));
    /// # drop(some);
    /// ```
    #[must_use]
    #[inline]
    pub fn to_svg(&self) -> String {
        const WIDTH: usize = 11;
        const HEIGHT: usize = 12;
        let (scale, mut body, mut y) = (self.scale(), String::new(), 24);
        let mut title = String::new();
        // Writing to a `String` does not fail.
        let _ = self.write_title(&mut title);
        let title = title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = write!(body, "<text x=\"16\" y=\"{y}\" font-weight=\"bold\">{title}</text>");
        for chunk in self.chunks() {
            y += 2 * HEIGHT;
            for line in chunk.slots().chunks(scale * COLUMNS) {
                let mut x = 16;
                let shades: Vec<_> = line.chunks(scale).map(shade).collect();
                for run in shades.chunk_by(PartialEq::eq) {
                    let (width, height, colour) = (run.len() * WIDTH, HEIGHT - 1, SHADES[run[0]].1);
                    let _ = write!(
                        body,
                        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{colour}\"/>"
                    );
                    x += width;
                }
                y += HEIGHT;
            }
        }
        y += 2 * HEIGHT;
        let mut x = 16;
        for (_, colour, meaning) in SHADES {
            let _ = write!(
                body,
                "<rect x=\"{x}\" y=\"{y}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
                 <text x=\"{}\" y=\"{}\">{meaning}</text>",
                x + 18,
                y + 11
            );
            x += 40 + 8 * meaning.len();
        }
        let (width, height) = (32 + COLUMNS * WIDTH, y + 48);
        let _ = write!(
            body,
            "<text x=\"16\" y=\"{}\">a cell is {}</text>",
            y + 32,
            Counted(scale, "slot")
        );
        alloc::format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#1f2933\">\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>{body}</svg>"
        )
    }
}

impl fmt::Display for PoolMap {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = self.scale();
        self.write_title(f)?;
        if self.kept_elsewhere() > 0 {
            write!(f, " ({} kept by other threads are drawn as live)", self.kept_elsewhere())?;
        }
        for (number, chunk) in self.chunks().enumerate() {
            let (live, slots) = (chunk.live(), chunk.slots().len());
            write!(f, "\nchunk {number} at {:#x}: {live} of {slots} live", chunk.address())?;
            for line in chunk.slots().chunks(scale * COLUMNS) {
                f.write_str("\n|")?;
                line.chunks(scale).try_for_each(|cell| f.write_char(SHADES[shade(cell)].0))?;
                f.write_char('|')?;
            }
        }
        write!(f, "\na cell is {}; blank never used", Counted(scale, "slot"))?;
        for (character, _, meaning) in &SHADES[1..] {
            write!(f, "; {character} {meaning}")?;
        }
        Ok(())
    }
}
