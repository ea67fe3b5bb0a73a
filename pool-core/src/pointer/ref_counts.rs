//! The counts of a shared element. They change by the protocol of std's `Arc`.
//!
//! *Strong* counts the pointers that own the element. *Weak* counts those that do not, and one more,
//! which all strong ones hold together. Giving up the last strong pointer drops the element, and gives
//! up that weak one. Giving up the last weak one gives the slot back, and the counts with it:
//! nothing reads them after that.
//!
//! Counts of one thread ([`Plain`]) take the same steps, and ignore the orders.
//!
//! # Memory ordering
//!
//! - A pointer is *cloned* from one that is there, which keeps the element alive: relaxed.
//! - A pointer that is *given up* releases, and the last of them acquires. All changes of a count are
//!   exchanges, so the last sees, through the chain of them (a release sequence), what all others did: whatever was
//!   done with the element comes before its destructor, and whatever was done with the slot before its
//!   release. It acquires by a load of its own, after the exchange, and not by a fence: that is the same
//!   here, and ThreadSanitizer knows nothing of fences. [`Counts::dec_strong_if_unique`] acquires by its exchange,
//!   which fails unless it is the last.
//! - A weak pointer is *upgraded* by an exchange which never takes the count up from 0: from there it does
//!   not come back. It acquires, for `new_cyclic`: there the element is written while others may have
//!   weak pointers to it, and the count goes from 0 to 1 by a store that releases.
//! - A pointer is *unique* if it is the only strong one and there is no weak one. Two counts cannot be looked
//!   at in one moment, so weak ones are kept from being made at that time: [`LOCKED`] stands in their
//!   count, if it was 1. It acquires what the last weak pointer released when it was given up. So if that
//!   one had been upgraded before, the strong count that is looked at next has it. And the look at the
//!   strong count acquires what was released by those that gave up the others. The lock is undone by a
//!   store that releases, and `downgrade` acquires: it comes after the look.

use core::cell::Cell;
use core::sync::atomic::Ordering;

use crate::base::atomic::swap::AtomicUsize;
use crate::base::sealed::Sealed;

/// The most pointers to an element. There is as much room again above, for those that threads make
/// before they find out.
const MOST: usize = isize::MAX as usize;

/// The weak count while its owner looks at the strong one.
const LOCKED: usize = usize::MAX;

/// The strong and the weak count of an element.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Counts<C> {
    strong: C,
    weak: C,
}

impl<C: Count> Counts<C> {
    /// With this many strong pointers, and no weak one.
    pub(crate) fn new(strong: usize) -> Self {
        Self { strong: C::with_count(strong), weak: C::with_count(1) }
    }

    /// How many strong pointers there are.
    pub(crate) fn strong(&self) -> usize {
        self.strong.load(Ordering::Relaxed)
    }

    /// How many weak pointers there are, while there is a strong one.
    pub(crate) fn weak(&self) -> usize {
        match self.weak.load(Ordering::Relaxed) {
            LOCKED => 0,
            count => count - 1,
        }
    }

    /// Adds a strong pointer, made from another.
    #[inline(always)]
    pub(crate) fn inc_strong(&self) {
        if self.strong.add(1, Ordering::Relaxed) > MOST {
            abort();
        }
    }

    /// Gives up a strong pointer; `true` if that was the last: then drop the element, and
    /// [`Counts::dec_weak`].
    #[inline(always)]
    pub(crate) fn dec_strong(&self) -> bool {
        give_up(&self.strong)
    }

    /// Gives up a strong pointer if there is no other; then as [`Counts::dec_strong`].
    #[inline]
    pub(crate) fn dec_strong_if_unique(&self) -> bool {
        self.strong.replace(1, 0, Ordering::Acquire).is_ok()
    }

    /// Adds a weak pointer, made from another.
    #[inline]
    pub(crate) fn inc_weak(&self) {
        // Not locked: the lock is held only where there is none.
        if self.weak.add(1, Ordering::Relaxed) > MOST {
            abort();
        }
    }

    /// Gives up a weak pointer; `true` if it was the last: then the slot is the caller's.
    #[inline]
    pub(crate) fn dec_weak(&self) -> bool {
        // If it is 1, no other pointer can be made of this one now, so there is nothing to exchange.
        self.weak.load(Ordering::Acquire) == 1 || give_up(&self.weak)
    }

    /// Adds a weak pointer, made from a strong one.
    #[inline]
    pub(crate) fn downgrade(&self) {
        while !add_unless(&self.weak, LOCKED) {
            crate::base::atomic::spin_loop();
        }
    }

    /// Adds a strong pointer, made from a weak one; `false` if the element is gone, or not there yet.
    #[inline]
    pub(crate) fn upgrade(&self) -> bool {
        add_unless(&self.strong, 0)
    }

    /// Whether there is one strong pointer, and none that is weak.
    #[inline]
    pub(crate) fn is_unique(&self) -> bool {
        if self.weak.replace(1, LOCKED, Ordering::Acquire).is_err() {
            return false;
        }
        let is_unique = self.strong.load(Ordering::Acquire) == 1;
        self.weak.store(1, Ordering::Release);
        is_unique
    }

    /// The element is there: from none to one strong pointer.
    pub(crate) fn publish(&self) {
        self.strong.store(1, Ordering::Release);
    }
}

/// Adds one, unless the count is `refused`. Returns whether it was added.
#[inline]
fn add_unless<C: Count>(count: &C, refused: usize) -> bool {
    let mut found = count.load(Ordering::Relaxed);
    // `LOCKED` is more than `MOST`, so this comes first.
    while found != refused {
        if found > MOST {
            abort();
        }
        match count.replace(found, found + 1, Ordering::Acquire) {
            Ok(_) => return true,
            Err(now) => found = now,
        }
    }
    false
}

/// Subtracts one. Returns whether that was the last.
#[inline(always)]
fn give_up<C: Count>(count: &C) -> bool {
    let is_last = count.add(-1, Ordering::Release) == 1;
    if is_last {
        count.load(Ordering::Acquire);
    }
    is_last
}

/// More pointers than there may be, which takes pointers that were leaked. What follows an overflow would
/// be the use of a freed slot, so nothing does but the panic hook: a panic cannot leave this function, and ends the program.
#[cold]
#[inline(never)]
extern "C" fn abort() -> ! {
    panic!("too many pointers to an element");
}

/// A kind of counter: [`Plain`] or [`Atomic`].
pub trait Count: Sealed {
    #[doc(hidden)]
    fn with_count(count: usize) -> Self;

    #[doc(hidden)]
    fn load(&self, order: Ordering) -> usize;

    #[doc(hidden)]
    fn store(&self, count: usize, order: Ordering);

    /// Adds `by`; returns what was there.
    #[doc(hidden)]
    fn add(&self, by: isize, order: Ordering) -> usize;

    /// Puts `new` in the place of `current`, or says what is there instead.
    #[doc(hidden)]
    fn replace(&self, current: usize, new: usize, order: Ordering) -> Result<usize, usize>;
}

/// A counter for one thread, in a [`PoolRc`](crate::PoolRc).
#[derive(Debug)]
#[repr(transparent)]
pub struct Plain(Cell<usize>);

impl Sealed for Plain {}

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
    fn add(&self, by: isize, _: Ordering) -> usize {
        self.0.replace(self.0.get().wrapping_add(by as usize))
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

impl Sealed for Atomic {}

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
    fn add(&self, by: isize, order: Ordering) -> usize {
        self.0.fetch_add(by as usize, order)
    }

    #[inline(always)]
    fn replace(&self, current: usize, new: usize, order: Ordering) -> Result<usize, usize> {
        self.0.compare_exchange(current, new, order, Ordering::Relaxed)
    }
}

#[cfg(all(test, feature = "std", not(loom)))]
mod tests;
