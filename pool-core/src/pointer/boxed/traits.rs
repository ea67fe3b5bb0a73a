//! The traits that `Box` has, by way of the element.

use core::borrow::{Borrow, BorrowMut};
use core::cmp::Ordering;
use core::error::Error;
use core::fmt;
use core::future::Future;
use core::hash::{Hash, Hasher};
use core::iter::FusedIterator;
use core::ops::{Deref, DerefMut};
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::pin::Pin;
use core::task::{Context, Poll};

use crate::pointer::boxed::PoolBox;
use crate::pointer::pool::Pool;
use crate::pointer::vacant::Vacant;

impl<T, P: Pool<T>> Deref for PoolBox<T, P> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the box owns its element, which is initialised; the reference borrows the box.
        unsafe { self.element.as_ref() }
    }
}

impl<T, P: Pool<T>> DerefMut for PoolBox<T, P> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`, and the box is borrowed mutably.
        unsafe { self.element.as_mut() }
    }
}

impl<T, P: Pool<T>> AsRef<T> for PoolBox<T, P> {
    fn as_ref(&self) -> &T {
        self
    }
}

impl<T, P: Pool<T>> AsMut<T> for PoolBox<T, P> {
    fn as_mut(&mut self) -> &mut T {
        self
    }
}

impl<T, P: Pool<T>> Borrow<T> for PoolBox<T, P> {
    fn borrow(&self) -> &T {
        self
    }
}

impl<T, P: Pool<T>> BorrowMut<T> for PoolBox<T, P> {
    fn borrow_mut(&mut self) -> &mut T {
        self
    }
}

/// Boxes of a type with a pool of its own are made from nothing ...
impl<T, P: Pool<T> + 'static> From<PoolBox<T, P>> for Pin<PoolBox<T, P>> {
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

impl<T: fmt::Debug, P: Pool<T>> fmt::Debug for PoolBox<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: fmt::Display, P: Pool<T>> fmt::Display for PoolBox<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T, P: Pool<T>> fmt::Pointer for PoolBox<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.element.fmt(f)
    }
}

impl<T: PartialEq, P: Pool<T>> PartialEq for PoolBox<T, P> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, P: Pool<T>> Eq for PoolBox<T, P> {}

impl<T: PartialOrd, P: Pool<T>> PartialOrd for PoolBox<T, P> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (**self).partial_cmp(other)
    }
}

impl<T: Ord, P: Pool<T>> Ord for PoolBox<T, P> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(other)
    }
}

impl<T: Hash, P: Pool<T>> Hash for PoolBox<T, P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

/// A hasher may treat an integer otherwise than its bytes.
macro_rules! forward_writes {
    ($($method:ident($int:ty)),* $(,)?) => {$(
        fn $method(&mut self, i: $int) {
            (**self).$method(i);
        }
    )*};
}

impl<T: Hasher, P: Pool<T>> Hasher for PoolBox<T, P> {
    fn finish(&self) -> u64 {
        (**self).finish()
    }

    fn write(&mut self, bytes: &[u8]) {
        (**self).write(bytes);
    }

    forward_writes! {
        write_u8(u8), write_u16(u16), write_u32(u32), write_u64(u64), write_u128(u128),
        write_usize(usize), write_i8(i8), write_i16(i16), write_i32(i32), write_i64(i64),
        write_i128(i128), write_isize(isize),
    }
}

impl<T: Error, P: Pool<T>> Error for PoolBox<T, P> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        (**self).source()
    }
}

impl<T: Iterator, P: Pool<T>> Iterator for PoolBox<T, P> {
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

impl<T: DoubleEndedIterator, P: Pool<T>> DoubleEndedIterator for PoolBox<T, P> {
    fn next_back(&mut self) -> Option<T::Item> {
        (**self).next_back()
    }

    fn nth_back(&mut self, n: usize) -> Option<T::Item> {
        (**self).nth_back(n)
    }
}

impl<T: ExactSizeIterator, P: Pool<T>> ExactSizeIterator for PoolBox<T, P> {
    fn len(&self) -> usize {
        (**self).len()
    }
}

impl<T: FusedIterator, P: Pool<T>> FusedIterator for PoolBox<T, P> {}

impl<T: Future + Unpin, P: Pool<T>> Future for PoolBox<T, P> {
    type Output = T::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T::Output> {
        Pin::new(&mut **self).poll(cx)
    }
}

// The box may move while its element stays, and holds nothing that a panic could leave in disorder.
impl<T, P: Pool<T>> Unpin for PoolBox<T, P> {}
impl<T: UnwindSafe, P: Pool<T>> UnwindSafe for PoolBox<T, P> {}
impl<T: RefUnwindSafe, P: Pool<T>> RefUnwindSafe for PoolBox<T, P> {}
