//! What the derive declares: the pool of boxes, and that of elements with counts, in the same way.

use core::ptr::NonNull;

use super::{Cached, Shared};
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

/// A reference to the statics of a pool that are declared for it.
#[cfg(not(feature = "passthrough"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __static_pool {
    ($pool:ty, $element:ty, $config:expr) => {{
        $crate::__private::thread_local! {
            static __MAGAZINE: $crate::__private::Magazine<$pool> =
                const { $crate::__private::Magazine::<$pool>::EMPTY };
            static __COUNTED_MAGAZINE:
                $crate::__private::Magazine<$crate::__private::CountedList<$element>> =
                const { $crate::__private::Magazine::<$crate::__private::CountedList<$element>>::EMPTY };
        }
        static __DEPOT: $crate::__private::Depot<$pool> =
            $crate::__private::Depot::<$pool>::new($config);
        static __COUNTED_DEPOT: $crate::__private::Depot<$crate::__private::CountedList<$element>> =
            $crate::__private::Depot::<$crate::__private::CountedList<$element>>::new($config);
        static __POOL: $crate::__private::Static<$pool> = $crate::__private::Static::<$pool>::new(
            $crate::__private::Shared::new(&__MAGAZINE, &__DEPOT),
            $crate::__private::Shared::new(&__COUNTED_MAGAZINE, &__COUNTED_DEPOT),
        );
        &__POOL
    }};
}

/// The pool of a type, for all threads: a `P` of boxes, and a list of elements with counts.
///
/// Constant, so the compiler sees through it.
#[allow(missing_debug_implementations, private_bounds, reason = "for the derive")]
pub struct Static<P: OwnedPool + Cached + 'static>
where
    P::Element: 'static,
{
    boxes: Shared<P>,
    counted: Shared<CountedList<P::Element>>,
}

macro_rules! constants {
    ($Pool:ident) => {
        impl<T> Static<$Pool<T>> {
            /// The pools that lie in these.
            pub const fn new(boxes: Shared<$Pool<T>>, counted: Shared<CountedList<T>>) -> Self {
                Self { boxes, counted }
            }
        }
    };
}

constants!(FreeList);
constants!(PointerStack);

/// Closes the pool of a type's boxes at the end of a thread.
fn close<T, P>() -> Option<Close>
where
    T: Pooled<__Storage = Static<P>>,
    P: OwnedPool<Element = T> + Cached + 'static,
{
    T::__storage().boxes.close()
}

/// Closes that of its elements with counts.
fn close_counted<T, P>() -> Option<Close>
where
    T: Pooled<__Storage = Static<P>>,
    P: OwnedPool<Element = T> + Cached + 'static,
{
    T::__storage().counted.close()
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
        self.boxes.take(Close(close::<T, P>))
    }

    #[track_caller]
    fn verify(&'static self, slot: NonNull<T>) {
        self.boxes.verify(slot);
    }

    #[inline(always)]
    unsafe fn release(&'static self, slot: NonNull<T>) {
        // SAFETY: passed on from the caller.
        unsafe { self.boxes.put(slot, Close(close::<T, P>)) };
    }

    #[track_caller]
    fn refusal(&'static self) -> Exhausted {
        self.boxes.refused::<T>()
    }

    #[inline]
    fn acquire_counted(&'static self) -> Option<NonNull<T>> {
        self.counted.take(Close(close_counted::<T, P>)).map(WithCounts::element)
    }

    #[inline]
    unsafe fn release_counted(&'static self, slot: NonNull<T>) {
        // SAFETY: passed on from the caller.
        let slot = unsafe { WithCounts::slot(slot) };
        // SAFETY: the same.
        unsafe { self.counted.put(slot, Close(close_counted::<T, P>)) };
    }

    #[track_caller]
    fn refusal_counted(&'static self) -> Exhausted {
        self.counted.refused::<T>()
    }

    #[inline(always)]
    unsafe fn counts(slot: NonNull<T>) -> NonNull<Room> {
        // SAFETY: passed on from the caller.
        unsafe { WithCounts::room(slot) }
    }

    fn stats(&'static self) -> PoolStats {
        self.boxes.figures().and(self.counted.figures())
    }

    #[track_caller]
    fn reserve(&'static self, additional: usize) {
        if let Err(refused) = self.boxes.try_reserve(additional) {
            refused.panic::<P>(additional);
        }
    }

    fn touch(&'static self) {
        self.boxes.touch();
        self.counted.touch();
    }

    fn trim(&'static self) -> usize {
        self.boxes.give_back() + self.counted.give_back()
    }
}

// SAFETY: a slot is put into the magazine of the thread that frees it, or into the depot.
unsafe impl<T, P> SharedStorage<T> for Static<P>
where
    T: Pooled<__Storage = Self>,
    P: OwnedPool<Element = T> + Cached + 'static,
{
}
