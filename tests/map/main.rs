//! Maps of pools: they agree with what a program knows itself, and what a trim returns is foretold.

#![allow(dead_code, reason = "elements are there to be counted")]

mod drawn;
mod fragmentation;
mod random;
mod states;
mod threads;

use std::collections::BTreeSet;

use typed_pool::pools::{PoolMap, SlotUse};

/// The addresses of all slots that are used like this.
fn slots_in(map: &PoolMap, is_meant: impl Fn(SlotUse) -> bool) -> BTreeSet<usize> {
    let of_chunk = |chunk: typed_pool::pools::MapChunk<'_>| {
        let address = move |number: usize| chunk.address() + number * map.slot_bytes();
        chunk.slot_uses().enumerate().map(move |(number, slot)| (address(number), slot)).collect()
    };
    let all: Vec<Vec<(usize, SlotUse)>> = map.chunks().map(of_chunk).collect();
    all.into_iter().flatten().filter(|(_, slot)| is_meant(*slot)).map(|(at, _)| at).collect()
}

fn live_in(map: &PoolMap) -> BTreeSet<usize> {
    slots_in(map, |slot| slot == SlotUse::Live)
}
