//! The locks that pools take for a moment, with no user's code behind them. The child of a `fork` finds them free.
//!
//! The child has the thread that forked, and no other. A lock that another had would stay locked there, with what is behind it half changed.
//! So the thread that forks takes all of these locks first, by a handler, and gives them back on both sides, as the C library does
//! with the locks of its heap. What other threads had is then mended in the child ([`Lock::follow`]).
//!
//! A thread may wait for one lock while it has another: the heap that a pool asks may be a user of pools. So the thread that forks waits
//! only for the first that it takes; if one of the others is taken, it gives back what it has, and begins with that one.

use core::cell::Cell;
use core::ffi::c_int;
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use crate::base::thread_number;

/// A lock with nothing in it, for what stands beside it.
pub(crate) struct Lock {
    mutex: Mutex<()>,
    /// What keeps it locked during a `fork`. For the thread that has [`FORKING`] alone.
    kept: Cell<Kept>,
    /// What is to be done in the child. Null before the lock is listed.
    mend: AtomicPtr<fn()>,
    /// The lock that was listed before it. Behind [`LIST`].
    next: AtomicPtr<Self>,
}

/// An `Option` of which `None` is zeros, so that what has a lock may lie in `.bss`.
#[repr(u8)]
enum Kept {
    Nothing = 0,
    Lock(#[expect(unused, reason = "it is dropped")] MutexGuard<'static, ()>),
}

// SAFETY: what a lock keeps, the thread that forks alone touches, from [`prepare`], which takes [`FORKING`] first, to [`release_all`] and
// [`parent`], which gives it back last. In the child of a `fork` the one thread is the same.
unsafe impl Sync for Lock {}

/// Of the thread that forks: there may be several.
static FORKING: Lock = Lock::new();

/// The list of locks. Whoever has it takes no other, and does not ask the heap.
static LIST: Lock = Lock::new();
static LATEST: AtomicPtr<Lock> = AtomicPtr::new(ptr::null_mut());

unsafe extern "C" {
    safe fn pthread_atfork(
        prepare: Option<extern "C" fn()>,
        parent: Option<extern "C" fn()>,
        child: Option<extern "C" fn()>,
    ) -> c_int;
}

impl Lock {
    pub(crate) const fn new() -> Self {
        Self {
            mutex: Mutex::new(()),
            kept: Cell::new(Kept::Nothing),
            mend: AtomicPtr::new(ptr::null_mut()),
            next: AtomicPtr::new(ptr::null_mut()),
        }
    }

    #[inline]
    pub(crate) fn lock(&self) -> MutexGuard<'_, ()> {
        self.mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lock, unless somebody has it.
    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, ()>> {
        match self.mutex.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Sees to it that the lock is free in the child of a `fork`, and that `mend` is called there, once all such locks are. To be
    /// called whenever the lock is about to be taken.
    #[inline]
    pub(crate) fn follow(&'static self, mend: &'static fn()) {
        if self.mend.load(Ordering::Acquire).is_null() {
            self.enlist(mend);
        }
    }

    #[cold]
    fn enlist(&'static self, mend: &'static fn()) {
        static IS_FOLLOWED: AtomicBool = AtomicBool::new(false);

        if !IS_FOLLOWED.swap(true, Ordering::Relaxed) {
            // Without memory for the handlers, forks are not followed.
            pthread_atfork(Some(prepare), Some(parent), Some(child));
        }
        let _list = LIST.lock();
        if self.mend.load(Ordering::Relaxed).is_null() {
            let this = ptr::from_ref(self).cast_mut();
            self.next.store(LATEST.swap(this, Ordering::Relaxed), Ordering::Relaxed);
            self.mend.store(ptr::from_ref(mend).cast_mut(), Ordering::Release);
        }
    }

    /// Takes the lock, until [`Lock::release`]. For the thread that forks: it takes [`FORKING`] first, and then the others.
    fn keep(&'static self) {
        self.kept.set(Kept::Lock(self.lock()));
    }

    /// The same, unless somebody has it; returns whether the thread has it now.
    fn try_keep(&'static self) -> bool {
        let guard = self.try_lock();
        guard.map(|guard| self.kept.set(Kept::Lock(guard))).is_some()
    }

    /// Gives the lock back, if it is kept. For the thread that keeps it.
    fn release(&'static self) {
        // The lock is free once the guard is dropped, and for others to keep.
        drop(self.kept.replace(Kept::Nothing));
    }
}

/// Those that are listed. With [`LIST`] locked, or in a process of one thread.
fn locks() -> impl Iterator<Item = &'static Lock> {
    // SAFETY: null, or from a reference to what lives for ever (`Lock::enlist`).
    let follow = |link: &AtomicPtr<Lock>| unsafe { link.load(Ordering::Relaxed).as_ref() };
    core::iter::successors(follow(&LATEST), move |lock: &&'static Lock| follow(&lock.next))
}

/// Before a `fork`.
extern "C" fn prepare() {
    FORKING.keep();
    thread_number::keep();
    let mut first: Option<&'static Lock> = None;
    loop {
        first.into_iter().for_each(Lock::keep);
        // Who has it waits for no other.
        LIST.keep();
        let is_first = |lock: &Lock| first.is_some_and(|first| ptr::eq(first, lock));
        let taken = locks().find(|lock| !is_first(lock) && !lock.try_keep());
        if taken.is_none() {
            return;
        }
        release_all();
        first = taken;
    }
}

/// Gives all back that are kept, but [`FORKING`]. For the thread that has it.
fn release_all() {
    locks().for_each(Lock::release);
    LIST.release();
}

/// After it, in the parent.
extern "C" fn parent() {
    release_all();
    FORKING.release();
}

/// After it, in the child.
extern "C" fn child() {
    parent();
    for lock in locks() {
        // SAFETY: what is listed has a function there, which lives for ever (`Lock::enlist`).
        let mend = unsafe { &*lock.mend.load(Ordering::Relaxed) };
        mend();
    }
}

#[cfg(test)]
mod tests;
