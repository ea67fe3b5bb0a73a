//! Every pool in view: lists, reports, snapshots, leaks and the lines of `sites` agree with what a program knows itself.

#![allow(dead_code, reason = "elements are there to be counted")]

mod asked;
#[path = "../common/leak.rs"]
mod leak;
mod leaks;
mod listed;
mod random;
mod report;
#[cfg(feature = "sites")]
mod sites;
mod threads;

use std::sync::Mutex;

use typed_pool::pools::{PoolInfo, pools};

/// Locked by tests that call `on_leak`: there is one listener.
static LISTENER: Mutex<()> = Mutex::new(());

/// Returns the row of the type whose name ends like this.
fn info(type_name: &str) -> Option<PoolInfo> {
    let ends = format!("::{type_name}");
    let mut found = pools().filter(|info| info.type_name.ends_with(&ends));
    let info = found.next();
    assert!(found.next().is_none(), "{type_name} is listed twice");
    info
}

/// Capacity, chunks and bytes of all its pools, which are listed.
fn memory(type_name: &str) -> [usize; 3] {
    let info = info(type_name).unwrap();
    [info.capacity, info.chunks, info.bytes]
}

/// The same of one pool.
fn memory_of(stats: typed_pool::PoolStats) -> [usize; 3] {
    [stats.capacity, stats.chunks, stats.bytes]
}
