//! A map as a picture.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write as _;

use svg::node::element::{Path, Rectangle, Text};
use svg::{Document, Node};

use crate::base::map::PoolMap;
use crate::base::stats::{Counted, OneLine};
use crate::pools::summary::map::{Group, groups, scale};

/// Groups of slots in a row.
const COLUMNS: usize = 128;

/// How many rows the chunks take together at most, if each takes one at least.
const ROWS: usize = 32;

/// A group's width, and the height of a row.
const CELL: (usize, usize) = (7, 10);

/// Around everything.
const MARGIN: usize = 16;

/// For a line of text.
const LINE: usize = 20;

/// Never used, vacant, and live: up to a quarter, a half, three quarters, all.
const COLOURS: [(&str, &str); 6] = [
    ("#edf0f2", "never used"),
    ("#cbd2d9", "vacant"),
    ("#a9d6cd", "live: up to a quarter"),
    ("#6bb8a8", "a half"),
    ("#2f9482", "three quarters"),
    ("#0b5e50", "all"),
];

/// What a group is drawn in.
fn colour_of(group: Group) -> usize {
    match group.occupied {
        0 => usize::from(group.used > 0),
        live => 1 + (4 * live).div_ceil(group.slots),
    }
}

/// Horizontal lines in each colour.
#[derive(Default)]
struct Strokes([String; COLOURS.len()]);

impl Strokes {
    /// A row of groups, whose middle is at this height.
    fn row(&mut self, colours: &[usize], y: usize) {
        // What is not live lies below what is: so that runs are longer.
        let below: [usize; COLUMNS] =
            core::array::from_fn(|at| colours.get(at).map_or(usize::MAX, |&colour| colour.min(1)));
        self.runs(&below[..colours.len()], |_| true, y);
        self.runs(colours, |colour| colour > 1, y);
    }

    fn runs(&mut self, colours: &[usize], is_meant: impl Fn(usize) -> bool, y: usize) {
        let mut x = MARGIN;
        for run in colours.chunk_by(PartialEq::eq) {
            let width = run.len() * CELL.0;
            if is_meant(run[0]) {
                // A string takes all.
                let _ = write!(self.0[run[0]], "M{x} {y}h{width}");
            }
            x += width;
        }
    }
}

fn text(x: usize, y: usize, content: impl Into<String>) -> Text {
    Text::new(content).set("x", x).set("y", y)
}

impl PoolMap {
    /// A picture of the map, as an SVG document: chunks as rows, with a legend.
    ///
    /// In a large pool a cell stands for several slots, and its colour says how many of these are live.
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
    pub fn to_svg(&self) -> String {
        let scale = scale(self, COLUMNS, ROWS);
        let unit = if self.is_of_bytes() { "bytes" } else { "slots" };
        let (live, slots) = (self.live(), self.slots());
        let chunks = Counted(self.chunks().len(), "chunk");
        let title = format!("{}: {live} of {slots} {unit} live, in {chunks}", OneLine(self.name()));
        let mut picture = Document::new();
        let mut y = MARGIN + LINE / 2;
        let mut texts = vec![text(MARGIN, y, title).set("font-weight", "bold")];
        let mut strokes = Strokes::default();
        for (number, chunk) in self.chunks().enumerate() {
            y += LINE;
            let label = format!("chunk {number}: {} of {} live", chunk.live(), chunk.slots());
            texts.push(text(MARGIN, y, label));
            y += LINE / 2;
            let colours: Vec<_> = groups(chunk, scale).map(colour_of).collect();
            for row in colours.chunks(COLUMNS) {
                strokes.row(row, y);
                y += CELL.1;
            }
        }
        y += LINE;
        let mut x = MARGIN;
        for (number, (_, what)) in COLOURS.into_iter().enumerate() {
            let _ = write!(strokes.0[number], "M{x} {}h{}", y - 4, 2 * CELL.0);
            texts.push(text(x + 3 * CELL.0, y, what));
            x += 3 * CELL.0 + 8 * what.len() + 2 * CELL.0;
        }
        y += LINE;
        let cell = if scale == 1 {
            format!("a cell is one of the {unit}")
        } else {
            format!("a cell is {scale} {unit}")
        };
        let (run, bytes) = (self.longest_vacant_run(), self.returnable_bytes());
        let figures =
            format!("{cell}; the longest vacant run is {run} {unit}; a trim returns {bytes} bytes");
        texts.push(text(MARGIN, y, figures));
        let (width, height) = (2 * MARGIN + COLUMNS * CELL.0, y + MARGIN);
        picture = picture
            .set("viewBox", (0, 0, width, height))
            .set("width", width)
            .set("height", height)
            .set("font-family", "sans-serif")
            .set("font-size", 13)
            .set("fill", "#1f2933");
        let background = Rectangle::new().set("width", width).set("height", height);
        picture.append(background.set("rx", 8).set("fill", "#ffffff"));
        for (line, (colour, _)) in strokes.0.into_iter().zip(COLOURS) {
            let path = Path::new().set("d", line).set("stroke", colour);
            picture.append(path.set("stroke-width", CELL.1 - 1).set("fill", "none"));
        }
        texts.into_iter().for_each(|text| picture.append(text));
        picture.to_string()
    }
}
