//! Further containers with keys, for the comparison of arenas: generational-arena, beach_map, stash.

use beach_map::{BeachMap, Id};
use generational_arena::{Arena, Index};
use stash::{Tag, UniqueStash};

use crate::store::{Keyed, Store};

impl<T: 'static> Store<T> for Arena<T> {
    fn name() -> &'static str {
        "generational-arena"
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
    type Key = Index;

    #[inline(always)]
    fn insert(&mut self, value: T) -> Index {
        Self::insert(self, value)
    }

    #[inline(always)]
    fn remove(&mut self, key: Index) -> Option<T> {
        Self::remove(self, key)
    }

    #[inline(always)]
    fn get(&self, key: Index) -> Option<&T> {
        Self::get(self, key)
    }
}

impl<T: 'static> Store<T> for BeachMap<T> {
    fn name() -> &'static str {
        "beach_map"
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
    fn visit(&self, see: impl FnMut(&T)) {
        self.iter().for_each(see);
    }
}

impl<T: 'static> Keyed<T> for BeachMap<T> {
    type Key = Id<T>;

    #[inline(always)]
    fn insert(&mut self, value: T) -> Id<T> {
        Self::insert(self, value)
    }

    #[inline(always)]
    fn remove(&mut self, key: Id<T>) -> Option<T> {
        Self::remove(self, key)
    }

    #[inline(always)]
    fn get(&self, key: Id<T>) -> Option<&T> {
        Self::get(self, key)
    }
}

impl<T: 'static> Store<T> for UniqueStash<T> {
    fn name() -> &'static str {
        "stash"
    }

    fn new() -> Self {
        Self::default()
    }

    #[inline(always)]
    fn add(&mut self, value: T) {
        self.put(value);
    }

    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        let dead: Vec<_> =
            self.iter_mut().filter_map(|(tag, value)| (!keep(value)).then_some(tag)).collect();
        for tag in dead {
            self.take(tag);
        }
    }

    #[inline(always)]
    fn visit(&self, see: impl FnMut(&T)) {
        self.values().for_each(see);
    }
}

impl<T: 'static> Keyed<T> for UniqueStash<T> {
    type Key = Tag;

    #[inline(always)]
    fn insert(&mut self, value: T) -> Tag {
        self.put(value)
    }

    #[inline(always)]
    fn remove(&mut self, key: Tag) -> Option<T> {
        self.take(key)
    }

    #[inline(always)]
    fn get(&self, key: Tag) -> Option<&T> {
        Self::get(self, key)
    }
}
