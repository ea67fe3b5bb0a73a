//! Where derived pools live, and what each of them can do.

use core::ptr::NonNull;

use crate::base::exhausted::Exhausted;
use crate::base::stats::PoolStats;
use crate::derived::pooled::Pooled;
use crate::derived::rc::Room;
#[cfg(feature = "alloc")]
use crate::roster::Roster;

/// A key of a derived pool of a [`Kind`](crate::Boxes): what it can do.
///
/// One trait for both kinds, so that in generic code `T: Pooled` implies all that a box needs. Each
/// kind's storage implements what is its kind's, and nobody can call the rest.
///
/// # Safety
///
/// What `acquire` and `acquire_counted` return is a slot for a `T`, its own until it is released; and
/// what `counts` returns is as much the slot's own, and the same every time.
#[doc(hidden)]
pub unsafe trait Storage<T, Kind>: Sized + 'static {
    /// See [`Pooled::pool_stats`](crate::Pooled::pool_stats).
    #[track_caller]
    fn stats(self) -> PoolStats;

    /// See [`Pooled::pool_reserve`](crate::Pooled::pool_reserve).
    #[track_caller]
    fn reserve(self, additional: usize);

    /// See [`Pooled::pool_prefault`](crate::Pooled::pool_prefault).
    #[track_caller]
    fn touch(self);

    /// See [`Pooled::pool_trim`](crate::Pooled::pool_trim).
    #[track_caller]
    fn trim(self) -> usize;

    /// Of boxes: see [`Pool::acquire`](crate::Pool::acquire).
    fn acquire(self) -> Option<NonNull<T>> {
        another_kind()
    }

    /// Of boxes: see [`Pool::verify`](crate::Pool::verify).
    #[track_caller]
    fn verify(self, _: NonNull<T>) {
        another_kind()
    }

    /// Of boxes: see [`Pool::release`](crate::Pool::release).
    ///
    /// # Safety
    ///
    /// That of [`Pool::release`](crate::Pool::release).
    unsafe fn release(self, _: NonNull<T>) {
        another_kind()
    }

    /// Of boxes: see [`Pool::refusal`](crate::Pool::refusal).
    fn refusal(self) -> Exhausted {
        another_kind()
    }

    /// Of boxes: takes a slot with room for counts, for an element that is shared.
    ///
    /// Its pointer is good for that room, too ([`Storage::counts`]), and what was there before is undefined.
    fn acquire_counted(self) -> Option<NonNull<T>> {
        another_kind()
    }

    /// Of boxes: takes a slot with counts back.
    ///
    /// # Safety
    ///
    /// As [`Storage::release`], of what [`Storage::acquire_counted`] returned.
    unsafe fn release_counted(self, _: NonNull<T>) {
        another_kind()
    }

    /// Of boxes: why `acquire_counted` has just returned `None`, as [`Storage::refusal`].
    fn refusal_counted(self) -> Exhausted {
        another_kind()
    }

    /// Of boxes: the room for the counts of a slot.
    ///
    /// # Safety
    ///
    /// `slot` came from [`Storage::acquire_counted`], and was not taken back since.
    unsafe fn counts(_: NonNull<T>) -> NonNull<Room> {
        another_kind()
    }

    /// Of handles: lends the roster, exclusively.
    #[cfg(feature = "alloc")]
    #[track_caller]
    fn lend_mut<R>(self, _: impl FnOnce(&mut Roster<T>) -> R) -> R {
        another_kind()
    }

    /// Of handles: lends the roster exclusively, if this thread does not have it. Adds no slots.
    #[cfg(feature = "alloc")]
    fn try_lend_mut<R>(self, _: impl FnOnce(&mut Roster<T>) -> R) -> Option<R> {
        another_kind()
    }

    /// Of handles: lends the roster to one of many.
    #[cfg(feature = "alloc")]
    #[track_caller]
    fn lend<R>(self, _: impl FnOnce(&Roster<T>) -> R) -> R {
        another_kind()
    }

    /// Of handles: see [`Pooled::pool_clear`](crate::Pooled::pool_clear).
    #[cfg(feature = "alloc")]
    #[track_caller]
    fn clear(self) {
        another_kind()
    }
}

/// Not reached: what would call it asks for `Pooled` of the kind that implements the caller's method.
#[cold]
fn another_kind() -> ! {
    unreachable!("a method of another kind of pool")
}

/// A roster is asked for while this thread has it.
#[cfg(feature = "std")]
#[cold]
#[track_caller]
pub(crate) fn in_use<T>() -> ! {
    panic!(
        "the pool of `{}` is in use: a closure in `pool_with`, `pool_read` or `pool_get`, or a destructor that runs \
         within one, cannot use the pool again; use the closure's argument, or return first",
        core::any::type_name::<T>()
    )
}

/// Storage whose slots may be freed by a thread other than the one that took them.
///
/// # Safety
///
/// That.
#[doc(hidden)]
pub unsafe trait SharedStorage<T> {}

/// The pool of `Self` is [`SharedStorage`].
///
/// A trait of the element, so that where it is missing the compiler names that, and not the storage.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a `PoolBox<{Self}>` cannot leave its thread",
    label = "`{Self}` has a thread-local pool",
    note = "its slot belongs to the pool of the thread that allocated it, which no other thread may \
            touch",
    note = "move the value out with `PoolBox::into_inner` and send that, or keep it in a `Box`",
    note = "or write `#[pool(static)]` on `{Self}`, for one pool that all threads share",
    note = "in generic code, where `{Self}` is a parameter, ask for `PoolBox<{Self}>: Send`"
)]
#[allow(unnameable_types, reason = "it is there for its message")]
pub trait HasStaticPool: Pooled<__Storage: SharedStorage<Self>> {}

#[diagnostic::do_not_recommend]
impl<T: Pooled<__Storage: SharedStorage<T>>> HasStaticPool for T {}
