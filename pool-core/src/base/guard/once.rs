//! For AddressSanitizer and Valgrind: what they are told once, before the first slot of a `static` is taken.
//!
//! A chunk from the heap is poisoned where it is made. A `static` is made nowhere: the first thread to use it poisons it,
//! and others wait for that (so a signal handler must not interrupt the first one and use the pool).

use core::hint;
use core::sync::atomic::Ordering;

use crate::base::atomic::swap::{AtomicBits, Bits};

/// Something that is done once, by whichever thread comes first.
#[derive(Debug)]
pub(crate) struct Once(AtomicBits);

const NOT_YET: Bits = 0;
const BEGUN: Bits = 1;
const DONE: Bits = 2;

impl Once {
    pub(crate) const fn new() -> Self {
        Self(AtomicBits::new(NOT_YET))
    }

    /// Returns when it has been done, by this call of `f` or another.
    pub(crate) fn call(&self, f: impl FnOnce()) {
        let replace = |old, new| {
            self.0.compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire).is_ok()
        };
        if self.0.load(Ordering::Acquire) == NOT_YET && replace(NOT_YET, BEGUN) {
            f();
            replace(BEGUN, DONE);
        }
        while self.0.load(Ordering::Acquire) != DONE {
            hint::spin_loop();
        }
    }
}
