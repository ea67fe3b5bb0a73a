//! All contestants of a table side by side, and how the targets were met.
//!
//! ```sh
//! cargo run --profile measured --manifest-path benches/Cargo.toml -- [w1|w2|..|all].. [--rounds 31] \
//!     [--costs] [--save FILE | --append FILE]
//! ```
//!
//! Names select all tables that begin with one of them. Each table gets a process of its own: memory that one
//! leaves scattered would slow the next. Nothing is asserted about times, and the exit code is always 0; a contestant that
//! computes something wrong panics.

fn main() {
    typed_pool_benches::race::side_by_side();
}
