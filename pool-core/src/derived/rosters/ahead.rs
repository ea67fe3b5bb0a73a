//! Handles that were given out while threads may read the roster: their slots are taken before it is used exclusively the next time.

use alloc::vec::Vec;
use core::alloc::Layout;
use core::cell::{RefCell, RefMut};
use core::mem;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::MutexGuard;

use crate::base::exhausted::Exhausted;
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
    /// Handles, as numbers, in the order of their slots. Behind the lock.
    asked: RefCell<Vec<u64>>,
}

// SAFETY: only who has the lock touches the list (`Ahead::lock`).
unsafe impl Sync for Ahead {}

/// The list, behind the lock: it is given back before that is.
struct Locked<'a> {
    asked: RefMut<'a, Vec<u64>>,
    _lock: MutexGuard<'a, ()>,
}

impl Ahead {
    pub(super) const fn new() -> Self {
        Self { is_any: AtomicBool::new(false), lock: Lock::new(), asked: RefCell::new(Vec::new()) }
    }

    fn lock(&'static self) -> Locked<'static> {
        self.lock.follow(&((|| ()) as fn()));
        let lock = self.lock.lock();
        Locked { asked: self.asked.borrow_mut(), _lock: lock }
    }

    /// The list, with room for one more. The heap, which may be a user of pools, is asked without the lock; what it refuses is the error.
    fn with_room(&'static self) -> Result<Locked<'static>, Option<Layout>> {
        loop {
            let locked = self.lock();
            let len = locked.asked.len();
            if len < locked.asked.capacity() {
                return Ok(locked);
            }
            drop(locked);
            let (mut larger, room) = (Vec::new(), 2 * len + 4);
            if larger.try_reserve_exact(room).is_err() {
                return Err(Layout::array::<u64>(room).ok());
            }
            let mut locked = self.lock();
            if locked.asked.len() < larger.capacity() {
                larger.extend_from_slice(&locked.asked);
                mem::swap(&mut *locked.asked, &mut larger);
            }
            drop(locked);
        }
    }

    /// A handle to a slot of the roster, which nobody has exclusively. See [`Roster::next_vacant`].
    pub(super) fn ask<T>(
        &'static self,
        roster: &Roster<T>,
    ) -> Result<Option<Handle<T>>, Exhausted> {
        let mut locked = self.with_room().map_err(|request| roster.refused_by_heap(request))?;
        let before = locked.asked.last().and_then(|&handle| Handle::from_bits(handle));
        let next = roster.next_vacant(before, locked.asked.len())?;
        if let Some(handle) = next {
            locked.asked.push(handle.to_bits());
            self.is_any.store(true, Ordering::Relaxed);
        }
        Ok(next)
    }

    /// Does what is to be done, with the roster that was asked. (Who has asked had it, so this thread sees that.)
    #[inline]
    pub(super) fn settle<T>(&'static self, roster: &mut Roster<T>) {
        if self.is_any.load(Ordering::Relaxed) {
            self.settle_list(roster);
        }
    }

    #[cold]
    #[inline(never)]
    fn settle_list<T>(&'static self, roster: &mut Roster<T>) {
        let mut locked = self.lock();
        self.is_any.store(false, Ordering::Relaxed);
        let asked = mem::take(&mut *locked.asked);
        drop(locked);
        asked
            .into_iter()
            .filter_map(Handle::from_bits)
            .for_each(|handle| roster.reserve_at(handle));
    }
}
