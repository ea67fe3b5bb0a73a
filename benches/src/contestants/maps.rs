//! The containers with keys: typed-pool's roster, slotmap's three, slab, thunderdome, generational-arena, beach_map.

#![expect(deprecated, reason = "`HopSlotMap` is still the fastest of slotmap's to insert into")]

use beach_map::{BeachMap, Id};
use slab::Slab;
use slotmap::{DefaultKey, DenseSlotMap, HopSlotMap, SlotMap};
use typed_pool::{Handle, Roster};

use crate::race::OURS;
use crate::store::{Keyed, Store};

/// Named here, so that its deprecation concerns this file alone.
pub type HopSlots<T> = HopSlotMap<DefaultKey, T>;

/// A line each: type, name, key, the values in the container's order, `remove`'s result as an `Option`, and whether a stale key
/// is known.
macro_rules! keyed {
    ($($Map:ty, $name:expr, $Key:ty, |$map:ident| $values:expr, $removed:expr, $knows_stale:literal;)*) => {$(
        impl<T: 'static> Store<T> for $Map {
            fn name() -> &'static str {
                $name
            }

            fn new() -> Self {
                <$Map>::new()
            }

            #[inline(always)]
            fn add(&mut self, value: T) {
                self.insert(value);
            }

            #[inline(always)]
            fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
                <$Map>::retain(self, |_, value| keep(value));
            }

            #[inline(always)]
            fn visit(&self, see: impl FnMut(&T)) {
                let $map = self;
                $values.for_each(see);
            }
        }

        impl<T: 'static> Keyed<T> for $Map {
            const KNOWS_STALE: bool = $knows_stale;
            type Key = $Key;

            #[inline(always)]
            fn insert(&mut self, value: T) -> $Key {
                <$Map>::insert(self, value)
            }

            #[inline(always)]
            fn remove(&mut self, key: $Key) -> Option<T> {
                $removed(<$Map>::remove(self, key))
            }

            #[inline(always)]
            fn get(&self, key: $Key) -> Option<&T> {
                <$Map>::get(self, key)
            }
        }
    )*};
}

keyed! {
    Roster<T>, OURS, Handle<T>, |map| map.values(), |value| value, true;
    SlotMap<DefaultKey, T>, "SlotMap", DefaultKey, |map| map.values(), |value| value, true;
    HopSlots<T>, "HopSlotMap", DefaultKey, |map| map.values(), |value| value, true;
    DenseSlotMap<DefaultKey, T>, "DenseSlotMap", DefaultKey, |map| map.values(), |value| value, true;
    // `try_remove` would do the same work; `remove` panics where that says `None`.
    Slab<T>, "slab", usize, |map| map.iter().map(|(_, value)| value), Some, false;
    thunderdome::Arena<T>, "thunderdome", thunderdome::Index, |map| map.iter().map(|(_, value)| value), |value| value, true;
    generational_arena::Arena<T>, "generational-arena", generational_arena::Index,
        |map| map.iter().map(|(_, value)| value), |value| value, true;
    BeachMap<T>, "beach_map", Id<T>, |map| map.iter(), |value| value, true;
}
