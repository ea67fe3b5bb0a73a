//! typed-pool's roster.

use typed_pool::{Handle, Roster};

use crate::store::{Keyed, Store};

impl<T: 'static> Store<T> for Roster<T> {
    fn name() -> &'static str {
        crate::race::OURS
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
        self.values().for_each(see);
    }
}

impl<T: 'static> Keyed<T> for Roster<T> {
    type Key = Handle<T>;

    #[inline(always)]
    fn insert(&mut self, value: T) -> Handle<T> {
        Self::insert(self, value)
    }

    #[inline(always)]
    fn remove(&mut self, key: Handle<T>) -> Option<T> {
        Self::remove(self, key)
    }

    #[inline(always)]
    fn get(&self, key: Handle<T>) -> Option<&T> {
        Self::get(self, key)
    }
}
