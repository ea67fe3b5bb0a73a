//! Thread-locals on targets where std's are destroyed at the end of the thread, even those without a destructor.
//!
//! Each thread has a table, found by a key of the system without a destructor. So its values can be found to the thread's
//! very end, in whatever order std destroys its own thread-locals. (One key for all: systems have as few as 128.)
//!
//! The table is on the heap, and has to be given back once everything in it is *spent*. The destructor of a thread-local of
//! std's tries that. If it is too early, it touches another thread-local, so that there is another round of destructors.
//! Values that are never spent, since elements were leaked, stay in memory, as they do everywhere.

use core::alloc::{GlobalAlloc as _, Layout};
use core::cell::Cell;
use core::iter;
use core::mem;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicUsize, Ordering};
use std::alloc::System;

use crate::base::Finally;
use crate::base::opaque::Resident;

mod word;

pub(super) use word::this_thread;

/// How often the end of a thread asks for another round. Systems have 4 or 5; but some go on as long as somebody asks.
const MAX_ROUNDS: u8 = 16;

/// The system has no key or no memory.
#[derive(Debug)]
pub(crate) struct AccessError;

/// A thread-local: see `__keyed_thread_local`.
#[derive(Debug)]
pub struct LocalKey<T: 'static> {
    /// Its place in each thread's table; 0 until it is used.
    number: AtomicUsize,
    initial: fn() -> T,
}

/// Declares a thread-local, as std's macro of this name does.
#[doc(hidden)]
#[macro_export]
macro_rules! __keyed_thread_local {
    ($(#[$attribute:meta])* static $NAME:ident: $ty:ty = const $initial:block $(;)?) => {
        $(#[$attribute])*
        static $NAME: $crate::__private::LocalKey<$ty> =
            $crate::__private::LocalKey::new(|| const $initial);
    };
}

/// A value, of whatever type.
struct Block<T: ?Sized = dyn Resident> {
    /// How many closures have the value.
    uses: Cell<usize>,
    value: T,
}

type Place = Cell<Option<NonNull<Block>>>;

/// How many places a table has.
const PLACES: usize = if cfg!(test) { 8 } else { 64 };

/// A thread's values, by the numbers of their thread-locals.
struct Table {
    /// By the number of the thread-local. The first has no owner.
    places: [Place; PLACES],
    /// Those with higher numbers.
    next: Cell<Option<NonNull<Self>>>,
    /// Rounds of the thread's end; in the first table.
    rounds: Cell<u8>,
}

/// A block that this thread has just found in its table.
struct Here<T>(NonNull<Block<T>>);

impl<T> Here<T> {
    #[inline(always)]
    fn lend<R>(self, f: impl FnOnce(&T) -> R) -> R {
        // SAFETY: this thread alone gives the block back, and not while a use of it is counted.
        let Block { uses, value } = unsafe { self.0.as_ref() };
        uses.set(uses.get() + 1);
        let _use = Finally(|| uses.set(uses.get() - 1));
        f(value)
    }
}

#[allow(private_bounds, reason = "for the derive")]
impl<T: Resident> LocalKey<T> {
    /// One that is `initial` in each thread at first.
    pub const fn new(initial: fn() -> T) -> Self {
        const { assert!(!mem::needs_drop::<T>()) };
        Self { number: AtomicUsize::new(0), initial }
    }

    /// Calls `f` with this thread's.
    ///
    /// # Errors
    ///
    /// If this is the first use, and the system has no key or no memory.
    #[inline(always)]
    pub(crate) fn try_with<R>(&'static self, f: impl FnOnce(&T) -> R) -> Result<R, AccessError> {
        Ok(self.find().or_else(|| self.make()).ok_or(AccessError)?.lend(f))
    }

    /// The same if this is not the first use.
    pub(crate) fn peek<R>(&'static self, f: impl FnOnce(&T) -> R) -> Option<R> {
        Some(self.find()?.lend(f))
    }

    #[inline(always)]
    fn find(&self) -> Option<Here<T>> {
        let place = Table::here()?.place(self.number.load(Ordering::Relaxed), false)?;
        // It is this thread-local's own, so the block is one of a `T`.
        place.get().map(|block| Here(block.cast()))
    }

    #[cold]
    #[inline(never)]
    fn make(&self) -> Option<Here<T>> {
        let number = self.number();
        let table = Table::here().or_else(Table::make)?;
        let place = table.place(number, true)?;
        // The heap may have used it while the table was made: std asks the heap for thread-locals of its own.
        if let Some(made) = place.get() {
            return Some(Here(made.cast()));
        }
        let block = allocate(Block { uses: Cell::new(0), value: (self.initial)() })?;
        place.set(Some(block));
        Some(Here(block))
    }

    fn number(&self) -> usize {
        static LAST: AtomicUsize = AtomicUsize::new(0);

        let number = self.number.load(Ordering::Relaxed);
        if number != 0 {
            return number;
        }
        let new = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        let relaxed = Ordering::Relaxed;
        self.number.compare_exchange(0, new, relaxed, relaxed).map_or_else(|theirs| theirs, |_| new)
    }
}

/// A block of the system's heap for a value.
fn allocate<T>(value: T) -> Option<NonNull<T>> {
    const { assert!(size_of::<T>() > 0) };
    // SAFETY: it has a size.
    let block = NonNull::new(unsafe { System.alloc(Layout::new::<T>()) })?.cast();
    // SAFETY: it is new memory of this layout.
    unsafe { block.write(value) };
    Some(block)
}

/// Gives a value's block back.
///
/// # Safety
///
/// It came from [`allocate`], and nothing uses it, nor can find it any more.
unsafe fn deallocate<T: ?Sized>(block: NonNull<T>) {
    // SAFETY: it is still there.
    let layout = Layout::for_value(unsafe { block.as_ref() });
    // SAFETY: it was allocated so, and nothing uses it (caller).
    unsafe { System.dealloc(block.as_ptr().cast(), layout) };
}

impl Table {
    #[inline(always)]
    fn find() -> Option<NonNull<Self>> {
        NonNull::new(word::get().cast())
    }

    /// This thread's.
    #[inline(always)]
    fn here<'a>() -> Option<&'a Self> {
        // SAFETY: a table stays until its thread gives it back, and no function of this file keeps the reference longer.
        Self::find().map(|table| unsafe { table.as_ref() })
    }

    fn allocate() -> Option<NonNull<Self>> {
        let places = [const { Cell::new(None) }; PLACES];
        allocate(Self { places, next: Cell::new(None), rounds: Cell::new(0) })
    }

    fn make<'a>() -> Option<&'a Self> {
        let table = Self::allocate()?;
        if !word::set(table.as_ptr().cast()) {
            // SAFETY: it came from there, and nothing refers to it.
            unsafe { deallocate(table) };
            return None;
        }
        try_again_later();
        Self::here()
    }

    #[inline(always)]
    fn next(&self) -> Option<&Self> {
        // SAFETY: it stays as long as this one.
        self.next.get().map(|table| unsafe { table.as_ref() })
    }

    /// The place of a number. With `grow`, tables that are missing are made.
    #[inline(always)]
    fn place(&self, number: usize, grow: bool) -> Option<&Place> {
        let mut table = self;
        for _ in 0..number / PLACES {
            if grow && table.next.get().is_none() {
                table.next.set(Some(Self::allocate()?));
            }
            table = table.next()?;
        }
        Some(&table.places[number % PLACES])
    }

    fn occupied(&self) -> impl Iterator<Item = NonNull<Block>> {
        let tables = iter::successors(Some(self), |table| table.next());
        tables.flat_map(|table| table.places.iter().filter_map(Place::get))
    }

    fn is_reclaimable(&self) -> bool {
        self.occupied().all(|block| {
            // SAFETY: a block stays until its table is given back, and values are only shared.
            let Block { uses, value } = unsafe { block.as_ref() };
            uses.get() == 0 && value.is_reclaimable()
        })
    }

    /// Gives this thread's table back if everything in it is spent; otherwise there is another round, if the system lets
    /// us have one.
    fn end() {
        let Some(here) = Self::find() else { return };
        // SAFETY: it stays until it is given back below.
        let table = unsafe { here.as_ref() };
        if !table.is_reclaimable() {
            if table.rounds.get() < MAX_ROUNDS {
                table.rounds.set(table.rounds.get() + 1);
                try_again_later();
            }
            return;
        }
        word::set(ptr::null_mut());
        for block in table.occupied() {
            // SAFETY: nothing uses it, nor can it be found any more.
            unsafe { deallocate(block) };
        }
        let mut next = Some(here);
        while let Some(here) = next {
            // SAFETY: it is there until the next line.
            next = unsafe { here.as_ref() }.next.get();
            // SAFETY: it cannot be found any more.
            unsafe { deallocate(here) };
        }
    }
}

/// Its destructor runs when the thread ends.
struct Round;

impl Drop for Round {
    fn drop(&mut self) {
        Table::end();
    }
}

std::thread_local! {
    static ROUND: Round = const { Round };
    static NEXT_ROUND: Round = const { Round };
}

/// Registers another round by the one of the two that is not running.
fn try_again_later() {
    let _ = ROUND.try_with(|_| ()).or_else(|_| NEXT_ROUND.try_with(|_| ()));
}

#[cfg(test)]
mod tests;
