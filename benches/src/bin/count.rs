//! A fixed amount of work, for a tool that counts instructions.
//!
//! ```sh
//! count pair-pool 20000
//! ```
//!
//! Two runs with different amounts differ by the work alone: start-up and growth cancel out.

use std::env;

use typed_pool_benches::Contestant;
use typed_pool_benches::contestants::{Derived, DerivedStack, Nothing, Slots, SystemBox};
use typed_pool_benches::limits::PlainList;
use typed_pool_benches::objects::Obj64;
use typed_pool_benches::workloads::binary_trees;
use typed_pool_benches::workloads::{Blind, pair};

/// Small enough that a few thousand of them are quick under a simulator.
const DEPTH: u32 = 4;

fn main() {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [workload, count] = arguments.as_slice() else {
        panic!("which workload, and how many?");
    };
    let count = count.parse().expect("a number");
    match workload.as_str() {
        "pair-pool" => pairs::<Derived>(count),
        "pair-stack" => pairs::<DerivedStack>(count),
        "pair-limit" => pairs::<Slots<PlainList>>(count),
        "pair-box" => pairs::<SystemBox>(count),
        "empty-loop" => pairs::<Nothing<Obj64>>(count),
        "node-tree" => trees(count),
        other => panic!("unknown workload: {other}"),
    }
}

/// So many pairs of alloc and free, 64 bytes.
fn pairs<C: Contestant<Obj64>>(count: u64) {
    pair::run(C::enter(), count, &mut Blind);
}

/// Binary trees with so many nodes in all, rounded down to whole trees.
fn trees(nodes: u64) {
    let trees = nodes / binary_trees::nodes(DEPTH);
    let heights: u64 = (0..trees).map(|_| binary_trees::tree(Derived, DEPTH)).sum();
    assert!(heights > 0, "not one whole tree");
}
