//! The containers with keys: slotmap's three, slab, thunderdome.

#![expect(deprecated, reason = "`HopSlotMap` is still the fastest of slotmap's to insert into")]

use slab::Slab;
use slotmap::{DefaultKey, DenseSlotMap, HopSlotMap, SlotMap};
use thunderdome::Arena;

use crate::store::{Keyed, Store};

/// Named here, so that its deprecation concerns this file alone.
pub type HopSlots<T> = HopSlotMap<DefaultKey, T>;

macro_rules! slot_maps {
    ($($map:ident),*) => {$(
        impl<T: 'static> Store<T> for $map<DefaultKey, T> {
            fn name() -> &'static str {
                stringify!($map)
            }

            fn new() -> Self {
                $map::new()
            }

            #[inline(always)]
            fn add(&mut self, value: T) {
                self.insert(value);
            }

            #[inline(always)]
            fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
                $map::retain(self, |_, value| keep(value));
            }

            #[inline(always)]
            fn visit(&self, see: impl FnMut(&T)) {
                self.values().for_each(see);
            }
        }

        impl<T: 'static> Keyed<T> for $map<DefaultKey, T> {
            type Key = DefaultKey;

            #[inline(always)]
            fn insert(&mut self, value: T) -> DefaultKey {
                $map::insert(self, value)
            }

            #[inline(always)]
            fn remove(&mut self, key: DefaultKey) -> Option<T> {
                $map::remove(self, key)
            }

            #[inline(always)]
            fn get(&self, key: DefaultKey) -> Option<&T> {
                $map::get(self, key)
            }
        }
    )*};
}

slot_maps!(SlotMap, HopSlotMap, DenseSlotMap);

impl<T: 'static> Store<T> for Slab<T> {
    fn name() -> &'static str {
        "slab"
    }

    fn new() -> Self {
        Self::new()
    }

    #[inline(always)]
    fn add(&mut self, value: T) {
        self.insert(value);
    }

    #[inline(always)]
    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        Self::retain(self, |_, value| keep(value));
    }

    #[inline(always)]
    fn visit(&self, mut see: impl FnMut(&T)) {
        self.iter().for_each(|(_, value)| see(value));
    }
}

impl<T: 'static> Keyed<T> for Slab<T> {
    const KNOWS_STALE: bool = false;
    type Key = usize;

    #[inline(always)]
    fn insert(&mut self, value: T) -> usize {
        Self::insert(self, value)
    }

    #[inline(always)]
    fn remove(&mut self, key: usize) -> Option<T> {
        // `try_remove` would do the same work; this panics where that says `None`.
        Some(Self::remove(self, key))
    }

    #[inline(always)]
    fn get(&self, key: usize) -> Option<&T> {
        Self::get(self, key)
    }
}

impl<T: 'static> Store<T> for Arena<T> {
    fn name() -> &'static str {
        "thunderdome"
    }

    fn new() -> Self {
        Self::new()
    }

    #[inline(always)]
    fn add(&mut self, value: T) {
        self.insert(value);
    }

    #[inline(always)]
    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        Self::retain(self, |_, value| keep(value));
    }

    #[inline(always)]
    fn visit(&self, mut see: impl FnMut(&T)) {
        self.iter().for_each(|(_, value)| see(value));
    }
}

impl<T: 'static> Keyed<T> for Arena<T> {
    type Key = thunderdome::Index;

    #[inline(always)]
    fn insert(&mut self, value: T) -> Self::Key {
        Self::insert(self, value)
    }

    #[inline(always)]
    fn remove(&mut self, key: Self::Key) -> Option<T> {
        Self::remove(self, key)
    }

    #[inline(always)]
    fn get(&self, key: Self::Key) -> Option<&T> {
        Self::get(self, key)
    }
}
