//! The containers: with keys, and a `Vec` of boxes.

#![expect(deprecated, reason = "`HopSlotMap` is still the fastest of slotmap's to insert into")]

use core::ops::DerefMut;

use beach_map::{BeachMap, Id};
use slab::Slab;
use slotmap::{DefaultKey, DenseSlotMap, HopSlotMap, SlotMap};
use typed_pool::{Handle, Roster};

use crate::contestant::{Contestant, Keyed, Store};
use crate::race::OURS;

/// Named here, so that its deprecation concerns this file alone.
pub type HopSlots<T> = HopSlotMap<DefaultKey, T>;

/// A line each: type, name, key, the values in the container's order, `remove`'s result as an `Option`.
macro_rules! keyed {
    ($($Map:ty, $name:expr, $Key:ty, |$map:ident| $values:expr, $removed:expr;)*) => {$(
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
    Roster<T>, OURS, Handle<T>, |map| map.values(), |value| value;
    SlotMap<DefaultKey, T>, "SlotMap", DefaultKey, |map| map.values(), |value| value;
    HopSlots<T>, "HopSlotMap", DefaultKey, |map| map.values(), |value| value;
    DenseSlotMap<DefaultKey, T>, "DenseSlotMap", DefaultKey, |map| map.values(), |value| value;
    // `try_remove` would do the same work; `remove` panics where that says `None`.
    Slab<T>, "slab", usize, |map| map.iter().map(|(_, value)| value), Some;
    thunderdome::Arena<T>, "thunderdome", thunderdome::Index, |map| map.iter().map(|(_, value)| value), |value| value;
    generational_arena::Arena<T>, "generational-arena", generational_arena::Index,
        |map| map.iter().map(|(_, value)| value), |value| value;
    BeachMap<T>, "beach_map", Id<T>, |map| map.iter(), |value| value;
}

/// Boxes of a contestant in a `Vec`: what a game does that has no keys.
pub struct Boxes<T, C: Contestant<T>> {
    contestant: C,
    boxes: Vec<C::Object>,
}

impl<T, C> Store<T> for Boxes<T, C>
where
    T: 'static,
    C: Contestant<T, Object: DerefMut<Target = T>>,
{
    fn name() -> &'static str {
        format!("Vec of {}", C::NAME).leak()
    }

    fn new() -> Self {
        Self { contestant: C::enter(), boxes: Vec::new() }
    }

    #[inline(always)]
    fn add(&mut self, value: T) {
        self.boxes.push(self.contestant.alloc(|| value));
    }

    #[inline(always)]
    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        // By `swap_remove`: no order to preserve, so nothing is moved up.
        let mut index = 0;
        while let Some(value) = self.boxes.get_mut(index) {
            if keep(value) {
                index += 1;
            } else {
                drop(self.boxes.swap_remove(index));
            }
        }
    }

    #[inline(always)]
    fn visit(&self, mut see: impl FnMut(&T)) {
        self.boxes.iter().for_each(|value| see(value));
    }
}
