//! Live slots in a bitmap, visited in the order of memory.

use core::fmt;
use core::hint::assert_unchecked;
use core::marker::PhantomData;

use super::{FIRST_SLOTS, Key, Layout, Ones, Order, Vacancy};
use crate::store::{Keyed, Store};

/// `AHEAD` says whether with each live slot one of the next word is prefetched: pages of 64-byte
/// slots end with the word, and so does the hardware's prefetching; vacant slots mislead it.
pub struct Mapped<T, L, V, O, const AHEAD: bool = false> {
    layout: L,
    /// A bit for each live slot.
    bitmap: Vec<u64>,
    vacancy: V,
    order: O,
    values: PhantomData<T>,
}

impl<T, L, V, O, const AHEAD: bool> fmt::Debug for Mapped<T, L, V, O, AHEAD> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mapped({})", self.bitmap.len())
    }
}

impl<T, L: Layout<T>, V: Vacancy, O: Order, const AHEAD: bool> Mapped<T, L, V, O, AHEAD> {
    #[cold]
    #[inline(never)]
    fn grow(&mut self) -> usize {
        let slots = (2 * self.layout.slots()).max(FIRST_SLOTS);
        self.layout.grow(slots);
        let from = self.bitmap.len();
        self.bitmap.resize(slots / 64, 0);
        self.vacancy.grow(from, slots / 64);
        self.order.grow(slots);
        from
    }

    /// Whether the key is for a live slot.
    #[inline(always)]
    fn is_live(&self, key: Key) -> bool {
        let index = key.index as usize;
        // SAFETY: asked for before.
        index < self.layout.slots() && unsafe { self.layout.word(index) } == key.word
    }

    /// Changes a slot's word after its value is gone.
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
        // SAFETY: it joined when it became live.
        unsafe { self.order.leave(&mut self.layout, index) };
    }

    /// Calls `look` with the places of a word's live slots.
    #[inline(always)]
    fn each(&self, word: usize, live: u64, mut look: impl FnMut(usize, *mut T)) {
        let base = self.layout.value(word * 64);
        let mut wanted = self.bitmap.get(word + 1).copied().unwrap_or(0);
        let next = if wanted == 0 { base } else { self.layout.value(word * 64 + 64) };
        if live == u64::MAX {
            for slot in 0..64 {
                if AHEAD {
                    prefetch(L::further(next, slot));
                }
                look(slot, L::further(base, slot));
            }
            return;
        }
        for slot in Ones(live) {
            if AHEAD {
                prefetch(L::further(next, wanted.trailing_zeros() as usize));
                wanted &= wanted.wrapping_sub(1);
            }
            look(slot, L::further(base, slot));
        }
    }
}

impl<T, L, V, O, const AHEAD: bool> Store<T> for Mapped<T, L, V, O, AHEAD>
where
    T: 'static,
    L: Layout<T>,
    V: Vacancy,
    O: Order,
{
    fn name() -> &'static str {
        let ahead = if AHEAD { ", prefetch" } else { "" };
        format!("limit: {}, {}, {}{ahead}", O::NAME, L::name(), V::NAME).leak()
    }

    fn new() -> Self {
        Self {
            layout: L::new(),
            bitmap: Vec::new(),
            vacancy: V::new(),
            order: O::new(),
            values: PhantomData,
        }
    }

    #[inline(always)]
    fn add(&mut self, value: T) {
        self.insert(value);
    }

    #[inline(always)]
    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        for word in 0..self.bitmap.len() {
            let live = self.bitmap[word];
            let mut dead = 0;
            self.each(word, live, |slot, value| {
                // SAFETY: a live slot's value.
                if !keep(unsafe { &mut *value }) {
                    dead |= 1 << slot;
                    // SAFETY: as above, and its bit is cleared below.
                    unsafe { value.drop_in_place() };
                }
            });
            if dead != 0 {
                self.bitmap[word] = live & !dead;
                if live == u64::MAX {
                    self.vacancy.opened(word);
                }
                // SAFETY: the bit was set.
                Ones(dead).for_each(|slot| unsafe { self.retire(word * 64 + slot) });
            }
        }
    }

    #[inline(always)]
    fn visit(&self, mut see: impl FnMut(&T)) {
        for (word, &live) in self.bitmap.iter().enumerate() {
            // SAFETY: a live slot's value.
            self.each(word, live, |_, value| see(unsafe { &*value }));
        }
    }
}

impl<T, L, V, O, const AHEAD: bool> Keyed<T> for Mapped<T, L, V, O, AHEAD>
where
    T: 'static,
    L: Layout<T>,
    V: Vacancy,
    O: Order,
{
    const HAS_INDEX: bool = true;
    type Key = Key;

    #[inline(always)]
    fn insert(&mut self, value: T) -> Key {
        let word = match self.vacancy.find(&self.bitmap) {
            Some(word) => word,
            None => self.grow(),
        };
        // SAFETY: the word exists.
        let live = unsafe { self.bitmap.get_unchecked_mut(word) };
        let bit = (!*live).trailing_zeros() as usize;
        *live |= 1 << bit;
        if *live == u64::MAX {
            self.vacancy.filled(word);
        }
        let index = word * 64 + bit;
        // SAFETY: a vacant slot.
        unsafe { self.layout.value(index).write(value) };
        // SAFETY: a slot that exists.
        let word = unsafe { self.layout.word(index) } + 1;
        // SAFETY: as above.
        unsafe { self.layout.set_word(index, word) };
        // SAFETY: it exists, and was vacant.
        unsafe { self.order.join(&mut self.layout, index) };
        Key { index: index as u32, word }
    }

    #[inline(always)]
    fn remove(&mut self, key: Key) -> Option<T> {
        if !self.is_live(key) {
            return None;
        }
        let index = key.index as usize;
        let word = index / 64;
        // SAFETY: a slot that exists.
        let live = unsafe { self.bitmap.get_unchecked_mut(word) };
        let before = *live;
        *live = before & !(1 << (index % 64));
        if before == u64::MAX {
            self.vacancy.opened(word);
        }
        self.vacancy.removed_from(word);
        // SAFETY: its bit was set.
        unsafe { self.retire(index) };
        // SAFETY: the value was live, and can no longer be found.
        Some(unsafe { self.layout.value(index).read() })
    }

    #[inline(always)]
    fn get(&self, key: Key) -> Option<&T> {
        if !self.is_live(key) {
            return None;
        }
        let value = self.layout.value(key.index as usize);
        // SAFETY: a slot that exists.
        unsafe { assert_unchecked(!value.is_null()) };
        // SAFETY: the value is live.
        Some(unsafe { &*value })
    }

    #[inline(always)]
    fn index_of(&self, key: Key) -> Option<usize> {
        let index = key.index as usize;
        // SAFETY: the slot is live, and joined when it became so.
        let index_of = || unsafe { self.order.index_of(&self.layout, &self.bitmap, index) };
        self.is_live(key).then(index_of)
    }
}

/// Asks for the value's first line.
#[inline(always)]
fn prefetch<T>(value: *mut T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch may name any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(value.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
