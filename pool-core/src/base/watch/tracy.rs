//! What the profiler Tracy is told: each element that is handed out or taken back, as memory of a pool with a name.
//!
//! Tracy knows a pool by the address of its name, a C string that it reads whenever it likes. So each name is copied once, and stays.
//! The copies lie in the system's heap: the program's own may be a user of pools, which would need names.
//!
//! An element is told of after it was handed out, and before it is taken back. So another thread that gets its slot tells so later.
//! To hand out what is handed out already ends a recording; to take back what is vacant does nothing, since Tracy's client is built to
//! run on demand, and may be connected when half of all elements are there already.

#[cfg(feature = "tracy")]
mod client;

use core::alloc::Layout;
use core::cell::Cell;

/// Whether Tracy is told of elements.
pub(crate) const IS_ON: bool = cfg!(feature = "tracy");

/// The pool with this name hands out an element.
#[inline(always)]
pub(crate) fn hand_out(element: *const u8, bytes: usize, pool: &'static str) {
    #[cfg(feature = "tracy")]
    client::hand_out(element, bytes, pool);
    let _ = (element, bytes, pool);
}

/// The pool with this name takes an element back.
#[inline(always)]
pub(crate) fn take_back(element: *const u8, pool: &'static str) {
    #[cfg(feature = "tracy")]
    client::take_back(element, pool);
    let _ = (element, pool);
}

/// What was told of a pool that is a value. Its memory goes back to the heap with it, whatever was not freed.
pub(crate) struct Told([Elements; IS_ON as usize]);

struct Elements {
    /// How many are handed out.
    live: Cell<usize>,
    /// The name, as it was when there was none.
    pool: Cell<&'static str>,
    slot_bytes: Cell<usize>,
}

impl Told {
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const NOTHING: Self = Self(
        [const { Elements { live: Cell::new(0), pool: Cell::new(""), slot_bytes: Cell::new(0) } };
            IS_ON as usize],
    );

    /// The pool hands out an element of `bytes` bytes, in a slot.
    pub(crate) fn hand_out(
        &self,
        element: *const u8,
        bytes: usize,
        slot: Layout,
        pool: &'static str,
    ) {
        let Some(told) = self.0.first() else { return };
        if told.live.get() == 0 {
            told.pool.set(pool);
            told.slot_bytes.set(slot.size());
        }
        told.live.set(told.live.get() + 1);
        hand_out(element, bytes, told.pool.get());
    }

    /// The pool takes an element back.
    pub(crate) fn take_back(&self, element: *const u8) {
        let Some(told) = self.0.first() else { return };
        told.live.set(told.live.get() - 1);
        take_back(element, told.pool.get());
    }

    /// The pool takes all elements back at once. Of each chunk: its first slot, and how many there are.
    pub(crate) fn take_all_back(&self, chunks: impl Iterator<Item = (*mut u8, usize)>) {
        let Some(told) = self.0.first().filter(|told| told.live.take() != 0) else { return };
        for (first, slots) in chunks {
            let slot = |number| first.wrapping_add(number * told.slot_bytes.get());
            (0..slots).for_each(|number| take_back(slot(number), told.pool.get()));
        }
    }
}
