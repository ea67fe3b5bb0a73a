//! Prints the tables of saved runs in Markdown, to be pasted into the documents, or draws a chart.
//!
//! ```sh
//! cargo run --profile measured --manifest-path benches/Cargo.toml --bin tables -- docs/performance/*.csv
//! cargo run --profile measured --manifest-path benches/Cargo.toml --bin tables -- docs/performance/NAME.csv --chart w3 FILE.svg
//! ```

use std::env;
use std::path::Path;

use typed_pool_benches::run::{Run, chart, tables};

fn main() {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let files = arguments.iter().take_while(|argument| !argument.starts_with("--"));
    let runs: Vec<_> = files.map(|file| Run::load(Path::new(file))).collect();
    if let [.., flag, group, file] = &arguments[..]
        && flag == "--chart"
    {
        let is_wanted = |table: &str| table == group || table.starts_with(&format!("{group}/"));
        let wanted: Vec<_> =
            runs[0].outcomes.iter().filter(|outcome| is_wanted(&outcome.table)).collect();
        chart::save(&wanted, Path::new(file)).expect("the chart can be written");
        return;
    }
    for run in &runs {
        println!("{}", tables::of(run));
    }
    println!("### Losses\n\n{}", tables::losses(&runs));
}
