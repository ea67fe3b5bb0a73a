//! Loans of a type's roster: guards, and slots whose elements are being made.

use core::any::type_name;
use core::fmt;
use core::mem;
use core::ops::{Deref, DerefMut};

use crate::base::config::Config;
use crate::base::handle::{Handle, IS_HANDLE};
use crate::base::ledger::OpError;
use crate::base::watch::sites::Line;
use crate::derived::storage::{RosterStorage, done};
use crate::roster::Roster;

/// A type whose pool has `strategy = roster`: what the functions of handles, and guards, ask of it.
///
/// Every `Pooled<RosterHandles>` type has it, so in generic code `T: Pooled<RosterHandles>` is all that one writes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no handles: its pool hands out boxes; write `#[pool(strategy = roster)]` on it",
    label = "has boxes",
    note = "or use `{Self}::pool_alloc_with`, and keep a `PoolBox<{Self}>`: in a `Vec`, if all of them are \
            to be iterated over",
    note = "in generic code, where `{Self}` is a parameter, write `{Self}: Pooled<RosterHandles>`"
)]
pub trait HasHandles: Sized + 'static {
    /// Leads to the roster.
    #[doc(hidden)]
    type Key: RosterStorage<Self>;

    #[doc(hidden)]
    const KEY: Self::Key;

    #[doc(hidden)]
    const CONFIG: Config;
}

/// From [`Pooled::pool_borrow`](crate::Pooled::pool_borrow): the roster of `T`, to read, until this is dropped.
///
/// It stays on its thread, but other threads may use a reference to it, or to the roster. If it is leaked, the roster
/// stays lent: on this thread nothing can change it any more, and if the pool is `static`, on none.
#[must_use = "the roster is lent until this is dropped"]
pub struct RosterRef<T: HasHandles>(pub(super) <T::Key as RosterStorage<T>>::Ref);

/// From [`Pooled::pool_borrow_mut`](crate::Pooled::pool_borrow_mut): the roster of `T`, exclusively, until this is dropped.
///
/// It stays on its thread, but other threads may use a reference to it, or to the roster. If it is leaked, the roster
/// stays lent: on this thread nothing can use it any more, and if the pool is `static`, other threads wait for ever. The
/// elements of a thread-local roster are then leaked, too.
#[must_use = "the roster is lent until this is dropped"]
pub struct RosterRefMut<T: HasHandles>(pub(super) <T::Key as RosterStorage<T>>::RefMut);

/// The error of [`Pooled::pool_try_with`](crate::Pooled::pool_try_with) and its kin: this thread has borrowed the type's roster
/// already. (Or it has no roster yet, and the system no memory for one.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InUse {
    pool: &'static str,
}

impl InUse {
    pub(super) fn of<T>(_: OpError) -> Self {
        Self { pool: type_name::<T>() }
    }
}

impl fmt::Display for InUse {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the pool of `{}` is in use by this thread", self.pool)
    }
}

impl core::error::Error for InUse {}

/// Implemented for nothing, and out of reach of other crates: a bound that says why a guard is not `Send`.
///
/// # Safety
///
/// The guard may be dropped in another thread than the one that has borrowed the roster.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a guard of the roster of `{T}` stays on its thread: give others a reference, `&*guard`, in `thread::scope`",
    label = "the thread that has borrowed the roster gives it back",
    note = "if the pool is `static`, the other thread can borrow the roster itself; of a thread-local pool it has its own"
)]
#[allow(unnameable_types, reason = "it is there for its message")]
pub unsafe trait SentGuard<T> {}

/// Never: the bound holds for no type, and says so.
// SAFETY: the bound holds for no type.
unsafe impl<T: HasHandles> Send for RosterRef<T> where (): SentGuard<T> {}
/// Never: the bound holds for no type, and says so.
// SAFETY: the bound holds for no type.
unsafe impl<T: HasHandles> Send for RosterRefMut<T> where (): SentGuard<T> {}

impl<T: HasHandles> Deref for RosterRef<T> {
    type Target = Roster<T>;

    #[inline]
    fn deref(&self) -> &Roster<T> {
        &self.0
    }
}

impl<T: HasHandles> Deref for RosterRefMut<T> {
    type Target = Roster<T>;

    #[inline]
    fn deref(&self) -> &Roster<T> {
        &self.0
    }
}

impl<T: HasHandles> DerefMut for RosterRefMut<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Roster<T> {
        &mut self.0
    }
}

impl<T: HasHandles + fmt::Debug> fmt::Debug for RosterRef<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: HasHandles + fmt::Debug> fmt::Debug for RosterRefMut<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// A slot of the type's roster whose element is being made: [`Pooled::pool_insert_with`](crate::Pooled::pool_insert_with). It goes back
/// when this is dropped; if the thread has borrowed the roster, when that borrow ends.
pub(super) struct Reserved<T: HasHandles>(pub(super) Handle<T>);

impl<T: HasHandles> Reserved<T> {
    /// Puts the element into the slot.
    #[track_caller]
    pub(super) fn fill(self, value: T) -> Handle<T> {
        let (handle, line) = (self.0, Line::of_caller());
        let attached = done::<T, _>(T::KEY.try_lend_mut(|roster| {
            let attached = roster.try_reattach(handle, value);
            roster.sign(attached.is_ok().then_some(handle), line);
            attached
        }));
        mem::forget(self);
        if let Err(value) = attached {
            // Before the panic: its destructor may use the pool, or panic.
            drop(value);
            slot_is_gone(handle);
        }
        handle
    }
}

impl<T: HasHandles> Drop for Reserved<T> {
    fn drop(&mut self) {
        T::KEY.remove_later(self.0.to_bits() & !IS_HANDLE);
    }
}

/// The slot that was kept for an element is no longer kept.
#[cold]
#[track_caller]
fn slot_is_gone<T>(handle: Handle<T>) -> ! {
    panic!(
        "cannot insert into the pool of `{}`: the slot that was kept for the element (slot {}, generation {}) is \
         taken, or gone; the closure must not reattach to its own handle, put another roster in the place of the pool's, \
         or be resumed after its thread has closed the pool; the element was dropped",
        type_name::<T>(),
        handle.index(),
        handle.generation()
    )
}
