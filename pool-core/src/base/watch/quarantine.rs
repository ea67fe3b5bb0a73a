//! Where freed slots wait before they are used again: first in, first out.

use core::cell::Cell;

use crate::base::watch::hardened::IS_HARDENED;

/// The most slots that wait.
const ROOM: usize = 32;

/// The slots that were freed last, with `hardened`. To the strategy they are live.
pub(crate) struct Quarantine([Queue; IS_HARDENED as usize]);

struct Queue {
    slots: [Cell<*mut u8>; ROOM],
    /// How many slots have ever come, and how many have gone.
    come: Cell<usize>,
    gone: Cell<usize>,
}

impl Quarantine {
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const EMPTY: Self = Self([const { Queue::EMPTY }; IS_HARDENED as usize]);

    pub(crate) fn len(&self) -> usize {
        self.0.first().map_or(0, Queue::len)
    }

    /// Puts a slot in; if there is no room, the one that has waited longest comes out.
    pub(crate) fn push(&self, slot: *mut u8) -> Option<*mut u8> {
        self.0.first().map_or(Some(slot), |queue| queue.push(slot))
    }

    /// Takes the slot that has waited longest.
    pub(crate) fn pop(&self) -> Option<*mut u8> {
        self.0.first().and_then(Queue::pop)
    }

    /// Whether the slot waits here.
    pub(crate) fn holds(&self, slot: *mut u8) -> bool {
        let mut is_here = false;
        self.for_each(&mut |other| is_here |= other == slot);
        is_here
    }

    /// Shows the slots, in the order in which they will go.
    pub(crate) fn for_each(&self, show: &mut dyn FnMut(*mut u8)) {
        for queue in &self.0 {
            (0..queue.len()).for_each(|n| show(queue.slot(n).get()));
        }
    }
}

impl Queue {
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    const EMPTY: Self = Self {
        slots: [const { Cell::new(core::ptr::null_mut()) }; ROOM],
        come: Cell::new(0),
        gone: Cell::new(0),
    };

    fn len(&self) -> usize {
        self.come.get().wrapping_sub(self.gone.get())
    }

    /// The place of the slot that is `n` behind the one that has waited longest.
    fn slot(&self, n: usize) -> &Cell<*mut u8> {
        &self.slots[self.gone.get().wrapping_add(n) % ROOM]
    }

    fn push(&self, slot: *mut u8) -> Option<*mut u8> {
        let oldest = if self.len() == ROOM { self.pop() } else { None };
        self.slot(self.len()).set(slot);
        self.come.set(self.come.get().wrapping_add(1));
        oldest
    }

    fn pop(&self) -> Option<*mut u8> {
        if self.len() == 0 {
            return None;
        }
        // Nothing is left of it, or a leak checker would find the slot here.
        let oldest = self.slot(0).replace(core::ptr::null_mut());
        self.gone.set(self.gone.get().wrapping_add(1));
        Some(oldest)
    }
}
