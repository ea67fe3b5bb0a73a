//! A box saved without the feature `serde`
//!
//! Fix: turn the feature on: `typed-pool = { version = "..", features = ["serde"] }`. Likewise `rayon`, for `par_values` and
//! its like.

use serde::Serialize;
use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
struct Item {
    count: u64,
}

fn save(value: impl Serialize) {}

fn save_all(items: &Vec<PoolBox<Item>>) {
    save(items);
}

fn main() {}
