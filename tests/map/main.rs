//! Maps of pools: they agree with what a program knows itself.

#![allow(dead_code, reason = "elements are there to be counted")]

mod drawn;
mod random;
mod states;
mod threads;

use std::collections::BTreeSet;

use typed_pool::pools::{PoolMap, SlotUse};

/// The addresses of all slots that are used like this.
fn slots_in(map: &PoolMap, is_meant: impl Fn(SlotUse) -> bool) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for chunk in map.chunks() {
        let address = |number: usize| chunk.address() + number * map.slot_bytes();
        let slots = chunk.slots().iter().enumerate().filter(|(_, slot)| is_meant(**slot));
        found.extend(slots.map(|(number, _)| address(number)));
    }
    found
}

fn live_in(map: &PoolMap) -> BTreeSet<usize> {
    slots_in(map, |slot| slot == SlotUse::Live)
}

fn is_free(slot: SlotUse) -> bool {
    matches!(slot, SlotUse::Vacant | SlotUse::NeverUsed)
}

/// How many slots are used like this; of elements without a size, too.
fn count(map: &PoolMap, is_meant: impl Fn(SlotUse) -> bool) -> usize {
    map.chunks().map(|chunk| chunk.slots().iter().filter(|slot| is_meant(**slot)).count()).sum()
}
