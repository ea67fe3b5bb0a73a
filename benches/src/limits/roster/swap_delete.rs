//! The roster as it was published: one array of all slots, the live ones first.

use core::fmt;
use core::marker::PhantomData;

use super::{FIRST_SLOTS, Key, Layout};
use crate::store::{Keyed, Store};

/// Live slots before the partition, vacant ones after it; the one vacated last is next.
pub struct SwapDelete<T, L> {
    layout: L,
    roster: Vec<u32>,
    live: usize,
    values: PhantomData<T>,
}

impl<T, L> fmt::Debug for SwapDelete<T, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SwapDelete({})", self.live)
    }
}

impl<T, L: Layout<T>> SwapDelete<T, L> {
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let slots = (2 * self.layout.slots()).max(FIRST_SLOTS);
        self.layout.grow(slots);
        let fresh = self.roster.len() as u32..slots as u32;
        self.roster.extend(fresh);
    }

    /// Moves the partition below a slot after its value is gone.
    ///
    /// # Safety
    ///
    /// The slot was live.
    #[inline(always)]
    unsafe fn retire(&mut self, index: usize) {
        // SAFETY: a slot that exists.
        let word = unsafe { self.layout.word(index) };
        // SAFETY: as above.
        unsafe { self.layout.set_word(index, word.wrapping_add(1)) };
        // SAFETY: as above.
        let position = unsafe { self.layout.position(index) };
        self.live -= 1;
        // SAFETY: below the number of slots.
        let last = unsafe { *self.roster.get_unchecked(self.live) };
        // SAFETY: positions of live slots are below the partition.
        *unsafe { self.roster.get_unchecked_mut(position as usize) } = last;
        // SAFETY: below the number of slots.
        *unsafe { self.roster.get_unchecked_mut(self.live) } = index as u32;
        // SAFETY: the roster holds slots that exist.
        unsafe { self.layout.set_position(last as usize, position) };
    }
}

impl<T: 'static, L: Layout<T>> Store<T> for SwapDelete<T, L> {
    fn name() -> &'static str {
        format!("limit: swap-delete roster, {}", L::name()).leak()
    }

    fn new() -> Self {
        Self { layout: L::new(), roster: Vec::new(), live: 0, values: PhantomData }
    }

    #[inline(always)]
    fn add(&mut self, value: T) {
        self.insert(value);
    }

    #[inline(always)]
    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        let mut position = 0;
        while position < self.live {
            let index = self.roster[position] as usize;
            let value = self.layout.value(index);
            // SAFETY: a live slot's value.
            if keep(unsafe { &mut *value }) {
                position += 1;
                continue;
            }
            // SAFETY: as above, and retired below.
            unsafe { value.drop_in_place() };
            // SAFETY: it was live.
            unsafe { self.retire(index) };
        }
    }

    #[inline(always)]
    fn visit(&self, mut see: impl FnMut(&T)) {
        for &index in &self.roster[..self.live] {
            // SAFETY: a live slot's value.
            see(unsafe { &*self.layout.value(index as usize) });
        }
    }
}

impl<T: 'static, L: Layout<T>> Keyed<T> for SwapDelete<T, L> {
    type Key = Key;

    #[inline(always)]
    fn insert(&mut self, value: T) -> Key {
        if self.live == self.roster.len() {
            self.grow();
        }
        // SAFETY: below the number of slots.
        let index = unsafe { *self.roster.get_unchecked(self.live) } as usize;
        // SAFETY: a vacant slot.
        unsafe { self.layout.value(index).write(value) };
        // SAFETY: a slot that exists.
        unsafe { self.layout.set_position(index, self.live as u32) };
        // SAFETY: as above.
        let word = unsafe { self.layout.word(index) } + 1;
        // SAFETY: as above.
        unsafe { self.layout.set_word(index, word) };
        self.live += 1;
        Key { index: index as u32, word }
    }

    #[inline(always)]
    fn remove(&mut self, key: Key) -> Option<T> {
        let index = key.index as usize;
        // SAFETY: asked for before.
        if index >= self.layout.slots() || unsafe { self.layout.word(index) } != key.word {
            return None;
        }
        // SAFETY: it is live.
        unsafe { self.retire(index) };
        // SAFETY: the value was live, and can no longer be found.
        Some(unsafe { self.layout.value(index).read() })
    }

    #[inline(always)]
    fn get(&self, key: Key) -> Option<&T> {
        let index = key.index as usize;
        // SAFETY: asked for before.
        if index >= self.layout.slots() || unsafe { self.layout.word(index) } != key.word {
            return None;
        }
        // SAFETY: the word belongs to a live slot.
        Some(unsafe { &*self.layout.value(index) })
    }
}
