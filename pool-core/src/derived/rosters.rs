//! The rosters of types: one in each thread, or one for all.

use alloc::vec::{self, Vec};
use core::cell::RefCell;
use core::mem;
use core::sync::atomic::{AtomicUsize, Ordering};

mod cell;
pub(crate) mod local;
pub(crate) mod static_roster;

/// A number that no other call returns.
fn unique() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The handles, as numbers, of elements that are removed when a thread's last use of a roster ends.
#[derive(Debug)]
struct PutOff(RefCell<Vec<u64>>);

impl PutOff {
    const fn new() -> Self {
        Self(RefCell::new(Vec::new()))
    }

    fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    fn push(&self, handle: u64) {
        self.0.borrow_mut().push(handle);
    }

    /// Calls `remove`, which may run destructors, with each handle in turn. Uses that end meanwhile find an empty list, so
    /// destructors are not nested as deep as it is long.
    fn drain(&self, remove: impl FnMut(u64)) {
        /// What a destructor that panics leaves for the next time.
        struct Rest<'a>(&'a PutOff, vec::IntoIter<u64>);

        impl Drop for Rest<'_> {
            fn drop(&mut self) {
                self.0.0.borrow_mut().extend(&mut self.1);
            }
        }

        let handles = mem::take(&mut *self.0.borrow_mut());
        let mut rest = Rest(self, handles.into_iter());
        rest.1.by_ref().for_each(remove);
    }
}
