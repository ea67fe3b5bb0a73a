//! Tables in Markdown, and a line for each target.

use super::{OURS, Table, Track};

/// What every target's line begins with; the runner collects them by it.
pub const TARGET_MARK: &str = "- ";

/// Prints a table and how its targets were met.
pub fn print(table: &Table, tracks: &[Track]) {
    let rounds = tracks.first().map_or(0, |track| track.nanos.len());
    println!("\n### {}: {} ({} rounds)\n", table.name, table.what, rounds);
    let ours = tracks.iter().find(|track| track.name == OURS).or(tracks.first());
    let name = ours.map_or("", |ours| ours.name);
    println!("| contestant | {} | times {name} |\n|---|---:|---:|", table.unit.name());
    for track in tracks {
        let time = track.median() / table.unit.nanos();
        let ratio = ours.map_or(f64::NAN, |ours| track.times(ours));
        println!("| {} | {time:.2} | {ratio:.2} |", track.name);
    }
    let verdicts: Vec<_> =
        table.targets.iter().filter_map(|target| target.judge(table.name, tracks)).collect();
    if !verdicts.is_empty() {
        println!();
    }
    for verdict in verdicts {
        println!("{TARGET_MARK}{verdict}");
    }
}
