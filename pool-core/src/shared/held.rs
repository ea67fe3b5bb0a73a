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

use crate::sync::UnsafeCell;
use crate::sync::atomic::AtomicUsize;

/// The most slots that a thread holds.
pub(super) const MOST: usize = 32;

/// How many slots a thread holds, and who may touch them.
pub(super) struct Held {
    lock: Lock,
    /// Where loom watches who does.
    watched: UnsafeCell<()>,
    /// How many there are. Changed behind the lock; other threads may ask, for a figure.
    len: AtomicUsize,
    /// How often one was put in. Behind the lock.
    puts: Cell<usize>,
    /// What that was when somebody who is at the limit found nothing here. Behind the depot's lock.
    seen: Cell<usize>,
}

/// In models atomics are made at run time.
macro_rules! constructors {
    ($($constant:ident)?) => {
        impl Held {
            /// Without a slot.
            pub(super) $($constant)? fn new() -> Self {
                Self {
                    lock: Lock::new(),
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
        if cfg!(pool_seed_no_guard) {
            return self.watched.with_mut(|_| f());
        }
        self.lock.with(|| self.watched.with_mut(|_| f()))
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

#[cfg(not(all(loom, test)))]
use spinning::Lock;

#[cfg(not(all(loom, test)))]
mod spinning {
    use core::sync::atomic::{AtomicBool, Ordering};
    use core::time::Duration;
    use std::thread;

    /// A lock that is had for some instructions, or for as long as it takes to bring the slots back, and that
    /// nobody else asks for, as a rule: a `Mutex` costs twice as much then.
    pub(super) struct Lock(AtomicBool);

    impl Lock {
        pub(super) const fn new() -> Self {
            Self(AtomicBool::new(false))
        }

        /// Calls `f`, which does not unwind, with the lock.
        #[inline]
        pub(super) fn with<R>(&self, f: impl FnOnce() -> R) -> R {
            if self.0.swap(true, Ordering::Acquire) {
                self.wait();
            }
            let result = f();
            self.0.store(false, Ordering::Release);
            result
        }

        /// Lets the thread come first that has the lock, and sleeps in the end: that may be one of less priority.
        #[cold]
        fn wait(&self) {
            let mut turns = 0;
            while self.0.swap(true, Ordering::Acquire) {
                match turns {
                    0..64 => crate::sync::spin_loop(),
                    64..128 => thread::yield_now(),
                    _ => thread::sleep(Duration::from_micros(50)),
                }
                turns += 1;
            }
        }
    }
}

/// Loom follows threads that wait by turns without end.
#[cfg(all(loom, test))]
struct Lock(crate::sync::Mutex<()>);

#[cfg(all(loom, test))]
impl Lock {
    fn new() -> Self {
        Self(crate::sync::Mutex::new(()))
    }

    fn with<R>(&self, f: impl FnOnce() -> R) -> R {
        let _guard = self.0.lock().unwrap();
        f()
    }
}
