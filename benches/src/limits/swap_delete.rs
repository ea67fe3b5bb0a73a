//! Handles by hand, in chunks that double the pool. Values are not dropped with their pool; handles are checked as the library has to
//! check them.

use core::mem::MaybeUninit;

use crate::contestant::{Keyed, Store};

/// Slots of a new pool.
const FIRST_SLOTS: usize = 128;

/// A name for a value: a slot, and the word that the slot had when the value came. The words of occupied slots are odd, so no handle
/// fits a vacant one.
#[derive(Clone, Copy)]
pub struct Key {
    index: u32,
    word: u32,
}

/// Slots for which the table has one base.
const PAGE: usize = 128;

/// A cache line, on which slots begin.
#[repr(align(64))]
struct Line {
    _bytes: MaybeUninit<[u8; 64]>,
}

/// The roster as it was published: live slots before the partition, vacant ones after it; the one vacated last is next.
pub type SwapDelete<T> = Handles<T, false>;

/// The same, whose live slots can be put in the order of memory: the least that reading them in that order can cost.
pub type InOrder<T> = Handles<T, true>;

/// See [`SwapDelete`] and [`InOrder`].
pub struct Handles<T, const IN_ORDER: bool> {
    /// A base for every [`PAGE`] slots, moved back by the index of its chunk's first slot, so that one addition leads from it to any slot.
    bases: Vec<*mut T>,
    chunks: Vec<Vec<Line>>,
    words: Vec<u32>,
    /// The position of each live slot in the roster.
    positions: Vec<u32>,
    roster: Vec<u32>,
    live: usize,
}

impl<T: 'static, const IN_ORDER: bool> Handles<T, IN_ORDER> {
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        const { assert!(align_of::<T>() <= align_of::<Line>(), "a slot's alignment is a line's") };
        let before = self.words.len();
        let slots = (2 * before).max(FIRST_SLOTS);
        let mut chunk = Vec::<Line>::with_capacity(
            ((slots - before) * size_of::<T>()).div_ceil(size_of::<Line>()),
        );
        let base = chunk.as_mut_ptr().cast::<T>().wrapping_sub(before);
        self.chunks.push(chunk);
        self.bases.resize(slots / PAGE, base);
        self.words.resize(slots, 0);
        self.positions.resize(slots, 0);
        self.roster.extend(before as u32..slots as u32);
    }

    #[inline(always)]
    fn address(&self, index: usize) -> *mut T {
        // SAFETY: there is a base for every slot.
        let base = unsafe { self.bases.get_unchecked(index / PAGE) };
        base.wrapping_add(index)
    }

    /// Moves the partition below a slot after its value is gone.
    ///
    /// # Safety
    ///
    /// The slot was live.
    #[inline(always)]
    unsafe fn retire(&mut self, index: usize) {
        // SAFETY: a slot that exists.
        *unsafe { self.words.get_unchecked_mut(index) } += 1;
        // SAFETY: as above.
        let position = unsafe { *self.positions.get_unchecked(index) };
        self.live -= 1;
        // SAFETY: below the number of slots.
        let last = unsafe { *self.roster.get_unchecked(self.live) };
        // SAFETY: positions of live slots are below the partition.
        *unsafe { self.roster.get_unchecked_mut(position as usize) } = last;
        // SAFETY: below the number of slots.
        *unsafe { self.roster.get_unchecked_mut(self.live) } = index as u32;
        // SAFETY: the roster holds slots that exist.
        *unsafe { self.positions.get_unchecked_mut(last as usize) } = position;
    }
}

impl<T: 'static, const IN_ORDER: bool> Store<T> for Handles<T, IN_ORDER> {
    fn name() -> &'static str {
        if IN_ORDER { "limit: indices in order" } else { "limit: swap-delete roster" }
    }

    fn new() -> Self {
        Self {
            bases: Vec::new(),
            chunks: Vec::new(),
            words: Vec::new(),
            positions: Vec::new(),
            roster: Vec::new(),
            live: 0,
        }
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
            let value = self.address(index);
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
            see(unsafe { &*self.address(index as usize) });
        }
    }

    fn settle(&mut self) {
        if IN_ORDER {
            self.roster[..self.live].sort_unstable();
            for (position, &index) in self.roster[..self.live].iter().enumerate() {
                self.positions[index as usize] = position as u32;
            }
        }
    }
}

impl<T: 'static, const IN_ORDER: bool> Keyed<T> for Handles<T, IN_ORDER> {
    type Key = Key;

    #[inline(always)]
    fn insert(&mut self, value: T) -> Key {
        if self.live == self.roster.len() {
            self.grow();
        }
        // SAFETY: below the number of slots.
        let index = unsafe { *self.roster.get_unchecked(self.live) } as usize;
        // SAFETY: a vacant slot.
        unsafe { self.address(index).write(value) };
        // SAFETY: a slot that exists.
        *unsafe { self.positions.get_unchecked_mut(index) } = self.live as u32;
        // SAFETY: as above.
        let word = unsafe { self.words.get_unchecked_mut(index) };
        *word += 1;
        self.live += 1;
        Key { index: index as u32, word: *word }
    }

    #[inline(always)]
    fn remove(&mut self, key: Key) -> Option<T> {
        let index = key.index as usize;
        if self.words.get(index) != Some(&key.word) {
            return None;
        }
        // SAFETY: it is live.
        unsafe { self.retire(index) };
        // SAFETY: the value was live, and can no longer be found.
        Some(unsafe { self.address(index).read() })
    }

    #[inline(always)]
    fn get(&self, key: Key) -> Option<&T> {
        let index = key.index as usize;
        if self.words.get(index) != Some(&key.word) {
            return None;
        }
        // SAFETY: the word belongs to a live slot.
        Some(unsafe { &*self.address(index) })
    }
}
