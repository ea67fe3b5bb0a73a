//! Dense indices: the places of live slots in a list without gaps.
//!
//! The two tables come from the swap-delete design (T. Cohen, Insomniac Games, 2010; M. Labbe, 2023): `order` lists
//! the live slots, every live slot knows its place there, and one is taken out by moving the last into its place.
//! Keeping them makes a removal 2.8 times as expensive (`docs/decisions/roster.md`), so before an index is
//! requested they are not written, and their memory is not touched. From then on they are kept up to date.

use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::base::heap::PoolVec;
use crate::roster::word::is_live;

/// The tables, with a number for each slot. All numbers are initialised once the tables are built, and none before: zeros
/// would be a third of what growth costs.
///
/// They are built behind a shared reference, perhaps by several threads at once. All threads write the same
/// numbers, since the roster cannot change meanwhile; so none has to wait for another.
#[derive(Debug)]
pub(super) struct Dense {
    /// One flag, once there are slots. It is behind a pointer because the compiler may assume that the fields of a
    /// shared roster do not change while handles are followed.
    built: PoolVec<AtomicBool>,
    order: Numbers,
    places: Numbers,
}

impl Dense {
    pub(super) const fn new() -> Self {
        Self { built: PoolVec::new(), order: Numbers::new(), places: Numbers::new() }
    }

    /// The place of a live slot.
    pub(super) fn place(&self, slot: u32, words: &[u32]) -> usize {
        self.build(words);
        // SAFETY: the tables are built.
        unsafe { self.places.get(slot as usize) as usize }
    }

    /// The live slot at a place below their number.
    pub(super) fn slot(&self, place: usize, words: &[u32]) -> u32 {
        self.build(words);
        // SAFETY: the tables are built.
        unsafe { self.order.get(place) }
    }

    /// The live slots in their order, if one was requested; other numbers follow.
    #[cfg(feature = "serde")]
    pub(super) fn order(&self) -> Option<impl ExactSizeIterator<Item = u32> + Clone> {
        // SAFETY: the tables are built.
        self.is_built().then(|| unsafe { self.order.all() })
    }

    /// Forgets the tables: the next request builds them anew.
    #[cfg(feature = "rewind")]
    pub(super) fn forget(&mut self) {
        self.built.iter_mut().for_each(|built| *built.get_mut() = false);
    }

    /// Undoes [`Dense::remove`] of a slot that had this place; `count` others are live.
    #[cfg(feature = "rewind")]
    pub(super) fn undo_remove(&mut self, slot: u32, place: usize, count: usize) {
        if self.is_kept() && place <= count {
            // SAFETY: the tables are built.
            let moved = if place < count { unsafe { self.order.get(place) } } else { slot };
            self.order.set(count, moved);
            self.places.set(moved as usize, count as u32);
            self.order.set(place, slot);
            self.places.set(slot as usize, place as u32);
        }
    }

    #[inline]
    fn is_built(&self) -> bool {
        self.built.first().is_some_and(|built| built.load(Ordering::Acquire))
    }

    /// Whether the tables have to be kept up to date.
    #[inline(always)]
    pub(super) fn is_kept(&mut self) -> bool {
        self.built.first_mut().is_some_and(|built| *built.get_mut())
    }

    /// [`Dense::is_kept`].
    ///
    /// # Safety
    ///
    /// There are slots.
    #[inline(always)]
    pub(super) unsafe fn is_kept_unchecked(&mut self) -> bool {
        // SAFETY: there is a flag once there are slots.
        let built = unsafe { self.built.get_unchecked_mut(0) };
        *built.get_mut()
    }

    #[inline]
    fn build(&self, words: &[u32]) {
        // Pairs with the store below: a thread that sees `true` sees the numbers.
        if !self.is_built() {
            self.build_now(words);
        }
    }

    #[cold]
    fn build_now(&self, words: &[u32]) {
        let mut count = 0;
        for slot in 0..self.places.0.len() {
            // Each number is stored once: another thread may have built the tables, and a third may be reading them.
            self.places.set(slot, count);
            if words.get(slot).is_some_and(|&word| is_live(word)) {
                self.order.set(count as usize, slot as u32);
                count += 1;
            }
        }
        for place in count as usize..self.order.0.len() {
            self.order.set(place, 0);
        }
        for built in self.built.iter() {
            built.store(true, Ordering::Release);
        }
    }

    /// Takes over an order, which must be one of the live slots.
    #[cfg(feature = "serde")]
    pub(super) fn set(&mut self, order: &[u32]) {
        self.order.fill(order.iter().copied());
        self.places.fill([]);
        for (place, &slot) in order.iter().enumerate() {
            self.places.set(slot as usize, place as u32);
        }
        for built in self.built.iter_mut() {
            *built.get_mut() = true;
        }
    }

    /// A slot has become live beside `count` others.
    pub(super) fn insert(&mut self, slot: usize, count: usize) {
        if self.is_kept() {
            self.order.set(count, slot as u32);
            self.places.set(slot, count as u32);
        }
    }

    /// A slot is no longer live; `count` others are.
    ///
    /// # Safety
    ///
    /// The slot exists.
    #[inline(always)]
    pub(super) unsafe fn remove(&mut self, slot: usize, count: usize) {
        // SAFETY: the slot exists.
        if unsafe { self.is_kept_unchecked() } {
            // SAFETY: they have been built.
            unsafe { self.swap_remove(slot, count) };
        }
    }

    /// # Safety
    ///
    /// The tables are built.
    #[cold]
    #[inline(never)]
    unsafe extern "C" fn swap_remove(&mut self, slot: usize, count: usize) {
        // SAFETY: the tables are built (caller).
        let place = unsafe { self.places.get(slot) };
        // SAFETY: as above.
        let last = unsafe { self.order.get(count) };
        self.order.set(place as usize, last);
        self.places.set(last as usize, place);
    }

    /// The same, in tables of a number for each of `slots` slots; `None` if the heap has no room.
    pub(super) fn resized(&self, slots: usize) -> Option<Self> {
        let is_built = self.is_built();
        let mut built = PoolVec::new();
        built.try_reserve_exact(1).ok()?;
        built.push(AtomicBool::new(is_built));
        let mut order = Numbers::uninit(slots)?;
        let mut places = Numbers::uninit(slots)?;
        if is_built {
            // SAFETY: the tables are built.
            order.fill(unsafe { self.order.all() });
            // SAFETY: as above.
            places.fill(unsafe { self.places.all() });
        }
        Some(Self { built, order, places })
    }

    /// Heap bytes held with room for `slots` slots.
    pub(super) fn bytes_for(slots: usize) -> usize {
        2 * slots * size_of::<u32>()
    }

    /// Heap bytes held, perhaps never touched.
    pub(super) fn bytes(&self) -> usize {
        (self.order.0.capacity() + self.places.0.capacity()) * size_of::<u32>()
    }
}

impl Clone for Dense {
    fn clone(&self) -> Self {
        let is_built = self.is_built();
        let table = |numbers: &Numbers| match is_built {
            // SAFETY: the tables are built.
            true => Numbers(unsafe { numbers.all() }.map(number).collect()),
            false => Numbers(numbers.0.iter().map(|_| MaybeUninit::uninit()).collect()),
        };
        let built = self.built.iter().map(|_| AtomicBool::new(is_built)).collect();
        Self { built, order: table(&self.order), places: table(&self.places) }
    }
}

/// Numbers that may be uninitialised: memory that nobody touches costs next to nothing.
#[derive(Debug)]
struct Numbers(PoolVec<MaybeUninit<AtomicU32>>);

fn number(number: u32) -> MaybeUninit<AtomicU32> {
    MaybeUninit::new(AtomicU32::new(number))
}

impl Numbers {
    const fn new() -> Self {
        Self(PoolVec::new())
    }

    /// This many, uninitialised. `None` if the heap has no room.
    fn uninit(count: usize) -> Option<Self> {
        let mut numbers = PoolVec::new();
        numbers.try_reserve_exact(count).ok()?;
        // SAFETY: there is room for them, and they need no value. (`resize_with` would touch the memory in a debug build.)
        unsafe { numbers.set_len(count) };
        Some(Self(numbers))
    }

    /// Sets all of them: to those, and the rest to 0.
    fn fill(&mut self, numbers: impl IntoIterator<Item = u32>) {
        let numbers = numbers.into_iter().chain(core::iter::repeat(0));
        self.0.iter_mut().zip(numbers).for_each(|(at, value)| *at = number(value));
    }

    #[inline]
    fn set(&self, at: usize, number: u32) {
        let at = self.0[at].as_ptr().cast::<u32>().cast_mut();
        // SAFETY: it is one of the numbers, which are atomic, so they may be written behind a shared reference; and it
        // is not read here.
        unsafe { AtomicU32::from_ptr(at) }.store(number, Ordering::Relaxed);
    }

    /// # Safety
    ///
    /// The number is initialised.
    #[inline]
    unsafe fn get(&self, at: usize) -> u32 {
        // SAFETY: it is initialised (caller).
        unsafe { self.0[at].assume_init_ref() }.load(Ordering::Relaxed)
    }

    /// # Safety
    ///
    /// All numbers are initialised.
    unsafe fn all(&self) -> impl ExactSizeIterator<Item = u32> + Clone {
        // SAFETY: they are initialised (caller).
        (0..self.0.len()).map(|at| unsafe { self.get(at) })
    }
}
