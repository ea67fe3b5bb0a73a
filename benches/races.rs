//! `cargo bench`: the tables of `side_by_side`; `-- --test` runs each for two rounds, and fails where a contestant does.

fn main() {
    typed_pool_benches::race::side_by_side();
}
