//! All contestants of a table side by side; and the tables of saved runs, to be pasted into the documents.
//!
//! ```sh
//! cargo run --profile measured --manifest-path benches/Cargo.toml -- [w1|w2|..|all].. [--rounds 31] [--save FILE | --append FILE]
//! cargo run --profile measured --manifest-path benches/Cargo.toml -- tables docs/performance/*.csv
//! cargo run --profile measured --manifest-path benches/Cargo.toml -- tables docs/performance/NAME.csv --chart w3/ >docs/charts/churn.svg
//! ```
//!
//! Names select all tables that begin with one of them. Nothing is asserted about times, and the exit code is always 0; a contestant
//! that computes something wrong panics. `--test` runs each table for two rounds, and fails where a contestant does.

fn main() {
    typed_pool_benches::race::program::run();
}
