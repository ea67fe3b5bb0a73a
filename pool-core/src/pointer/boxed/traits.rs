//! The traits that `Box` has.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::borrow::BorrowMut;
use core::future::Future;
use core::hash::Hasher;
#[cfg(feature = "alloc")]
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::pin::Pin;
use core::task::{Context, Poll};

use crate::pointer::boxed::{PoolBox, Vacant};
use crate::pointer::traits::pointer_traits;
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

/// Methods that a box forwards to its element.
macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
        fn $method(&mut self $(, $argument: $type)*) $(-> $result)? {
            (**self).$method($($argument),*)
        }
    )*};
}

impl<T: Hasher + ?Sized, P: Pool<T>> Hasher for PoolBox<T, P> {
    fn finish(&self) -> u64 {
        (**self).finish()
    }

    // A hasher may treat an integer otherwise than its bytes.
    forward! {
        write(bytes: &[u8]);
        write_u8(i: u8); write_u16(i: u16); write_u32(i: u32); write_u64(i: u64);
        write_u128(i: u128); write_usize(i: usize); write_i8(i: i8); write_i16(i: i16);
        write_i32(i: i32); write_i64(i: i64); write_i128(i: i128); write_isize(i: isize);
    }
}

impl<T: Future + Unpin + ?Sized, P: Pool<T>> Future for PoolBox<T, P> {
    type Output = T::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T::Output> {
        Pin::new(&mut **self).poll(cx)
    }
}

/// `Iterator` and its kin, for a box of an iterator.
macro_rules! iterator_traits {
    ([$($parameters:tt)*] $Box:ty, $T:ty) => {
        impl<$($parameters)*> Iterator for $Box
        where
            $T: Iterator,
        {
            type Item = <$T as Iterator>::Item;

            fn next(&mut self) -> Option<Self::Item> {
                (**self).next()
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (**self).size_hint()
            }

            fn nth(&mut self, n: usize) -> Option<Self::Item> {
                (**self).nth(n)
            }
        }

        impl<$($parameters)*> DoubleEndedIterator for $Box
        where
            $T: DoubleEndedIterator,
        {
            fn next_back(&mut self) -> Option<Self::Item> {
                (**self).next_back()
            }

            fn nth_back(&mut self, n: usize) -> Option<Self::Item> {
                (**self).nth_back(n)
            }
        }

        impl<$($parameters)*> ExactSizeIterator for $Box
        where
            $T: ExactSizeIterator,
        {
            fn len(&self) -> usize {
                (**self).len()
            }
        }

        impl<$($parameters)*> core::iter::FusedIterator for $Box where $T: core::iter::FusedIterator {}
    };
}
pub(crate) use iterator_traits;

// Not of frames, which are not `Clone`: their boxes of slices are `IntoIterator`.
iterator_traits!([T: ?Sized, P: Pool<T> + Clone] PoolBox<T, P>, T);

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

/// Moves the element from the heap into `T`'s pool, as one copy of its bytes, and frees its block of the heap.
///
/// # Panics
///
/// If the pool has a limit and every slot is occupied. (`PoolBox::try_new_uninit()?.fill(*b)` does not.)
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// struct Page { text: [u8; 4096] }
///
/// let on_heap = Box::new(Page { text: [b'a'; 4096] });
/// let in_pool = PoolBox::from(on_heap);
/// assert_eq!((in_pool.text[4095], Page::pool_stats().live), (b'a', 1));
/// ```
#[cfg(feature = "alloc")]
impl<T, P: PoolMarker<T>> From<Box<T>> for PoolBox<T, P> {
    #[track_caller]
    fn from(b: Box<T>) -> Self {
        let mut slot = Vacant::new_in(P::HERE);
        let block = Box::into_raw(b);
        // SAFETY: the block has a `T`, which is read once, and the slot room for one; neither is the other's.
        unsafe { slot.as_mut_ptr().copy_from_nonoverlapping(block, 1) };
        // SAFETY: it came from a box, and a `MaybeUninit<T>` has the layout of a `T`, which was moved out.
        drop(unsafe { Box::from_raw(block.cast::<MaybeUninit<T>>()) });
        // SAFETY: the element is there.
        unsafe { slot.assume_init() }
    }
}

#[cfg(feature = "std")]
mod io {
    use alloc::string::String;
    use alloc::vec::Vec;
    use std::io::{self, BufRead, IoSlice, IoSliceMut, Read, Seek, SeekFrom, Write};

    use crate::pointer::Pool;
    use crate::pointer::boxed::PoolBox;

    impl<T: Read + ?Sized, P: Pool<T>> Read for PoolBox<T, P> {
        forward! {
            read(buf: &mut [u8]) -> io::Result<usize>;
            read_vectored(bufs: &mut [IoSliceMut<'_>]) -> io::Result<usize>;
            read_to_end(buf: &mut Vec<u8>) -> io::Result<usize>;
            read_to_string(buf: &mut String) -> io::Result<usize>;
            read_exact(buf: &mut [u8]) -> io::Result<()>;
        }
    }

    impl<T: BufRead + ?Sized, P: Pool<T>> BufRead for PoolBox<T, P> {
        forward! {
            fill_buf() -> io::Result<&[u8]>;
            consume(amount: usize);
        }
    }

    impl<T: Write + ?Sized, P: Pool<T>> Write for PoolBox<T, P> {
        forward! {
            write(buf: &[u8]) -> io::Result<usize>;
            write_vectored(bufs: &[IoSlice<'_>]) -> io::Result<usize>;
            flush() -> io::Result<()>;
            write_all(buf: &[u8]) -> io::Result<()>;
        }
    }

    impl<T: Seek + ?Sized, P: Pool<T>> Seek for PoolBox<T, P> {
        forward! {
            seek(position: SeekFrom) -> io::Result<u64>;
            stream_position() -> io::Result<u64>;
        }
    }
}
