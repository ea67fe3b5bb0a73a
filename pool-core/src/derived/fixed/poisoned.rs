//! For AddressSanitizer and Valgrind: slots that were never used are poisoned before the first is taken.
//!
//! A chunk from the heap is poisoned where it is made. A `static` is made nowhere: whoever comes first
//! does it, once, and others wait (so a signal handler must not be the second on the same thread). In a program
//! that is built for neither tool there is nothing of this.

use crate::base::guard::sanitizer;
use crate::base::word::{Bits, Ordering, Word};
use crate::derived::fixed::{Arrangement, Fixed, inner_granules};

/// Whether the slots of a pool were poisoned.
#[derive(Debug)]
pub(super) struct Poisoned(Word);

const NOT_YET: Bits = 0;
const BEGUN: Bits = 1;
const DONE: Bits = 2;

impl Poisoned {
    pub(super) const fn new() -> Self {
        Self(Word::new())
    }

    /// Puts `new` in the place of `current`, unless something else is there.
    fn advance(&self, current: Bits, new: Bits) -> bool {
        // It may fail for no reason.
        while self.0.load(Ordering::Acquire) == current {
            if self.0.replace(current, new, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                return true;
            }
        }
        false
    }
}

impl<A: Arrangement> Fixed<A> {
    /// Returns when all slots were poisoned: O(1), but for the first to call it, and those that come
    /// meanwhile.
    pub(super) fn poison_once(&self) {
        if self.poisoned.advance(NOT_YET, BEGUN) {
            for number in 1..=A::SLOTS as u32 {
                let (start, bytes) = inner_granules(self.slots.slot(number));
                sanitizer::poison(start, bytes);
            }
            self.poisoned.advance(BEGUN, DONE);
        }
        while self.poisoned.0.load(Ordering::Acquire) != DONE {
            core::hint::spin_loop();
        }
    }
}
