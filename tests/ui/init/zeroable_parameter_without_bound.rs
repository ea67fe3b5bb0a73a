//! `zeroable!` of a generic struct without the bound
//!
//! Fix: write `zeroable!([T: init::Zeroable] Pair<T> { 0, 1 })`.

use typed_pool::zeroable;

struct Pair<T>(T, T);

zeroable!([T] Pair<T> { 0, 1 });

fn main() {}
