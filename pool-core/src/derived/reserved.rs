//! A handle whose element is made later.

use core::any::type_name;
use core::fmt;
use core::mem;

use crate::base::handle::Handle;
use crate::base::watch::sites::Line;
use crate::derived::roster_ref::HasRoster;
use crate::derived::storage::RosterStorage as _;

/// From [`Pooled::pool_reserve_handle`](crate::Pooled::pool_reserve_handle): a slot of the type's roster, and the handle of the element
/// that will be in it.
///
/// Until [`Reserved::fill`] the handle finds nothing. If this is dropped, the slot goes back, and the handle is stale for ever; if the
/// thread has borrowed the roster, when that ends. (Until then the handle is kept in a list; if the heap has no room for it, the process
/// aborts.) If this is leaked, the slot stays reserved.
///
/// It may go to another thread. A thread-local roster takes nothing from there: `fill` then panics.
#[must_use = "the slot goes back when this is dropped"]
pub struct Reserved<T: HasRoster>(pub(super) Handle<T>);

impl<T: HasRoster> Reserved<T> {
    /// The handle that the element will have. O(1).
    ///
    /// # Examples
    ///
    /// See [`Pooled::pool_reserve_handle`](crate::Pooled::pool_reserve_handle).
    pub fn handle(&self) -> Handle<T> {
        self.0
    }

    /// Puts the element into the slot; the handle finds it from here on. O(1).
    ///
    /// # Panics
    ///
    /// If the pool is in use by this thread. The slot then goes back, and the element is dropped. Also if the slot is no longer kept: because
    /// another element was put into it ([`Roster::reattach`](crate::Roster::reattach) with the handle), it was released, or another roster
    /// is in the place of the pool's. Then the element is dropped.
    ///
    /// # Examples
    ///
    /// See [`Pooled::pool_reserve_handle`](crate::Pooled::pool_reserve_handle).
    #[track_caller]
    pub fn fill(self, value: T) -> Handle<T> {
        let (handle, line) = (self.0, Line::of_caller());
        let attached = T::KEY.lend_mut(|roster| roster.try_reattach_from(handle, value, line));
        mem::forget(self);
        if let Err(value) = attached {
            // While it may still use the pool, or panic.
            drop(value);
            slot_is_gone(handle);
        }
        handle
    }
}

impl<T: HasRoster> Drop for Reserved<T> {
    fn drop(&mut self) {
        T::KEY.give_back(self.0);
    }
}

impl<T: HasRoster> fmt::Debug for Reserved<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reserved").field(&self.0).finish()
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
