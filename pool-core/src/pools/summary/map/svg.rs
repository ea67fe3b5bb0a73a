//! A map as a picture.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

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

/// What is drawn so far. (Writing to a `String` does not fail.)
#[derive(Default)]
struct Picture {
    /// Horizontal lines in each colour.
    strokes: [String; COLOURS.len()],
    texts: String,
}

impl Picture {
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
                self.stroke(run[0], x, y, width);
            }
            x += width;
        }
    }

    fn stroke(&mut self, colour: usize, x: usize, y: usize, width: usize) {
        let _ = write!(self.strokes[colour], "M{x} {y}h{width}");
    }

    fn text(&mut self, x: usize, y: usize, content: &str) {
        let content = content.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(self.texts, r#"<text x="{x}" y="{y}">{content}</text>"#);
    }

    /// The document, of this height.
    fn document(self, height: usize) -> String {
        let width = 2 * MARGIN + COLUMNS * CELL.0;
        let mut document = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="13" fill="#1f2933">
<rect width="{width}" height="{height}" rx="8" fill="#ffffff"/>
"##
        );
        for (lines, (colour, _)) in self.strokes.iter().zip(COLOURS) {
            let _ = writeln!(
                document,
                r#"<path d="{lines}" stroke="{colour}" stroke-width="{}"/>"#,
                CELL.1 - 1
            );
        }
        document + &self.texts + "</svg>\n"
    }
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
        let mut picture = Picture::default();
        let mut y = MARGIN + LINE / 2;
        picture.text(MARGIN, y, &title);
        for (number, chunk) in self.chunks().enumerate() {
            y += LINE;
            let label = format!("chunk {number}: {} of {} live", chunk.live(), chunk.slots());
            picture.text(MARGIN, y, &label);
            y += LINE / 2;
            let colours: Vec<_> = groups(chunk, scale).map(colour_of).collect();
            for row in colours.chunks(COLUMNS) {
                picture.row(row, y);
                y += CELL.1;
            }
        }
        y += LINE;
        let mut x = MARGIN;
        for (number, (_, what)) in COLOURS.into_iter().enumerate() {
            picture.stroke(number, x, y - 4, 2 * CELL.0);
            picture.text(x + 3 * CELL.0, y, what);
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
        picture.text(MARGIN, y, &figures);
        picture.document(y + MARGIN)
    }
}
