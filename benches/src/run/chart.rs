//! A chart of bars: ours orange, pale ones are limits and contestants that do less.

use std::fmt::Write as _;

use super::markdown::{is_ours, is_peer};
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

/// Draws tables, each with its workload in a few words.
pub fn of(tables: &[(&Outcome, &str)]) -> String {
    let rows: usize = tables.iter().map(|(table, _)| table.standings.len()).sum();
    let height = rows as f64 * ROW + tables.len() as f64 * HEAD + 12.0;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" xmlns=\"http://www.w3.org/2000/svg\">\n\
         <rect fill=\"#ffffff\" height=\"{height}\" width=\"{WIDTH}\"/>\n"
    );
    let text = |svg: &mut String, x: f64, y: f64, rest: &str, words: &str| {
        let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let font = "fill=\"#1e293b\" font-family=\"system-ui, sans-serif\"";
        _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" {font} {rest}>{words}</text>");
    };
    let mut y = 6.0;
    for (table, what) in tables {
        let head = format!("{}: {what}", table.table);
        text(&mut svg, 8.0, y + 20.0, "font-size=\"13\" font-weight=\"bold\"", &head);
        y += HEAD;
        for Standing { contestant, value, times } in &table.standings {
            let colour = match contestant {
                ours if is_ours(ours) => "#c2410c",
                peer if is_peer(peer) => "#64748b",
                _ => "#b6c2d1",
            };
            let cut = if *times > LONGEST { " \u{2192}" } else { "" };
            let length = (times.min(LONGEST) / LONGEST * (WIDTH - LEFT - RIGHT)).max(1.0);
            let label = format!("{value:.1} {} \u{d7}{times:.2}{cut}", table.unit.name());
            let (top, size) = (y - 11.0, ROW - 5.0);
            text(&mut svg, LEFT - 8.0, y, "font-size=\"12\" text-anchor=\"end\"", contestant);
            _ = writeln!(
                svg,
                "<rect fill=\"{colour}\" height=\"{size}\" width=\"{length}\" x=\"{LEFT}\" y=\"{top}\"/>"
            );
            text(&mut svg, LEFT + length + 6.0, y, "font-size=\"12\"", &label);
            y += ROW;
        }
    }
    svg + "</svg>\n"
}
