//! The traits that `Box` has.

use core::borrow::BorrowMut;
use core::future::Future;
use core::iter::FusedIterator;
use core::ops::{Deref, DerefMut};
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::pin::Pin;
use core::task::{Context, Poll};

#[cfg(feature = "serde")]
use serde::de::{Deserialize, Deserializer, Error};

use crate::pointer::boxed::{PoolBox, Vacant};
use crate::pointer::{Pool, PoolMarker};

// SAFETY: the box owns its element, which is `Send`, and another thread may give the slot back (`Pool`).
unsafe impl<T: ?Sized, P: Pool<T, Sent: Send>> Send for PoolBox<T, P> {}
// SAFETY: a shared box gives out `&T`, of what is `Sync`, and `&P`, which has no state (`Pool`).
unsafe impl<T: ?Sized, P: Pool<T, Sent: Sync>> Sync for PoolBox<T, P> {}

impl<T: ?Sized, P: Pool<T>> Deref for PoolBox<T, P> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the box owns its element, which is initialised; the reference borrows the box.
        unsafe { self.element.as_ref() }
    }
}

impl<T: ?Sized, P: Pool<T>> DerefMut for PoolBox<T, P> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`, and the box is borrowed mutably.
        unsafe { self.element.as_mut() }
    }
}

impl<T: ?Sized, P: Pool<T> + 'static> From<PoolBox<T, P>> for Pin<PoolBox<T, P>> {
    fn from(b: PoolBox<T, P>) -> Self {
        PoolBox::into_pin(b)
    }
}

impl<T: Clone, P: Pool<T> + Clone> Clone for PoolBox<T, P> {
    /// A clone of the element, in a slot of the same pool.
    ///
    /// # Panics
    ///
    /// If the pool has a limit and every slot is occupied.
    #[inline]
    #[track_caller]
    fn clone(&self) -> Self {
        Vacant::new_in(self.pool.clone()).fill_with(|| (**self).clone())
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        (**self).clone_from(source);
    }
}

/// The traits of every pointer of this crate, as `Arc` and `Rc` have them. A doc comment in front of the brackets goes to
/// `PartialEq`.
macro_rules! pointer_traits {
    ($(#[$eq:meta])* [$($parameters:tt)*] $Pointer:ty) => {
        impl<$($parameters)*> AsRef<T> for $Pointer {
            fn as_ref(&self) -> &T {
                self
            }
        }

        impl<$($parameters)*> core::borrow::Borrow<T> for $Pointer {
            fn borrow(&self) -> &T {
                self
            }
        }

        impl<$($parameters)*> core::fmt::Debug for $Pointer
        where
            T: core::fmt::Debug,
        {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                (**self).fmt(f)
            }
        }

        impl<$($parameters)*> core::fmt::Display for $Pointer
        where
            T: core::fmt::Display,
        {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                (**self).fmt(f)
            }
        }

        impl<$($parameters)*> core::fmt::Pointer for $Pointer {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::ptr::from_ref::<T>(self).fmt(f)
            }
        }

        $(#[$eq])*
        impl<$($parameters)*> PartialEq for $Pointer
        where
            T: PartialEq,
        {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                **self == **other
            }
        }

        impl<$($parameters)*> Eq for $Pointer where T: Eq {}

        impl<$($parameters)*> PartialOrd for $Pointer
        where
            T: PartialOrd,
        {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
                (**self).partial_cmp(other)
            }
        }

        impl<$($parameters)*> Ord for $Pointer
        where
            T: Ord,
        {
            #[inline]
            fn cmp(&self, other: &Self) -> core::cmp::Ordering {
                (**self).cmp(other)
            }
        }

        impl<$($parameters)*> core::hash::Hash for $Pointer
        where
            T: core::hash::Hash,
        {
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                (**self).hash(state);
            }
        }

        impl<$($parameters)*> core::error::Error for $Pointer
        where
            T: core::error::Error,
        {
            fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
                (**self).source()
            }
        }

        /// Serialises the element, as std's pointers do: two pointers to one element are written as two elements.
        #[cfg(feature = "serde")]
        impl<$($parameters)*> serde::Serialize for $Pointer
        where
            T: serde::Serialize,
        {
            fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                (**self).serialize(serializer)
            }
        }

        // The pointer may move while what it points to stays.
        impl<$($parameters)*> Unpin for $Pointer {}
    };
}
pub(crate) use pointer_traits;

pointer_traits!([T: ?Sized, P: Pool<T>] PoolBox<T, P>);

impl<T: ?Sized, P: Pool<T>> AsMut<T> for PoolBox<T, P> {
    fn as_mut(&mut self) -> &mut T {
        self
    }
}

impl<T: ?Sized, P: Pool<T>> BorrowMut<T> for PoolBox<T, P> {
    fn borrow_mut(&mut self) -> &mut T {
        self
    }
}

impl<T: Future + Unpin + ?Sized, P: Pool<T>> Future for PoolBox<T, P> {
    type Output = T::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T::Output> {
        Pin::new(&mut **self).poll(cx)
    }
}

impl<T: Iterator + ?Sized, P: Pool<T>> Iterator for PoolBox<T, P> {
    type Item = T::Item;

    fn next(&mut self) -> Option<T::Item> {
        (**self).next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (**self).size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<T::Item> {
        (**self).nth(n)
    }
}

impl<T: DoubleEndedIterator + ?Sized, P: Pool<T>> DoubleEndedIterator for PoolBox<T, P> {
    fn next_back(&mut self) -> Option<T::Item> {
        (**self).next_back()
    }

    fn nth_back(&mut self, n: usize) -> Option<T::Item> {
        (**self).nth_back(n)
    }
}

impl<T: ExactSizeIterator + ?Sized, P: Pool<T>> ExactSizeIterator for PoolBox<T, P> {
    fn len(&self) -> usize {
        (**self).len()
    }
}

impl<T: FusedIterator + ?Sized, P: Pool<T>> FusedIterator for PoolBox<T, P> {}

// The box holds nothing that a panic could leave in disorder.
impl<T: UnwindSafe + ?Sized, P: Pool<T>> UnwindSafe for PoolBox<T, P> {}
impl<T: RefUnwindSafe + ?Sized, P: Pool<T>> RefUnwindSafe for PoolBox<T, P> {}

impl<T: Default, P: PoolMarker<T>> Default for PoolBox<T, P> {
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::new_with(T::default)
    }
}

impl<T, P: PoolMarker<T>> From<T> for PoolBox<T, P> {
    #[inline]
    #[track_caller]
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

/// Reads an element into a slot of the pool that the box's type names. The slot is reserved first, so a parent's slot
/// precedes its children's.
///
/// A full pool is an error, with the text of [`Exhausted`](crate::Exhausted). If reading fails, all slots taken so far go back.
#[cfg(feature = "serde")]
impl<'de, T: Deserialize<'de>, P: PoolMarker<T>> Deserialize<'de> for PoolBox<T, P> {
    #[track_caller]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let slot = Vacant::try_new_in(P::HERE).map_err(Error::custom)?;
        T::deserialize(deserializer).map(|value| slot.fill(value))
    }
}
