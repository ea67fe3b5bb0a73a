//! Maps of pools: they agree with what a program knows itself, and what they foretell comes true.

#![allow(dead_code, reason = "elements are there to be counted")]
#![cfg_attr(
    feature = "passthrough",
    allow(unused_imports, reason = "derived pools have no chunks")
)]

mod drawn;
mod fragmentation;
mod random;
mod states;
mod threads;

use std::collections::BTreeSet;

use typed_pool::pools::{PoolMap, SlotUse, Spread};

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

/// What a spread says, reckoned from the addresses themselves.
fn spread_of(addresses: &[usize], slot_bytes: usize) -> [usize; 6] {
    let touched = |unit: usize| {
        let bytes = addresses.iter().flat_map(|&at| at..at + slot_bytes);
        bytes.map(|at| at / unit).collect::<BTreeSet<_>>().len()
    };
    // With 32 bits the sum may exceed the address space.
    let far: u64 = addresses.windows(2).map(|pair| pair[0].abs_diff(pair[1]) as u64).sum();
    let (first, last) = (addresses.iter().min(), addresses.iter().max());
    let span = last.zip(first).map_or(0, |(last, first)| last + slot_bytes - first);
    let distance = (far / addresses.len().saturating_sub(1).max(1) as u64) as usize;
    let slots = addresses.len();
    [slots, slots * slot_bytes, span, distance, touched(64), touched(4096)]
}

fn figures(spread: Spread) -> [usize; 6] {
    let Spread { slots, bytes, span, distance, cache_lines, pages, .. } = spread;
    [slots, bytes, span, distance, cache_lines, pages]
}
