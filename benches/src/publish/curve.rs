//! Lines over the number of objects, both axes logarithmic.

use std::io;
use std::path::Path;

use svg::node::element::{Line, Polyline};

use super::chart::{WIDTH, colour, sheet, text};
use crate::race::Outcome;

const HEIGHT: f64 = 380.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 40.0;

/// From a nanosecond to two microseconds.
const DECADES: f64 = 3.3;

/// Draws and saves the tables `growth/KIND-COUNT`.
pub(super) fn save(tables: &[&Outcome], kind: &str, path: &Path) -> io::Result<()> {
    let points: Vec<(f64, &Outcome)> = tables
        .iter()
        .filter_map(|table| {
            let count = table.table.split('/').nth(1)?.strip_prefix(kind)?.strip_prefix('-')?;
            Some((count.parse().ok()?, *table))
        })
        .collect();
    let Some((first, table)) = points.first() else { return Ok(()) };
    let last = points.last().map_or(*first, |point| point.0);
    let x = |count: f64| {
        LEFT + (count / first).log10() / (last / first).log10() * (WIDTH - LEFT - RIGHT)
    };
    let y =
        |nanos: f64| HEIGHT - BOTTOM - nanos.max(1.0).log10() / DECADES * (HEIGHT - TOP - BOTTOM);
    let mut document = sheet(HEIGHT);
    for nanos in [1.0, 10.0, 100.0, 1000.0] {
        let line = Line::new()
            .set("x1", LEFT)
            .set("x2", WIDTH - RIGHT)
            .set("y1", y(nanos))
            .set("y2", y(nanos))
            .set("stroke", "#e2e8f0");
        let label = text(LEFT - 8.0, y(nanos) + 4.0, 12, &format!("{nanos} ns"));
        document = document.add(line).add(label.set("text-anchor", "end"));
    }
    for (count, _) in &points {
        let label = text(x(*count), HEIGHT - BOTTOM + 20.0, 12, &format!("{count:.0}"));
        document = document.add(label.set("text-anchor", "middle"));
    }
    let mut ends = Vec::new();
    for standing in &table.standings {
        let value = |table: &Outcome| table.of(&standing.contestant).map(|found| found.value);
        let line: Vec<_> = points
            .iter()
            .filter_map(|(count, table)| Some((x(*count), y(value(table)?))))
            .collect();
        let coordinates: Vec<_> = line.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let colour = colour(&standing.contestant);
        let line_of = Polyline::new()
            .set("points", coordinates.join(" "))
            .set("fill", "none")
            .set("stroke", colour)
            .set("stroke-width", 2);
        document = document.add(line_of);
        if let Some((_, y)) = line.last() {
            ends.push((*y, standing.contestant.as_str()));
        }
    }
    // Names at the ends of lines, one below the other where lines meet.
    ends.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut lowest = f64::MIN;
    for (y, name) in ends {
        let y = y.max(lowest + 15.0);
        lowest = y;
        document =
            document.add(text(WIDTH - RIGHT + 8.0, y + 4.0, 12, name).set("fill", colour(name)));
    }
    svg::save(path, &document)
}
