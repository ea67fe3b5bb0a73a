//! W6e: reading every live value, where many slots are vacant.

use super::moved;
use crate::objects::{Obj64, Payload};
use crate::random::Random;
use crate::store::Keyed;

/// A map from which a random part was removed.
pub struct Ruin<M: Keyed<Obj64>> {
    map: M,
    /// The keys of the remaining elements, in shuffled order.
    keys: Vec<M::Key>,
}

impl<M: Keyed<Obj64>> Ruin<M> {
    /// Fills `slots` slots and leaves `percent` of them.
    #[must_use]
    pub fn new(slots: u32, percent: u32) -> Self {
        let mut map = M::new();
        let mut keys: Vec<_> =
            (0..u64::from(slots)).map(|seed| map.insert(Obj64::written(seed))).collect();
        Random::new(9).shuffle(&mut keys);
        let live = u64::from(slots) * u64::from(percent) / 100;
        for key in keys.drain(live as usize..) {
            assert!(map.remove(key).is_some(), "{} lost a value", M::name());
        }
        Self { map, keys }
    }

    /// How many are left.
    #[must_use]
    pub fn live(&self) -> u64 {
        self.keys.len() as u64
    }

    /// Reads each of them, in the map's order.
    #[inline(never)]
    #[must_use]
    pub fn sum<const PLACE: usize>(&self) -> u64 {
        moved::<PLACE>();
        let mut sum = 0_u64;
        self.map.visit(|value| sum = sum.wrapping_add(value.sum()));
        sum
    }
}
