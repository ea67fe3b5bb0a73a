//! What the derive declares: the pool of boxes, and that of elements with counts, in the same way.

use core::ptr::NonNull;
use std::thread::LocalKey;

use super::{Cached, Depot, Magazine, Shared};
use crate::config::Config;
use crate::counted::{CountedList, Room, WithCounts};
use crate::exhausted::Exhausted;
use crate::exit::Close;
use crate::free_list::FreeList;
use crate::kind::Boxes;
use crate::owned::OwnedPool;
use crate::pointer_stack::PointerStack;
use crate::pooled::Pooled;
use crate::stats::PoolStats;
use crate::storage::{SharedStorage, Storage};

/// A reference to the static of a pool that is declared for it, with what that refers to.
///
/// Every item costs each type of each user its compile time, so boxes and elements with counts share them.
#[cfg(not(feature = "passthrough"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __static_pool {
    ($pool:ty, $config:expr) => {{
        $crate::__private::thread_local! {
            static __MAGAZINES: $crate::__private::Magazines<$pool> =
                const { $crate::__private::Magazines::<$pool>::EMPTY };
        }
        static __DEPOTS: $crate::__private::Depots<$pool> =
            $crate::__private::Depots::<$pool>::new($config);
        static __POOL: $crate::__private::Static<$pool> =
            $crate::__private::Static { magazines: &__MAGAZINES, depots: &__DEPOTS };
        &__POOL
    }};
}

/// The pool of a type, for all threads: a `P` of boxes, and a list of elements with counts.
///
/// Constant, so the compiler sees through it: of the depots, which change, it has no more than the address.
#[allow(missing_debug_implementations, private_bounds, reason = "for the derive")]
pub struct Static<P: OwnedPool + Cached + 'static>
where
    P::Element: 'static,
{
    /// Those of this thread.
    pub magazines: &'static LocalKey<Magazines<P>>,
    /// Those of all threads.
    pub depots: &'static Depots<P>,
}

/// A thread's magazines of both.
#[allow(missing_debug_implementations, private_bounds, reason = "for the derive")]
pub struct Magazines<P: OwnedPool + Cached> {
    boxes: Magazine<P>,
    counted: Magazine<CountedList<P::Element>>,
}

/// The depots of both.
#[allow(missing_debug_implementations, private_bounds, reason = "for the derive")]
pub struct Depots<P: OwnedPool + Cached> {
    boxes: Depot<P>,
    counted: Depot<CountedList<P::Element>>,
}

/// For the derive, in whose constants no function of a trait can be called.
macro_rules! constants {
    ($Pool:ident) => {
        impl<T> Magazines<$Pool<T>> {
            /// Those of a thread that has not used the pool yet.
            #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
            pub const EMPTY: Self = Self {
                boxes: Magazine::<$Pool<T>>::EMPTY,
                counted: Magazine::<CountedList<T>>::EMPTY,
            };
        }

        impl<T> Depots<$Pool<T>> {
            /// Those of a pool that grows as `config` says.
            pub const fn new(config: Config) -> Self {
                Self {
                    boxes: Depot::<$Pool<T>>::new(config),
                    counted: Depot::<CountedList<T>>::new(config),
                }
            }
        }
    };
}

constants!(FreeList);
constants!(PointerStack);

#[allow(private_bounds, reason = "for this crate")]
impl<P: OwnedPool + Cached> Static<P> {
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
    T: Pooled<__Storage = Static<P>>,
    P: OwnedPool<Element = T> + Cached + 'static,
{
    T::__storage().boxes().close()
}

/// Closes that of its elements with counts.
fn close_counted<T, P>() -> Option<Close>
where
    T: Pooled<__Storage = Static<P>>,
    P: OwnedPool<Element = T> + Cached + 'static,
{
    T::__storage().counted().close()
}

// SAFETY: slots come from an owned pool of `T`s, or of `T`s with counts, by way of magazines perhaps, in
// which each is once.
unsafe impl<T, P> Storage<T, Boxes> for Static<P>
where
    T: Pooled<__Storage = Self>,
    P: OwnedPool<Element = T> + Cached + 'static,
{
    #[inline(always)]
    fn acquire(&'static self) -> Option<NonNull<T>> {
        self.boxes().take(Close(close::<T, P>))
    }

    #[track_caller]
    fn verify(&'static self, slot: NonNull<T>) {
        self.boxes().verify(slot);
    }

    #[inline(always)]
    unsafe fn release(&'static self, slot: NonNull<T>) {
        // SAFETY: passed on from the caller.
        unsafe { self.boxes().put(slot, Close(close::<T, P>)) };
    }

    #[track_caller]
    fn refusal(&'static self) -> Exhausted {
        self.boxes().refused::<T>()
    }

    #[inline]
    fn acquire_counted(&'static self) -> Option<NonNull<T>> {
        self.counted().take(Close(close_counted::<T, P>)).map(WithCounts::element)
    }

    #[inline]
    unsafe fn release_counted(&'static self, slot: NonNull<T>) {
        // SAFETY: passed on from the caller.
        let slot = unsafe { WithCounts::slot(slot) };
        // SAFETY: the same.
        unsafe { self.counted().put(slot, Close(close_counted::<T, P>)) };
    }

    #[track_caller]
    fn refusal_counted(&'static self) -> Exhausted {
        self.counted().refused::<T>()
    }

    #[inline(always)]
    unsafe fn counts(slot: NonNull<T>) -> NonNull<Room> {
        // SAFETY: passed on from the caller.
        unsafe { WithCounts::room(slot) }
    }

    fn stats(&'static self) -> PoolStats {
        self.boxes().figures().and(self.counted().figures())
    }

    #[track_caller]
    fn reserve(&'static self, additional: usize) {
        if let Err(refused) = self.boxes().try_reserve(additional) {
            refused.panic::<P>(additional);
        }
    }

    fn touch(&'static self) {
        self.boxes().touch();
        self.counted().touch();
    }

    fn trim(&'static self) -> usize {
        self.boxes().give_back() + self.counted().give_back()
    }
}

// SAFETY: a slot is put into the magazine of the thread that frees it, or into the depot.
unsafe impl<T, P> SharedStorage<T> for Static<P>
where
    T: Pooled<__Storage = Self>,
    P: OwnedPool<Element = T> + Cached + 'static,
{
}
