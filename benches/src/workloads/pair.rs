//! W1: alloc, write all fields, free at once.

use super::{Witness, moved};
use crate::contestant::Contestant;
use crate::objects::Payload;

/// Runs `pairs` of them.
#[inline(never)]
pub fn run<const PLACE: usize, T: Payload, C: Contestant<T>>(
    contestant: C,
    pairs: u64,
    witness: &mut impl Witness<T>,
) {
    moved::<PLACE>();
    for seed in 0..pairs {
        let object = contestant.alloc(|| T::written(seed));
        // SAFETY: the object lives, and nothing is allocated while we look.
        let value = unsafe { &*contestant.address(&object) };
        witness.birth(value);
        witness.death(value);
        contestant.free(object);
        // SAFETY: the only object is gone.
        unsafe { contestant.reset() };
    }
}
