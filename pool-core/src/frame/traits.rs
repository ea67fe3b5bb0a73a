//! The traits that `Box` has, by way of the value.

use core::borrow::{Borrow, BorrowMut};
use core::cmp::Ordering;
use core::error::Error;
use core::fmt;
use core::future::Future;
use core::hash::{Hash, Hasher};
use core::iter::FusedIterator;
use core::ops::{Deref, DerefMut};
use core::pin::Pin;
use core::task::{Context, Poll};

use crate::frame::FrameBox;

impl<T: ?Sized> Deref for FrameBox<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        let value = Self::as_ptr(self);
        // SAFETY: the box owns its value, which is initialised; the reference borrows the box.
        unsafe { &*value }
    }
}

impl<T: ?Sized> DerefMut for FrameBox<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        let value = Self::as_mut_ptr(self);
        // SAFETY: as in `deref`, and the box is borrowed mutably.
        unsafe { &mut *value }
    }
}

impl<T: ?Sized> AsRef<T> for FrameBox<'_, T> {
    fn as_ref(&self) -> &T {
        self
    }
}

impl<T: ?Sized> AsMut<T> for FrameBox<'_, T> {
    fn as_mut(&mut self) -> &mut T {
        self
    }
}

impl<T: ?Sized> Borrow<T> for FrameBox<'_, T> {
    fn borrow(&self) -> &T {
        self
    }
}

impl<T: ?Sized> BorrowMut<T> for FrameBox<'_, T> {
    fn borrow_mut(&mut self) -> &mut T {
        self
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for FrameBox<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for FrameBox<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized> fmt::Pointer for FrameBox<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::as_ptr(self).fmt(f)
    }
}

impl<T: ?Sized + PartialEq> PartialEq for FrameBox<'_, T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: ?Sized + Eq> Eq for FrameBox<'_, T> {}

impl<T: ?Sized + PartialOrd> PartialOrd for FrameBox<'_, T> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (**self).partial_cmp(other)
    }
}

impl<T: ?Sized + Ord> Ord for FrameBox<'_, T> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(other)
    }
}

impl<T: ?Sized + Hash> Hash for FrameBox<'_, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: ?Sized + Error> Error for FrameBox<'_, T> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        (**self).source()
    }
}

impl<T: ?Sized + Iterator> Iterator for FrameBox<'_, T> {
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

impl<T: ?Sized + DoubleEndedIterator> DoubleEndedIterator for FrameBox<'_, T> {
    fn next_back(&mut self) -> Option<T::Item> {
        (**self).next_back()
    }
}

impl<T: ?Sized + ExactSizeIterator> ExactSizeIterator for FrameBox<'_, T> {
    fn len(&self) -> usize {
        (**self).len()
    }
}

impl<T: ?Sized + FusedIterator> FusedIterator for FrameBox<'_, T> {}

impl<T: ?Sized + Future + Unpin> Future for FrameBox<'_, T> {
    type Output = T::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T::Output> {
        Pin::new(&mut **self).poll(cx)
    }
}

// The box may move while its value stays.
impl<T: ?Sized> Unpin for FrameBox<'_, T> {}
