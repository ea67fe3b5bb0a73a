//! Handles that were given out while threads may read the roster: their slots are taken before it is used exclusively the next time.

use alloc::vec::Vec;
use core::mem;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::base::handle::Handle;
use crate::roster::Roster;

/// While nobody has the roster exclusively, its vacant slots stay as they are. So a slot that is asked for is written down, and the next is
/// the one behind it.
pub(super) struct Ahead {
    /// Whether there is anything to do.
    is_any: AtomicBool,
    lists: Mutex<Lists>,
}

/// Handles, as numbers.
struct Lists {
    /// In the order of their slots.
    asked: Vec<u64>,
    /// Of reserved slots that go back.
    back: Vec<u64>,
}

impl Lists {
    const EMPTY: Self = Self { asked: Vec::new(), back: Vec::new() };
}

impl Ahead {
    pub(super) const fn new() -> Self {
        Self { is_any: AtomicBool::new(false), lists: Mutex::new(Lists::EMPTY) }
    }

    fn lock(&self) -> MutexGuard<'_, Lists> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lists, with room for one more in the one that `which` selects. The heap, which may be a user of pools, is asked without the
    /// lock.
    fn with_room(&self, which: fn(&mut Lists) -> &mut Vec<u64>) -> MutexGuard<'_, Lists> {
        loop {
            let mut lists = self.lock();
            let len = which(&mut lists).len();
            if len < which(&mut lists).capacity() {
                return lists;
            }
            drop(lists);
            let mut larger = Vec::with_capacity(2 * len + 4);
            let mut lists = self.lock();
            let list = which(&mut lists);
            if list.len() < larger.capacity() {
                larger.extend_from_slice(list);
                mem::swap(list, &mut larger);
            }
            drop(lists);
        }
    }

    /// A handle to a slot of the roster, which nobody has exclusively. See [`Roster::next_vacant`].
    pub(super) fn ask<T>(&self, roster: &Roster<T>) -> Option<Handle<T>> {
        let asked = &mut self.with_room(|lists| &mut lists.asked).asked;
        let before = asked.last().and_then(|&handle| Handle::from_bits(handle));
        let handle = roster.next_vacant(before, asked.len())?;
        asked.push(handle.to_bits());
        self.is_any.store(true, Ordering::Relaxed);
        Some(handle)
    }

    /// Gives a reserved slot back the next time.
    pub(super) fn give_back<T>(&self, handle: Handle<T>) {
        self.with_room(|lists| &mut lists.back).back.push(handle.to_bits());
        self.is_any.store(true, Ordering::Relaxed);
    }

    /// Does what is to be done, with the roster that was asked. (Who has asked had it, so this thread sees that.)
    #[inline]
    pub(super) fn settle<T>(&self, roster: &mut Roster<T>) {
        if self.is_any.load(Ordering::Relaxed) {
            self.settle_lists(roster);
        }
    }

    #[cold]
    #[inline(never)]
    fn settle_lists<T>(&self, roster: &mut Roster<T>) {
        let mut lists = self.lock();
        self.is_any.store(false, Ordering::Relaxed);
        let Lists { asked, back } = mem::replace(&mut *lists, Lists::EMPTY);
        drop(lists);
        asked
            .into_iter()
            .filter_map(Handle::from_bits)
            .for_each(|handle| roster.reserve_at(handle));
        back.into_iter()
            .filter_map(Handle::from_bits)
            .for_each(|handle| _ = roster.release(handle));
    }
}
