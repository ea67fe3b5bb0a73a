//! A chart of bars: ours orange, pale ones are limits and contestants that do less.

use std::io;
use std::path::Path;

use svg::Document;
use svg::node::element::{Rectangle, Text};

use super::tables::{is_ours, is_peer};
use crate::race::{Outcome, Standing};

const WIDTH: f64 = 760.0;
/// The left end of the bars: names stand before it.
const LEFT: f64 = 210.0;
/// The room for a value behind the longest bar.
const RIGHT: f64 = 150.0;
const ROW: f64 = 17.0;
const HEAD: f64 = 38.0;

/// The longest bar, in times of typed-pool. What is longer is cut, and says how long it is.
const LONGEST: f64 = 4.0;

fn colour(contestant: &str) -> &'static str {
    if is_ours(contestant) {
        "#c2410c"
    } else if is_peer(contestant) {
        "#64748b"
    } else {
        "#b6c2d1"
    }
}

fn text(x: f64, y: f64, size: u32, words: &str) -> Text {
    Text::new(words)
        .set("x", x)
        .set("y", y)
        .set("font-family", "system-ui, sans-serif")
        .set("font-size", size)
        .set("fill", "#1e293b")
}

/// Draws tables into a file.
///
/// # Errors
///
/// The file cannot be written.
pub fn save(tables: &[&Outcome], path: &Path) -> io::Result<()> {
    let rows: usize = tables.iter().map(|table| table.standings.len()).sum();
    let height = rows as f64 * ROW + tables.len() as f64 * HEAD + 12.0;
    let paper = Rectangle::new().set("width", WIDTH).set("height", height).set("fill", "#ffffff");
    let mut document =
        Document::new().set("viewBox", (0, 0, WIDTH, height)).set("width", WIDTH).add(paper);
    let mut y = 6.0;
    for table in tables {
        let head = format!("{}: {}", table.table, table.what);
        document = document.add(text(8.0, y + 20.0, 13, &head).set("font-weight", "bold"));
        y += HEAD;
        let most = table.standings.iter().map(|standing| standing.value).fold(0.0, f64::max);
        for Standing { contestant, value, times } in &table.standings {
            let (part, ratio) = if table.has_ratios() {
                let cut = if *times > LONGEST { " \u{2192}" } else { "" };
                (times.min(LONGEST) / LONGEST, format!(" \u{d7}{times:.2}{cut}"))
            } else {
                (value.max(0.0) / most, String::new())
            };
            let length = part * (WIDTH - LEFT - RIGHT);
            let bar = Rectangle::new()
                .set("x", LEFT)
                .set("y", y - 11.0)
                .set("width", length.max(1.0))
                .set("height", ROW - 5.0)
                .set("fill", colour(contestant));
            let label = format!("{value:.1} {}{ratio}", table.unit.name());
            document = document
                .add(text(LEFT - 8.0, y, 12, contestant).set("text-anchor", "end"))
                .add(bar)
                .add(text(LEFT + length + 6.0, y, 12, &label));
            y += ROW;
        }
    }
    svg::save(path, &document)
}
