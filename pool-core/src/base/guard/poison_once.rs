//! For AddressSanitizer and Valgrind: the slots of a `static` are poisoned before the first is taken.
//!
//! A chunk from the heap is poisoned where it is made. A `static` is made nowhere: the first thread to use it poisons it,
//! and others wait for that (so a signal handler must not interrupt the first one and use the pool).

use core::hint;

use crate::base::atomic::swap::{AtomicBits, Bits};
use core::sync::atomic::Ordering;

/// Whether the slots of a pool were poisoned.
#[derive(Debug)]
pub(crate) struct PoisonOnce(AtomicBits);

const NOT_YET: Bits = 0;
const BEGUN: Bits = 1;
const DONE: Bits = 2;

impl PoisonOnce {
    pub(crate) const fn new() -> Self {
        Self(AtomicBits::new(NOT_YET))
    }

    /// Returns when all slots were poisoned, by this call of `poison` or another.
    pub(crate) fn call(&self, poison: impl FnOnce()) {
        if self.0.load(Ordering::Acquire) == DONE {
            return;
        }
        let (success, failure) = (Ordering::AcqRel, Ordering::Acquire);
        match self.0.compare_exchange(NOT_YET, BEGUN, success, failure) {
            Ok(_) => {
                poison();
                // Nobody else changes it from here on.
                let _ = self.0.compare_exchange(BEGUN, DONE, success, failure);
            }
            Err(_) => {
                while self.0.load(Ordering::Acquire) != DONE {
                    hint::spin_loop();
                }
            }
        }
    }
}
