//! W6e: reading every live value, where many slots are vacant.

use core::marker::PhantomData;

use super::moved;
use crate::contestant::Keyed;
use crate::objects::Payload;
use crate::random::Random;

/// A map from which a random part was removed.
pub struct Ruin<T: Payload, M: Keyed<T>> {
    map: M,
    /// How many are left.
    pub live: u64,
    values: PhantomData<T>,
}

impl<T: Payload, M: Keyed<T>> Ruin<T, M> {
    /// Fills `slots` slots and leaves `percent` of them.
    pub fn new(slots: u32, percent: u32) -> Self {
        let mut map = M::new();
        let mut keys: Vec<_> =
            (0..u64::from(slots)).map(|seed| map.insert(T::written(seed))).collect();
        Random::new(9).shuffle(&mut keys);
        let live = u64::from(slots) * u64::from(percent) / 100;
        for key in keys.drain(live as usize..) {
            assert!(map.remove(key).is_some(), "{} lost a value", M::name());
        }
        map.settle();
        Self { map, live, values: PhantomData }
    }

    /// Reads each of them, in the map's order.
    #[inline(never)]
    pub fn sum<const PLACE: usize>(&self) -> u64 {
        moved::<PLACE>();
        let mut sum = 0_u64;
        self.map.visit(|value| sum = sum.wrapping_add(value.sum()));
        sum
    }
}
