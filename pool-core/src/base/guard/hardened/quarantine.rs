//! Where freed slots wait before they are used again: first in, first out.

use core::cell::Cell;

/// The most slots that wait.
const ROOM: usize = 32;

/// The slots that were freed last. To the strategy they are live.
pub(crate) struct Quarantine {
    slots: [Cell<*mut u8>; ROOM],
    /// How many slots have ever come, and how many have gone.
    come: Cell<usize>,
    gone: Cell<usize>,
}

impl Quarantine {
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const EMPTY: Self = Self {
        slots: [const { Cell::new(core::ptr::null_mut()) }; ROOM],
        come: Cell::new(0),
        gone: Cell::new(0),
    };

    pub(crate) fn len(&self) -> usize {
        self.come.get().wrapping_sub(self.gone.get())
    }

    /// Puts a slot in; if there is no room, the one that has waited longest comes out.
    pub(crate) fn push(&self, slot: *mut u8) -> Option<*mut u8> {
        let oldest = if self.len() == ROOM { self.pop() } else { None };
        self.slots[self.come.get() % ROOM].set(slot);
        self.come.set(self.come.get().wrapping_add(1));
        oldest
    }

    /// Takes the slot that has waited longest.
    pub(crate) fn pop(&self) -> Option<*mut u8> {
        let gone = self.gone.get();
        (gone != self.come.get()).then(|| {
            self.gone.set(gone.wrapping_add(1));
            // Nothing is left of it, or a leak checker would find the slot here.
            self.slots[gone % ROOM].replace(core::ptr::null_mut())
        })
    }

    /// Whether the slot waits here.
    pub(crate) fn holds(&self, slot: *mut u8) -> bool {
        let mut is_here = false;
        self.for_each(&mut |other| is_here |= other == slot);
        is_here
    }

    /// Shows the slots, in the order in which they will go.
    pub(crate) fn for_each(&self, show: &mut dyn FnMut(*mut u8)) {
        (0..self.len())
            .for_each(|n| show(self.slots[self.gone.get().wrapping_add(n) % ROOM].get()));
    }
}
