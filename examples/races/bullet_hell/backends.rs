//! The containers that hold the game's objects, and what the game asks of them.

use slab::Slab;
use slotmap::{DefaultKey, DenseSlotMap, SlotMap};
use typed_pool::{Handle, Roster};

use super::game::{Bullet, Monster};

/// Where a game's objects live.
pub(crate) trait Backend: Sized {
    type Monsters: Keyed<Monster>;
    type Bullets: Store<Bullet<Self>>;
}

/// Objects that are added, visited, and removed on the way.
pub(crate) trait Store<T> {
    fn new() -> Self;
    fn len(&self) -> usize;
    fn add(&mut self, value: T);
    fn retain(&mut self, keep: impl FnMut(&mut T) -> bool);
    fn visit(&self, see: impl FnMut(&T));
}

/// Objects that are known by keys. The key of an object that is gone never finds anything again.
pub(crate) trait Keyed<T>: Store<T> {
    type Key: Copy;

    fn insert(&mut self, value: T) -> Self::Key;
    fn get_mut(&mut self, key: Self::Key) -> Option<&mut T>;
}

/// Typed pools: objects never move, and are visited in memory order.
pub(crate) struct Rosters;

impl Backend for Rosters {
    type Monsters = Roster<Monster>;
    type Bullets = Roster<Bullet<Self>>;
}

/// slotmap's first map: slots in a `Vec`.
pub(crate) struct SlotMaps;

impl Backend for SlotMaps {
    type Monsters = SlotMap<DefaultKey, Monster>;
    type Bullets = SlotMap<DefaultKey, Bullet<Self>>;
}

/// slotmap's dense map: removal moves the last object into the gap.
pub(crate) struct DenseSlotMaps;

impl Backend for DenseSlotMaps {
    type Monsters = DenseSlotMap<DefaultKey, Monster>;
    type Bullets = DenseSlotMap<DefaultKey, Bullet<Self>>;
}

macro_rules! keyed {
    ($($Map:ty, by $Key:ty;)*) => {$(
        impl<T> Store<T> for $Map {
            fn new() -> Self {
                Self::new()
            }

            fn len(&self) -> usize {
                self.len()
            }

            fn add(&mut self, value: T) {
                self.insert(value);
            }

            fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
                self.retain(|_, value| keep(value));
            }

            fn visit(&self, see: impl FnMut(&T)) {
                self.values().for_each(see);
            }
        }

        impl<T> Keyed<T> for $Map {
            type Key = $Key;

            fn insert(&mut self, value: T) -> $Key {
                self.insert(value)
            }

            fn get_mut(&mut self, key: $Key) -> Option<&mut T> {
                self.get_mut(key)
            }
        }
    )*};
}

keyed! {
    Roster<T>, by Handle<T>;
    SlotMap<DefaultKey, T>, by DefaultKey;
    DenseSlotMap<DefaultKey, T>, by DefaultKey;
}

/// slab, whose keys are indices: to recognise a stale key, the game has to number its monsters.
pub(crate) struct Slabs;

impl Backend for Slabs {
    type Monsters = Numbered<Slab<(u32, Monster)>>;
    type Bullets = Slab<Bullet<Self>>;
}

impl<T> Store<T> for Slab<T> {
    fn new() -> Self {
        Self::new()
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn add(&mut self, value: T) {
        self.insert(value);
    }

    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        self.retain(|_, value| keep(value));
    }

    fn visit(&self, mut see: impl FnMut(&T)) {
        self.iter().for_each(|(_, value)| see(value));
    }
}

/// A container in which every object carries a number.
pub(crate) struct Numbered<S> {
    values: S,
    next: u32,
}

impl<T> Store<T> for Numbered<Slab<(u32, T)>> {
    fn new() -> Self {
        Self { values: Slab::new(), next: 0 }
    }

    fn len(&self) -> usize {
        self.values.len()
    }

    fn add(&mut self, value: T) {
        self.insert(value);
    }

    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        self.values.retain(|_, (_, value)| keep(value));
    }

    fn visit(&self, mut see: impl FnMut(&T)) {
        self.values.iter().for_each(|(_, (_, value))| see(value));
    }
}

impl<T> Keyed<T> for Numbered<Slab<(u32, T)>> {
    /// The index, and the number of the object that was there.
    type Key = (usize, u32);

    fn insert(&mut self, value: T) -> Self::Key {
        self.next += 1;
        (self.values.insert((self.next, value)), self.next)
    }

    fn get_mut(&mut self, (index, number): Self::Key) -> Option<&mut T> {
        self.values.get_mut(index).filter(|(found, _)| *found == number).map(|(_, value)| value)
    }
}

/// Boxes in a `Vec`, and in an array of slots where keys are needed: what one writes without a crate.
pub(crate) struct Boxes;

impl Backend for Boxes {
    type Monsters = BoxSlots<Monster>;
    type Bullets = Vec<Box<Bullet<Self>>>;
}

impl<T> Store<T> for Vec<Box<T>> {
    fn new() -> Self {
        Self::new()
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn add(&mut self, value: T) {
        self.push(Box::new(value));
    }

    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        let mut index = 0;
        while let Some(value) = self.get_mut(index) {
            if keep(value) {
                index += 1;
            } else {
                self.swap_remove(index);
            }
        }
    }

    fn visit(&self, mut see: impl FnMut(&T)) {
        self.iter().for_each(|value| see(value));
    }
}

/// Slots with a generation each, and a stack of the vacant ones.
pub(crate) struct BoxSlots<T> {
    slots: Vec<(u32, Option<Box<T>>)>,
    vacant: Vec<usize>,
}

impl<T> Store<T> for BoxSlots<T> {
    fn new() -> Self {
        Self { slots: Vec::new(), vacant: Vec::new() }
    }

    fn len(&self) -> usize {
        self.slots.len() - self.vacant.len()
    }

    fn add(&mut self, value: T) {
        self.insert(value);
    }

    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        for (index, (generation, slot)) in self.slots.iter_mut().enumerate() {
            if slot.as_mut().is_some_and(|value| !keep(value)) {
                *slot = None;
                *generation += 1;
                self.vacant.push(index);
            }
        }
    }

    fn visit(&self, mut see: impl FnMut(&T)) {
        self.slots.iter().filter_map(|(_, slot)| slot.as_deref()).for_each(&mut see);
    }
}

impl<T> Keyed<T> for BoxSlots<T> {
    type Key = (usize, u32);

    fn insert(&mut self, value: T) -> Self::Key {
        let index = self.vacant.pop().unwrap_or_else(|| {
            self.slots.push((0, None));
            self.slots.len() - 1
        });
        let (generation, slot) = &mut self.slots[index];
        *slot = Some(Box::new(value));
        (index, *generation)
    }

    fn get_mut(&mut self, (index, generation): Self::Key) -> Option<&mut T> {
        let (current, slot) = &mut self.slots[index];
        slot.as_deref_mut().filter(|_| *current == generation)
    }
}
