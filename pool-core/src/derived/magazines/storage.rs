//! What the derive declares: the pool of boxes, and that of elements with counts, in the same way.

use core::ptr::NonNull;
use std::thread::LocalKey;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::stats::PoolStats;
use crate::derived::key::{InStatic, Place};
use crate::derived::kind::Boxes;
use crate::derived::magazines::depot::Depot;
use crate::derived::magazines::magazine::Magazine;
use crate::derived::magazines::shareable::Shareable;
use crate::derived::magazines::{ShareableStrategy, Shared};
use crate::derived::pooled::Pooled;
use crate::derived::rc::{CountedList, Room, WithCounts};
use crate::derived::storage::{SharedStorage, Storage};
use crate::derived::thread_exit::Close;
use crate::pool::owned::OwnedPool;
use crate::pool::typed::TypedPool;

/// The key of a pool, with the statics that are declared for it.
///
/// Every item costs each type of each user its compile time, so boxes and elements with counts share them.
#[doc(hidden)]
#[macro_export]
macro_rules! __static_pool {
    ($pool:ty, $config:expr) => {{
        $crate::__private::thread_local! {
            static __TYPED_POOL_MAGAZINES: $crate::__private::Magazines<$pool> =
                const { $crate::__private::Magazines::<$pool>::EMPTY };
        }
        static __TYPED_POOL_DEPOTS: $crate::__private::Depots<$pool> =
            $crate::__private::Depots::<$pool>::new($config);
        static __TYPED_POOL: $crate::__private::Static<$pool> =
            // SAFETY: both were declared above, and only this refers to them.
            unsafe {
                $crate::__private::Static::new(&__TYPED_POOL_MAGAZINES, &__TYPED_POOL_DEPOTS)
            };
        // SAFETY: the static was declared above, and only this refers to it.
        unsafe { $crate::__private::InStatic::new(&raw const __TYPED_POOL) }
    }};
}

/// The pool of a type, for all threads: a `P` of boxes, and a list of elements with counts.
///
/// Constant, so the compiler sees through it: of the depots, which change, it has no more than the address.
#[allow(missing_debug_implementations, private_bounds, reason = "for the derive")]
pub struct Static<P: OwnedPool + Shareable + 'static>
where
    P::Element: 'static,
{
    /// Those of this thread.
    magazines: &'static LocalKey<Magazines<P>>,
    /// Those of all threads.
    depots: &'static Depots<P>,
}

/// A thread's magazines of both.
#[allow(missing_debug_implementations, private_bounds, reason = "for the derive")]
pub struct Magazines<P: OwnedPool + Shareable> {
    boxes: Magazine<P>,
    counted: Magazine<CountedList<P::Element>>,
}

/// The depots of both.
#[allow(missing_debug_implementations, private_bounds, reason = "for the derive")]
pub struct Depots<P: OwnedPool + Shareable> {
    boxes: Depot<P>,
    counted: Depot<CountedList<P::Element>>,
}

#[allow(private_bounds, reason = "for the derive")]
impl<T, S: ShareableStrategy> Magazines<TypedPool<T, S>> {
    /// Those of a thread that has not used the pool yet.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub const EMPTY: Self = Self { boxes: Magazine::EMPTY, counted: Magazine::EMPTY };
}

#[allow(private_bounds, reason = "for the derive")]
impl<T, S: ShareableStrategy> Depots<TypedPool<T, S>> {
    /// Those of a pool that grows as `config` says.
    pub const fn new(config: Config) -> Self {
        Self { boxes: Depot::new(config), counted: Depot::new(config) }
    }
}

impl<P: OwnedPool + Shareable + 'static> Place for Static<P> {
    const CHECKED: () = P::HAS_SIZE;
}

#[allow(private_bounds, reason = "for this crate")]
impl<P: OwnedPool + Shareable> Static<P> {
    /// The two as one pool.
    ///
    /// # Safety
    ///
    /// They were declared for it.
    pub const unsafe fn new(
        magazines: &'static LocalKey<Magazines<P>>,
        depots: &'static Depots<P>,
    ) -> Self {
        Self { magazines, depots }
    }

    #[inline(always)]
    fn boxes(&self) -> Shared<Magazines<P>, P> {
        let Self { magazines, depots } = self;
        Shared { magazines, magazine: |magazines| &magazines.boxes, depot: &depots.boxes }
    }

    #[inline(always)]
    fn counted(&self) -> Shared<Magazines<P>, CountedList<P::Element>> {
        let Self { magazines, depots } = self;
        Shared { magazines, magazine: |magazines| &magazines.counted, depot: &depots.counted }
    }
}

/// Closes the pool of a type's boxes at the end of a thread.
fn close<T, P>() -> Option<Close>
where
    T: Pooled<__Storage = InStatic<Static<P>>>,
    P: OwnedPool<Element = T> + Shareable + 'static,
{
    T::__POOL.get().boxes().close()
}

/// Closes that of its elements with counts.
fn close_counted<T, P>() -> Option<Close>
where
    T: Pooled<__Storage = InStatic<Static<P>>>,
    P: OwnedPool<Element = T> + Shareable + 'static,
{
    T::__POOL.get().counted().close()
}

// SAFETY: slots come from an owned pool of `T`s, or of `T`s with counts, by way of magazines perhaps, in
// which each is once.
unsafe impl<T, P> Storage<T, Boxes> for InStatic<Static<P>>
where
    T: Pooled<__Storage = Self>,
    P: OwnedPool<Element = T> + Shareable + 'static,
{
    #[inline(always)]
    fn acquire(self) -> Option<NonNull<T>> {
        self.get().boxes().take(Close(close::<T, P>))
    }

    #[track_caller]
    fn verify(self, slot: NonNull<T>) {
        self.get().boxes().verify(slot);
    }

    #[inline(always)]
    unsafe fn release(self, slot: NonNull<T>) {
        // SAFETY: passed on from the caller.
        unsafe { self.get().boxes().put(slot, Close(close::<T, P>)) };
    }

    #[track_caller]
    fn refusal(self) -> Exhausted {
        self.get().boxes().exhausted::<T>()
    }

    #[inline]
    fn acquire_counted(self) -> Option<NonNull<T>> {
        self.get().counted().take(Close(close_counted::<T, P>)).map(WithCounts::element)
    }

    #[inline]
    unsafe fn release_counted(self, slot: NonNull<T>) {
        // SAFETY: passed on from the caller.
        let slot = unsafe { WithCounts::slot(slot) };
        // SAFETY: the same.
        unsafe { self.get().counted().put(slot, Close(close_counted::<T, P>)) };
    }

    #[track_caller]
    fn refusal_counted(self) -> Exhausted {
        self.get().counted().exhausted::<T>()
    }

    #[inline(always)]
    unsafe fn counts(slot: NonNull<T>) -> NonNull<Room> {
        // SAFETY: passed on from the caller.
        unsafe { WithCounts::room(slot) }
    }

    fn stats(self) -> PoolStats {
        self.get().boxes().stats().and(self.get().counted().stats())
    }

    #[track_caller]
    fn reserve(self, additional: usize) {
        if let Err(error) = self.get().boxes().try_reserve(additional) {
            error.panic::<P>(additional);
        }
    }

    fn touch(self) {
        self.get().boxes().prefault();
        self.get().counted().prefault();
    }

    fn trim(self) -> usize {
        self.get().boxes().trim() + self.get().counted().trim()
    }
}

// SAFETY: a slot is put into the magazine of the thread that frees it, or into the depot.
unsafe impl<T, P> SharedStorage<T> for InStatic<Static<P>>
where
    T: Pooled<__Storage = Self>,
    P: OwnedPool<Element = T> + Shareable + 'static,
{
}
