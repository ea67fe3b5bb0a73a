//! For AddressSanitizer and Valgrind: slots that were never used are poisoned before the first is taken.
//!
//! A chunk from the heap is poisoned where it is made. A `static` is made nowhere: whoever comes first
//! does it, once, and others wait (so a signal handler must not be the second on the same thread). In a program
//! that is built for neither tool there is nothing of this.

use crate::base::word::{AtomicWord, Ordering, WordBits};

/// Runs something once, while others wait: a [`std::sync::Once`] for programs without `std`.
#[derive(Debug)]
pub(super) struct PoisonOnce(AtomicWord);

const NOT_YET: WordBits = 0;
const BEGUN: WordBits = 1;
const DONE: WordBits = 2;

impl PoisonOnce {
    pub(super) const fn new() -> Self {
        Self(AtomicWord::new())
    }

    /// Replaces `current` by `new`; `false` if something else is there.
    fn advance(&self, current: WordBits, new: WordBits) -> bool {
        // The exchange may fail spuriously.
        while self.0.load(Ordering::Acquire) == current {
            if self.0.replace(current, new, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                return true;
            }
        }
        false
    }

    /// Returns when the first caller's `poison` has returned: O(1) from then on.
    pub(super) fn call_once(&self, poison: impl FnOnce()) {
        if self.advance(NOT_YET, BEGUN) {
            poison();
            self.advance(BEGUN, DONE);
        }
        while self.0.load(Ordering::Acquire) != DONE {
            core::hint::spin_loop();
        }
    }
}
