//! What the storages of derived pools offer: a view of boxes or of handles, by the kind of the pool.
//!
//! A key is its own view: a key to a pool of boxes implements [`BoxStorage`], a key to a roster [`RosterStorage`].

use core::alloc::Layout;
#[cfg(feature = "rosters")]
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

#[cfg(feature = "rosters")]
use crate::base::handle::Handle;
use crate::base::ledger::Facts;
#[cfg(feature = "rosters")]
use crate::base::ledger::Refusal;
use crate::base::watch::hardened::Fault;
use crate::pointer::pool::sealed::Sealed;
#[cfg(feature = "rosters")]
use crate::roster::Roster;

/// The key of a derived pool of `T`s, with its two views: one is the key itself, the other [`Never`].
#[doc(hidden)]
pub trait Storage<T>: Sealed + 'static {
    /// What boxes need of it.
    type Boxes: BoxStorage<T>;

    /// What handles need of it.
    type Roster: RosterStorage<T>;

    /// What does not change about the pools of `T`s, and what is rarely done with them.
    #[allow(private_interfaces, reason = "for this crate alone")]
    fn facts() -> &'static Facts;
}

/// The view of a pool of boxes.
///
/// # Safety
///
/// What `acquire` returns is room for a `T`, which is nobody else's until it is released, and stays where it is for ever.
#[doc(hidden)]
#[allow(unnameable_types, reason = "for this crate alone")]
pub unsafe trait BoxStorage<T>: Copy + Sealed {
    /// See [`Pool::acquire`](crate::pointer::pool::Pool::acquire).
    #[track_caller]
    fn acquire(self) -> Option<NonNull<T>>;

    /// Whether the slot can be released, as far as this build looks: see [`Pool::verify`](crate::pointer::pool::Pool::verify).
    #[allow(private_interfaces, reason = "for this crate alone")]
    fn check(self, element: NonNull<T>) -> Result<(), Fault>;

    /// Takes a slot back. The element has been dropped or moved out.
    ///
    /// # Safety
    ///
    /// 1. `element` came from [`BoxStorage::acquire`] of this pool and has not been released since.
    /// 2. It is good for writing to all of its slot, as the pointer from `acquire` is.
    /// 3. Nothing uses the slot any more.
    unsafe fn release(self, element: NonNull<T>);
}

/// The view of a pool of handles.
#[doc(hidden)]
#[allow(private_interfaces, unnameable_types, reason = "for this crate alone")]
#[cfg(feature = "rosters")]
pub trait RosterStorage<T>: Copy + Sealed {
    /// The roster until it is dropped, shared.
    type Ref: Deref<Target = Roster<T>>;

    /// The roster until it is dropped, exclusively.
    type RefMut: DerefMut<Target = Roster<T>>;

    /// See [`Pooled::pool_try_borrow`](crate::Pooled::pool_try_borrow).
    fn try_borrow(self) -> Result<Self::Ref, Refusal>;

    /// See [`Pooled::pool_try_borrow_mut`](crate::Pooled::pool_try_borrow_mut), but for what is assigned to the roster.
    fn try_borrow_mut(self) -> Result<Self::RefMut, Refusal>;

    /// Lends the roster exclusively, if this thread does not have it.
    #[inline]
    fn try_lend_mut<R>(self, f: impl FnOnce(&mut Roster<T>) -> R) -> Result<R, Refusal> {
        Ok(f(&mut *self.try_borrow_mut()?))
    }

    /// Lends the roster, shared, if this thread does not have it exclusively.
    #[inline(always)]
    fn try_lend<R>(self, f: impl FnOnce(&Roster<T>) -> R) -> Result<R, Refusal> {
        Ok(f(&*self.try_borrow()?))
    }

    /// Panics with the reason.
    #[track_caller]
    fn refuse(self, refusal: Refusal) -> !;

    /// [`RosterStorage::try_lend_mut`], or a panic.
    #[inline]
    #[track_caller]
    fn lend_mut<R>(self, f: impl FnOnce(&mut Roster<T>) -> R) -> R {
        match self.try_lend_mut(f) {
            Ok(result) => result,
            Err(refusal) => self.refuse(refusal),
        }
    }

    /// [`RosterStorage::try_lend`], or a panic.
    #[inline]
    #[track_caller]
    fn lend<R>(self, f: impl FnOnce(&Roster<T>) -> R) -> R {
        match self.try_lend(f) {
            Ok(result) => result,
            Err(refusal) => self.refuse(refusal),
        }
    }

    /// Keeps the handle until this thread's last use of the roster ends, and then removes its element.
    fn put_off(self, handle: Handle<T>);

    /// See [`Pooled::pool_clear`](crate::Pooled::pool_clear).
    #[track_caller]
    fn clear(self);

    /// The handle of a slot that is reserved by the time that the roster is next used exclusively. `None` if only exclusive use can
    /// tell.
    fn reserve_ahead(self) -> Result<Option<Handle<T>>, Refusal> {
        Ok(None)
    }

    /// Gives a reserved slot back. (If a coroutine has the pool, a thread-local one cannot take it, and must not panic: the
    /// slot then stays, as if its element were detached.)
    fn give_back(self, handle: Handle<T>) {
        let _ = self.try_lend_mut(|roster| roster.release(handle));
    }
}

/// The view of a pool of handles, of which there is none.
#[doc(hidden)]
#[allow(unnameable_types, reason = "for this crate alone")]
#[cfg(not(feature = "rosters"))]
pub trait RosterStorage<T>: Copy + Sealed {}

/// Does not compile if a slot is of no size.
pub(crate) const fn assert_size(slot: Layout) {
    assert!(slot.size() > 0, "a type without a size has no such pool");
}

/// The view that a storage does not have. There is no value of it, so nothing here is ever called.
#[doc(hidden)]
#[allow(missing_debug_implementations, unnameable_types, reason = "for this crate alone")]
#[derive(Clone, Copy)]
pub enum Never {}

impl Sealed for Never {}

// SAFETY: nothing is ever acquired.
unsafe impl<T> BoxStorage<T> for Never {
    fn acquire(self) -> Option<NonNull<T>> {
        match self {}
    }

    #[allow(private_interfaces, reason = "for this crate alone")]
    fn check(self, _: NonNull<T>) -> Result<(), Fault> {
        match self {}
    }

    unsafe fn release(self, _: NonNull<T>) {
        match self {}
    }
}

#[cfg(not(feature = "rosters"))]
impl<T: 'static> RosterStorage<T> for Never {}

#[cfg(feature = "rosters")]
#[allow(private_interfaces, reason = "for this crate alone")]
impl<T: 'static> RosterStorage<T> for Never {
    type Ref = &'static Roster<T>;

    type RefMut = &'static mut Roster<T>;

    fn try_borrow(self) -> Result<Self::Ref, Refusal> {
        match self {}
    }

    fn try_borrow_mut(self) -> Result<Self::RefMut, Refusal> {
        match self {}
    }

    fn refuse(self, _: Refusal) -> ! {
        match self {}
    }

    fn put_off(self, _: Handle<T>) {
        match self {}
    }

    fn clear(self) {
        match self {}
    }
}

/// Storage whose slots may be freed by a thread other than the one that took them.
///
/// # Safety
///
/// The pool takes a slot back in any thread, whichever thread it was handed out in.
#[doc(hidden)]
pub unsafe trait SharedStorage<T> {}

/// Storage whose slots have room for counts.
///
/// # Safety
///
/// The pool's slots are [`WithCounts<T>`](crate::derived::with_counts::WithCounts).
#[doc(hidden)]
pub unsafe trait CountedStorage<T> {}
