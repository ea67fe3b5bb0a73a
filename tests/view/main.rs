//! Every pool in view: lists, reports, snapshots and leaks agree with what a program knows itself.

#![allow(dead_code, reason = "elements are there to be counted")]

mod ends;
#[path = "../common/leak.rs"]
mod leak;
mod leaks;
mod listed;
mod random;
mod report;
mod threads;
mod values;

use typed_pool::pools::{self, PoolInfo, Storage};

/// What is known of the pools of the type whose name ends like this, in this thread or in all.
fn info(type_name: &str) -> Option<PoolInfo> {
    let is_ours = |info: &PoolInfo| info.thread.is_none_or(|thread| thread.is_current);
    let mut found = all(type_name).into_iter().filter(is_ours);
    let info = found.next();
    assert!(found.next().is_none(), "{type_name} is listed twice");
    info
}

/// What is known of all pools that are of the type whose name ends like this, and no values.
fn all(type_name: &str) -> Vec<PoolInfo> {
    let ends = format!("::{type_name}");
    let is_asked_for =
        |info: &PoolInfo| info.storage != Storage::Owned && info.type_name.ends_with(&ends);
    pools::pools().filter(is_asked_for).collect()
}
