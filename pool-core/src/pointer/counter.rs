//! What pointers are counted with: a cell, or an atomic.

use core::cell::Cell;
pub(crate) use core::sync::atomic::Ordering;

use crate::base::atomic::swap::AtomicUsize;

/// Out of reach, so that only this crate implements [`Count`].
mod sealed {
    #[allow(unnameable_types, reason = "that is what seals it")]
    pub trait Sealed {}

    impl Sealed for crate::pointer::counter::Plain {}
    impl Sealed for crate::pointer::counter::Atomic {}
}

/// What pointers are counted with: [`Plain`] or [`Atomic`], and nothing else.
pub trait Count: sealed::Sealed {
    #[doc(hidden)]
    fn with_count(count: usize) -> Self;

    #[doc(hidden)]
    fn load(&self, order: Ordering) -> usize;

    #[doc(hidden)]
    fn store(&self, count: usize, order: Ordering);

    /// Adds one; returns what was there.
    #[doc(hidden)]
    fn up(&self, order: Ordering) -> usize;

    /// Subtracts one; returns what was there.
    #[doc(hidden)]
    fn down(&self, order: Ordering) -> usize;

    /// Puts `new` in the place of `current`, or says what is there instead.
    #[doc(hidden)]
    fn replace(&self, current: usize, new: usize, order: Ordering) -> Result<usize, usize>;
}

/// A counter for one thread, in a [`PoolRc`](crate::PoolRc).
#[derive(Debug)]
#[repr(transparent)]
pub struct Plain(Cell<usize>);

impl Count for Plain {
    fn with_count(count: usize) -> Self {
        Self(Cell::new(count))
    }

    #[inline(always)]
    fn load(&self, _: Ordering) -> usize {
        self.0.get()
    }

    #[inline(always)]
    fn store(&self, count: usize, _: Ordering) {
        self.0.set(count);
    }

    #[inline(always)]
    fn up(&self, _: Ordering) -> usize {
        self.0.replace(self.0.get() + 1)
    }

    #[inline(always)]
    fn down(&self, _: Ordering) -> usize {
        self.0.replace(self.0.get() - 1)
    }

    #[inline(always)]
    fn replace(&self, current: usize, new: usize, _: Ordering) -> Result<usize, usize> {
        let found = self.0.get();
        if found != current {
            return Err(found);
        }
        self.0.set(new);
        Ok(found)
    }
}

/// A counter for many threads, in a [`PoolArc`](crate::PoolArc).
#[derive(Debug)]
pub struct Atomic(AtomicUsize);

impl Count for Atomic {
    fn with_count(count: usize) -> Self {
        Self(AtomicUsize::new(count))
    }

    #[inline(always)]
    fn load(&self, order: Ordering) -> usize {
        self.0.load(order)
    }

    #[inline(always)]
    fn store(&self, count: usize, order: Ordering) {
        self.0.store(count, order);
    }

    #[inline(always)]
    fn up(&self, order: Ordering) -> usize {
        self.0.fetch_add(1, order)
    }

    #[inline(always)]
    fn down(&self, order: Ordering) -> usize {
        self.0.fetch_sub(1, order)
    }

    #[inline(always)]
    fn replace(&self, current: usize, new: usize, order: Ordering) -> Result<usize, usize> {
        self.0.compare_exchange(current, new, order, Ordering::Relaxed)
    }
}
