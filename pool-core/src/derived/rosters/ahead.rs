//! Handles that were given out while threads may read the roster: their slots are taken before it is used exclusively the next time.

use alloc::vec::Vec;
use core::cell::{RefCell, RefMut};
use core::mem;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::MutexGuard;

use crate::base::handle::Handle;
use crate::base::lock::Lock;
use crate::roster::Roster;

#[cfg(all(test, target_os = "linux", not(miri), not(loom)))]
mod tests;

/// While nobody has the roster exclusively, its vacant slots stay as they are. So a slot that is asked for is written down, and the next is
/// the one behind it.
pub(super) struct Ahead {
    /// Whether there is anything to do.
    is_any: AtomicBool,
    lock: Lock,
    /// Behind the lock.
    lists: RefCell<Lists>,
}

// SAFETY: only who has the lock touches the lists (`Ahead::lock`).
unsafe impl Sync for Ahead {}

/// The lists, behind the lock: they are given back before it is.
struct Locked<'a> {
    lists: RefMut<'a, Lists>,
    _lock: MutexGuard<'a, ()>,
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
        Self {
            is_any: AtomicBool::new(false),
            lock: Lock::new(),
            lists: RefCell::new(Lists::EMPTY),
        }
    }

    fn lock(&'static self) -> Locked<'static> {
        self.lock.follow(&((|| ()) as fn()));
        let lock = self.lock.lock();
        Locked { lists: self.lists.borrow_mut(), _lock: lock }
    }

    /// The lists, with room for one more in the one that `which` selects. The heap, which may be a user of pools, is asked without the
    /// lock.
    fn with_room(&'static self, which: fn(&mut Lists) -> &mut Vec<u64>) -> Locked<'static> {
        loop {
            let mut locked = self.lock();
            let list = which(&mut locked.lists);
            let len = list.len();
            if len < list.capacity() {
                return locked;
            }
            drop(locked);
            let mut larger = Vec::with_capacity(2 * len + 4);
            let mut locked = self.lock();
            let list = which(&mut locked.lists);
            if list.len() < larger.capacity() {
                larger.extend_from_slice(list);
                mem::swap(list, &mut larger);
            }
            drop(locked);
        }
    }

    /// A handle to a slot of the roster, which nobody has exclusively. See [`Roster::next_vacant`].
    pub(super) fn ask<T>(&'static self, roster: &Roster<T>) -> Option<Handle<T>> {
        let mut locked = self.with_room(|lists| &mut lists.asked);
        let asked = &mut locked.lists.asked;
        let before = asked.last().and_then(|&handle| Handle::from_bits(handle));
        let handle = roster.next_vacant(before, asked.len())?;
        asked.push(handle.to_bits());
        self.is_any.store(true, Ordering::Relaxed);
        Some(handle)
    }

    /// Gives a reserved slot back the next time.
    pub(super) fn give_back<T>(&'static self, handle: Handle<T>) {
        self.with_room(|lists| &mut lists.back).lists.back.push(handle.to_bits());
        self.is_any.store(true, Ordering::Relaxed);
    }

    /// Does what is to be done, with the roster that was asked. (Who has asked had it, so this thread sees that.)
    #[inline]
    pub(super) fn settle<T>(&'static self, roster: &mut Roster<T>) {
        if self.is_any.load(Ordering::Relaxed) {
            self.settle_lists(roster);
        }
    }

    #[cold]
    #[inline(never)]
    fn settle_lists<T>(&'static self, roster: &mut Roster<T>) {
        let mut locked = self.lock();
        self.is_any.store(false, Ordering::Relaxed);
        let Lists { asked, back } = mem::replace(&mut *locked.lists, Lists::EMPTY);
        drop(locked);
        asked
            .into_iter()
            .filter_map(Handle::from_bits)
            .for_each(|handle| roster.reserve_at(handle));
        back.into_iter()
            .filter_map(Handle::from_bits)
            .for_each(|handle| _ = roster.release(handle));
    }
}
