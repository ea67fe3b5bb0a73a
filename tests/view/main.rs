//! Every pool in view: lists, reports, snapshots, leaks and the lines of `sites` agree with what a program knows itself.

#![allow(dead_code, reason = "elements are there to be counted")]

mod asked;
#[path = "../common/leak.rs"]
mod leak;
mod leaks;
#[cfg(feature = "sites")]
mod lines;
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

/// How many elements are live by the lines of this program, in the order of these.
#[cfg(feature = "sites")]
fn by_line(sites: &[typed_pool::pools::Site]) -> Vec<(u32, usize)> {
    let mut lines = std::collections::BTreeMap::new();
    for site in sites {
        *lines.entry(site.location.line()).or_insert(0) += site.live;
    }
    lines.into_iter().collect()
}

/// How many elements are live in all, which only lines of this file have made.
#[cfg(feature = "sites")]
#[track_caller]
fn made_in(file: &str, sites: &[typed_pool::pools::Site]) -> usize {
    for site in sites {
        assert_eq!(site.location.file(), file, "{site}");
    }
    sites.iter().map(|site| site.live).sum()
}
