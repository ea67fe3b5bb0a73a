//! The rosters of types: one in each thread, or one for all.

use alloc::vec::{self, Vec};
use core::cell::{Cell, RefCell};
use core::mem;
use core::sync::atomic::{AtomicUsize, Ordering};

mod ahead;
mod cell;
pub(crate) mod local;
#[cfg(feature = "view")]
mod map;
pub(crate) mod static_roster;

/// A number that no other call returns.
fn unique() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The handles, as numbers, of elements that are removed when a thread's last use of a roster ends.
#[derive(Debug)]
struct PutOff {
    handles: RefCell<Vec<u64>>,
    /// How many wait, with those that [`PutOff::drain`] has taken out of the list.
    waiting: Cell<usize>,
}

impl PutOff {
    const fn new() -> Self {
        Self { handles: RefCell::new(Vec::new()), waiting: Cell::new(0) }
    }

    fn is_empty(&self) -> bool {
        self.waiting.get() == 0
    }

    fn push(&self, handle: u64) {
        self.handles.borrow_mut().push(handle);
        self.waiting.set(self.waiting.get() + 1);
    }

    /// Calls `remove`, which may run destructors, with each handle in turn, until it says that it cannot: a destructor has
    /// borrowed the roster and keeps it. Uses that end meanwhile find an empty list, so destructors are not nested as deep as
    /// it is long.
    fn drain(&self, mut remove: impl FnMut(u64) -> bool) {
        /// What a destructor that panics leaves for the next time.
        struct Rest<'a>(&'a PutOff, vec::IntoIter<u64>);

        impl Drop for Rest<'_> {
            fn drop(&mut self) {
                self.0.handles.borrow_mut().extend(&mut self.1);
            }
        }

        let handles = mem::take(&mut *self.handles.borrow_mut());
        let mut rest = Rest(self, handles.into_iter());
        for handle in rest.1.by_ref() {
            self.waiting.set(self.waiting.get() - 1);
            if !remove(handle) {
                return self.push(handle);
            }
        }
    }
}
