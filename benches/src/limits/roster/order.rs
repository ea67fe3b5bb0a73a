//! How many live slots come before a given one?

use super::Layout;

/// What is kept so that each live slot has an index among the live.
pub trait Order: 'static {
    /// The name in tables.
    const NAME: &'static str;

    /// No slots.
    fn new() -> Self;

    /// Makes room for this many slots.
    fn grow(&mut self, slots: usize);

    /// The slot is live now.
    ///
    /// # Safety
    ///
    /// It exists, and was vacant.
    unsafe fn join<T>(&mut self, layout: &mut impl Layout<T>, index: usize);

    /// The slot is vacant now.
    ///
    /// # Safety
    ///
    /// It had joined.
    unsafe fn leave<T>(&mut self, layout: &mut impl Layout<T>, index: usize);

    /// The slot's index among the live.
    ///
    /// # Safety
    ///
    /// It has joined.
    unsafe fn index_of<T>(&self, layout: &impl Layout<T>, bitmap: &[u64], index: usize) -> usize;
}

/// Nothing is kept: all live slots before it are counted.
#[derive(Debug)]
pub struct Counting;

impl Order for Counting {
    const NAME: &'static str = "bitmap";

    fn new() -> Self {
        Self
    }

    fn grow(&mut self, _slots: usize) {}

    #[inline(always)]
    unsafe fn join<T>(&mut self, _layout: &mut impl Layout<T>, _index: usize) {}

    #[inline(always)]
    unsafe fn leave<T>(&mut self, _layout: &mut impl Layout<T>, _index: usize) {}

    #[inline(always)]
    unsafe fn index_of<T>(&self, _layout: &impl Layout<T>, bitmap: &[u64], index: usize) -> usize {
        rank(&bitmap[..=index / 64], index % 64)
    }
}

/// Slots that are counted together.
const BLOCK: usize = 4096;

/// The live of every 4,096 slots, so that fewer have to be counted.
#[derive(Debug)]
pub struct Blocks(Vec<u32>);

impl Order for Blocks {
    const NAME: &'static str = "bitmap + counts";

    fn new() -> Self {
        Self(Vec::new())
    }

    fn grow(&mut self, slots: usize) {
        self.0.resize(slots.div_ceil(BLOCK), 0);
    }

    #[inline(always)]
    unsafe fn join<T>(&mut self, _layout: &mut impl Layout<T>, index: usize) {
        // SAFETY: there is a count for every slot's block.
        *unsafe { self.0.get_unchecked_mut(index / BLOCK) } += 1;
    }

    #[inline(always)]
    unsafe fn leave<T>(&mut self, _layout: &mut impl Layout<T>, index: usize) {
        // SAFETY: as above.
        *unsafe { self.0.get_unchecked_mut(index / BLOCK) } -= 1;
    }

    #[inline(always)]
    unsafe fn index_of<T>(&self, _layout: &impl Layout<T>, bitmap: &[u64], index: usize) -> usize {
        let block = index / BLOCK;
        let before: u32 = self.0[..block].iter().sum();
        before as usize + rank(&bitmap[block * (BLOCK / 64)..=index / 64], index % 64)
    }
}

/// How many bits there are in all words but the last, and below `bit` in that.
#[inline(always)]
fn rank(words: &[u64], bit: usize) -> usize {
    let Some((last, words)) = words.split_last() else { return 0 };
    let before: u32 = words.iter().map(|word| word.count_ones()).sum();
    (before + (last & !(u64::MAX << bit)).count_ones()) as usize
}

/// The live slots in an array, from which they are swap-deleted, and each one's place there.
#[derive(Debug)]
pub struct Dense(Vec<u32>);

impl Order for Dense {
    const NAME: &'static str = "bitmap + dense";

    fn new() -> Self {
        Self(Vec::new())
    }

    fn grow(&mut self, slots: usize) {
        self.0.reserve(slots - self.0.len());
    }

    #[inline(always)]
    unsafe fn join<T>(&mut self, layout: &mut impl Layout<T>, index: usize) {
        let position = self.0.len();
        // SAFETY: the slot exists.
        unsafe { layout.set_position(index, position as u32) };
        // SAFETY: there is room for every slot.
        unsafe { self.0.as_mut_ptr().wrapping_add(position).write(index as u32) };
        // SAFETY: as above, and written.
        unsafe { self.0.set_len(position + 1) };
    }

    #[inline(always)]
    unsafe fn leave<T>(&mut self, layout: &mut impl Layout<T>, index: usize) {
        // SAFETY: the slot exists.
        let position = unsafe { layout.position(index) };
        // SAFETY: the slot itself is in it.
        let last = unsafe { self.0.pop().unwrap_unchecked() };
        // SAFETY: below the capacity; if the slot was the last, this writes behind the end.
        unsafe { self.0.as_mut_ptr().wrapping_add(position as usize).write(last) };
        // SAFETY: only slots that exist are in it.
        unsafe { layout.set_position(last as usize, position) };
    }

    #[inline(always)]
    unsafe fn index_of<T>(&self, layout: &impl Layout<T>, _bitmap: &[u64], index: usize) -> usize {
        // SAFETY: the slot exists.
        unsafe { layout.position(index) as usize }
    }
}
