//! What a thread of a pool with a limit has at hand: slots that are brought back before the limit refuses anybody.
//!
//! What lies in a magazine as such is its thread's alone, and nobody can take it from there without making every
//! operation atomic. A pool that grows does not care. Where there is a limit, magazines have no room, and a thread
//! *holds* its free slots behind a lock of its own, which nobody else asks for before the limit is reached.
//!
//! Slots go from here to the pool, or from there to here, behind the depot's lock as well, which is always
//! taken first.

use core::cell::Cell;
use core::sync::atomic::Ordering;
use std::sync::PoisonError;

use crate::sync::atomic::AtomicUsize;
use crate::sync::{Mutex, UnsafeCell};

/// The most slots that a thread holds.
pub(super) const MOST: usize = 32;

/// How many slots a thread holds, and who may touch them.
pub(super) struct Held {
    lock: Mutex<()>,
    /// Where loom watches who does.
    watched: UnsafeCell<()>,
    /// How many there are. Changed behind the lock; other threads may ask, for a figure.
    len: AtomicUsize,
    /// How often one was put in. Behind the lock.
    puts: Cell<usize>,
    /// What that was when somebody who is at the limit found nothing here. Behind the depot's lock.
    seen: Cell<usize>,
}

/// In models locks and atomics are made at run time.
macro_rules! constructors {
    ($($constant:ident)?) => {
        impl Held {
            /// Without a slot.
            pub(super) $($constant)? fn new() -> Self {
                Self {
                    lock: Mutex::new(()),
                    watched: UnsafeCell::new(()),
                    len: AtomicUsize::new(0),
                    puts: Cell::new(0),
                    seen: Cell::new(0),
                }
            }
        }
    };
}

#[cfg(not(all(loom, test)))]
constructors!(const);
#[cfg(all(loom, test))]
constructors!();

impl Held {
    /// Calls `f` with the lock.
    pub(super) fn enter<R>(&self, f: impl FnOnce() -> R) -> R {
        // Nothing in here can leave anything in disorder: no user's code runs behind the lock.
        let _guard = (!cfg!(pool_seed_no_guard))
            .then(|| self.lock.lock().unwrap_or_else(PoisonError::into_inner));
        self.watched.with_mut(|_| f())
    }

    /// How many slots there are. Who has no lock asks for a figure.
    pub(super) fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    /// One was put in. With the lock.
    pub(super) fn grow(&self) {
        self.len.store(self.len() + 1, Ordering::Relaxed);
        self.puts.set(self.puts.get().wrapping_add(1));
    }

    /// One was taken out. With the lock.
    pub(super) fn shrink(&self) {
        self.len.store(self.len() - 1, Ordering::Relaxed);
    }

    /// Nothing is here. With both locks.
    pub(super) fn note_seen(&self) {
        self.seen.set(self.puts.get());
    }

    /// Whether nothing was put in since [`Held::note_seen`]. With both locks.
    pub(super) fn is_as_seen(&self) -> bool {
        self.seen.get() == self.puts.get() || cfg!(pool_seed_one_look)
    }
}
