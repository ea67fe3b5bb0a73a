//! Where a slot's generation word and its position among the live ones lie.

use core::fmt;
use core::marker::PhantomData;

use super::Addressing;

/// Slots with a word and a position each.
pub trait Layout<T>: 'static {
    /// The name in tables.
    fn name() -> String;

    /// No slots.
    fn new() -> Self;

    /// Grows to this many slots. The words of new ones are 0.
    fn grow(&mut self, slots: usize);

    /// How many slots there are.
    fn slots(&self) -> usize;

    /// Where the value lies.
    fn value(&self, index: usize) -> *mut T;

    /// Where the value lies that is this many slots further on in the same word of a bitmap.
    #[inline(always)]
    fn further(value: *mut T, slots: usize) -> *mut T {
        value.wrapping_add(slots)
    }

    /// The slot's word.
    ///
    /// # Safety
    ///
    /// `index` is below `slots`.
    unsafe fn word(&self, index: usize) -> u32;

    /// Changes the slot's word.
    ///
    /// # Safety
    ///
    /// `index` is below `slots`.
    unsafe fn set_word(&mut self, index: usize, word: u32);

    /// The slot's position.
    ///
    /// # Safety
    ///
    /// `index` is below `slots`.
    unsafe fn position(&self, index: usize) -> u32;

    /// Changes the slot's position.
    ///
    /// # Safety
    ///
    /// `index` is below `slots`.
    unsafe fn set_position(&mut self, index: usize, position: u32);
}

/// An array of words and an array of positions.
pub struct Apart<A> {
    slots: A,
    words: Vec<u32>,
    positions: Vec<u32>,
}

impl<A> fmt::Debug for Apart<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Apart({})", self.words.len())
    }
}

impl<T, A: Addressing<T>> Layout<T> for Apart<A> {
    fn name() -> String {
        format!("{}, words apart", A::name())
    }

    fn new() -> Self {
        Self { slots: A::new(), words: Vec::new(), positions: Vec::new() }
    }

    fn grow(&mut self, slots: usize) {
        self.slots.grow(slots);
        self.words.resize(slots, 0);
        self.positions.resize(slots, 0);
    }

    #[inline(always)]
    fn slots(&self) -> usize {
        self.words.len()
    }

    #[inline(always)]
    fn value(&self, index: usize) -> *mut T {
        self.slots.address(index)
    }

    #[inline(always)]
    unsafe fn word(&self, index: usize) -> u32 {
        // SAFETY: in bounds, as promised.
        unsafe { *self.words.get_unchecked(index) }
    }

    #[inline(always)]
    unsafe fn set_word(&mut self, index: usize, word: u32) {
        // SAFETY: in bounds, as promised.
        *unsafe { self.words.get_unchecked_mut(index) } = word;
    }

    #[inline(always)]
    unsafe fn position(&self, index: usize) -> u32 {
        // SAFETY: in bounds, as promised.
        unsafe { *self.positions.get_unchecked(index) }
    }

    #[inline(always)]
    unsafe fn set_position(&mut self, index: usize, position: u32) {
        // SAFETY: in bounds, as promised.
        *unsafe { self.positions.get_unchecked_mut(index) } = position;
    }
}

/// One array of entries: a word and a position.
pub struct Entries<A> {
    slots: A,
    entries: Vec<Entry>,
}

/// Eight bytes that one load brings.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(8))]
struct Entry {
    word: u32,
    position: u32,
}

impl<A> fmt::Debug for Entries<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entries({})", self.entries.len())
    }
}

impl<T, A: Addressing<T>> Layout<T> for Entries<A> {
    fn name() -> String {
        format!("{}, entries", A::name())
    }

    fn new() -> Self {
        Self { slots: A::new(), entries: Vec::new() }
    }

    fn grow(&mut self, slots: usize) {
        self.slots.grow(slots);
        self.entries.resize(slots, Entry::default());
    }

    #[inline(always)]
    fn slots(&self) -> usize {
        self.entries.len()
    }

    #[inline(always)]
    fn value(&self, index: usize) -> *mut T {
        self.slots.address(index)
    }

    #[inline(always)]
    unsafe fn word(&self, index: usize) -> u32 {
        // SAFETY: in bounds, as promised.
        unsafe { self.entries.get_unchecked(index) }.word
    }

    #[inline(always)]
    unsafe fn set_word(&mut self, index: usize, word: u32) {
        // SAFETY: in bounds, as promised.
        unsafe { self.entries.get_unchecked_mut(index) }.word = word;
    }

    #[inline(always)]
    unsafe fn position(&self, index: usize) -> u32 {
        // SAFETY: in bounds, as promised.
        unsafe { self.entries.get_unchecked(index) }.position
    }

    #[inline(always)]
    unsafe fn set_position(&mut self, index: usize, position: u32) {
        // SAFETY: in bounds, as promised.
        unsafe { self.entries.get_unchecked_mut(index) }.position = position;
    }
}

/// The word in the slot, after the value; positions in an array.
pub struct Beside<T, A> {
    slots: A,
    positions: Vec<u32>,
    value: PhantomData<fn() -> T>,
}

/// What a slot holds then.
#[repr(C)]
#[derive(Debug)]
pub struct WithWord<T> {
    value: T,
    word: u32,
}

impl<T, A> fmt::Debug for Beside<T, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Beside({})", self.positions.len())
    }
}

impl<T: 'static, A: Addressing<WithWord<T>>> Layout<T> for Beside<T, A> {
    fn name() -> String {
        format!("{}, word beside value", A::name())
    }

    fn new() -> Self {
        Self { slots: A::new(), positions: Vec::new(), value: PhantomData }
    }

    fn grow(&mut self, slots: usize) {
        self.slots.grow(slots);
        for new in self.positions.len()..slots {
            let slot = self.slots.address(new);
            // SAFETY: a slot that exists.
            let word = unsafe { &raw mut (*slot).word };
            // SAFETY: as above.
            unsafe { word.write(0) };
        }
        self.positions.resize(slots, 0);
    }

    #[inline(always)]
    fn slots(&self) -> usize {
        self.positions.len()
    }

    #[inline(always)]
    fn value(&self, index: usize) -> *mut T {
        // The value is the first field.
        self.slots.address(index).cast()
    }

    #[inline(always)]
    fn further(value: *mut T, slots: usize) -> *mut T {
        value.cast::<WithWord<T>>().wrapping_add(slots).cast()
    }

    #[inline(always)]
    unsafe fn word(&self, index: usize) -> u32 {
        // SAFETY: a slot that exists, as promised, and its word was written by `grow`.
        unsafe { (*self.slots.address(index)).word }
    }

    #[inline(always)]
    unsafe fn set_word(&mut self, index: usize, word: u32) {
        // SAFETY: as above.
        unsafe { (*self.slots.address(index)).word = word };
    }

    #[inline(always)]
    unsafe fn position(&self, index: usize) -> u32 {
        // SAFETY: in bounds, as promised.
        unsafe { *self.positions.get_unchecked(index) }
    }

    #[inline(always)]
    unsafe fn set_position(&mut self, index: usize, position: u32) {
        // SAFETY: in bounds, as promised.
        *unsafe { self.positions.get_unchecked_mut(index) } = position;
    }
}
