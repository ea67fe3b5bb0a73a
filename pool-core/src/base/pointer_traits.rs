//! The traits that a pointer forwards to what it points to, and the elements of a box of a slice.

use core::iter::FusedIterator;
use core::mem::ManuallyDrop;
use core::ops::{DerefMut, Range};

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

        // The pointer may move while what it points to stays.
        impl<$($parameters)*> Unpin for $Pointer {}
    };
}
pub(crate) use pointer_traits;

/// `Error`, which a box by layout has only for an element with a size: a box of a `dyn Error` is made of any error, and would
/// be made of itself in two ways.
macro_rules! error_trait {
    ([$($parameters:tt)*] $Pointer:ty) => {
        impl<$($parameters)*> core::error::Error for $Pointer
        where
            T: core::error::Error,
        {
            fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
                (**self).source()
            }
        }
    };
}
pub(crate) use error_trait;

/// Those of a sole owner, as `Box` has them.
macro_rules! box_traits {
    ([$($parameters:tt)*] $Box:ty) => {
        $crate::base::pointer_traits::pointer_traits!([$($parameters)*] $Box);

        impl<$($parameters)*> AsMut<T> for $Box {
            fn as_mut(&mut self) -> &mut T {
                self
            }
        }

        impl<$($parameters)*> core::borrow::BorrowMut<T> for $Box {
            fn borrow_mut(&mut self) -> &mut T {
                self
            }
        }

        impl<$($parameters)*> core::hash::Hasher for $Box
        where
            T: core::hash::Hasher,
        {
            fn finish(&self) -> u64 {
                (**self).finish()
            }

            fn write(&mut self, bytes: &[u8]) {
                (**self).write(bytes);
            }

            // A hasher may treat an integer otherwise than its bytes.
            $crate::base::pointer_traits::forward_writes! {
                write_u8(u8), write_u16(u16), write_u32(u32), write_u64(u64), write_u128(u128),
                write_usize(usize), write_i8(i8), write_i16(i16), write_i32(i32), write_i64(i64),
                write_i128(i128), write_isize(isize),
            }
        }

        impl<$($parameters)*> core::future::Future for $Box
        where
            T: core::future::Future + Unpin,
        {
            type Output = T::Output;

            fn poll(
                mut self: core::pin::Pin<&mut Self>,
                cx: &mut core::task::Context<'_>,
            ) -> core::task::Poll<T::Output> {
                core::pin::Pin::new(&mut **self).poll(cx)
            }
        }

        // As `Box` has them.
        #[cfg(feature = "std")]
        const _: () = {
            use alloc::string::String;
            use alloc::vec::Vec;
            use std::io::{
                self, BufRead, IoSlice, IoSliceMut, Read, Seek, SeekFrom, Write,
            };

            impl<$($parameters)*> Read for $Box
            where
                T: Read,
            {
                fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
                    (**self).read(buf)
                }

                fn read_vectored(&mut self, bufs: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
                    (**self).read_vectored(bufs)
                }

                fn read_to_end(&mut self, buf: &mut Vec<u8>) -> io::Result<usize> {
                    (**self).read_to_end(buf)
                }

                fn read_to_string(&mut self, buf: &mut String) -> io::Result<usize> {
                    (**self).read_to_string(buf)
                }

                fn read_exact(&mut self, buf: &mut [u8]) -> io::Result<()> {
                    (**self).read_exact(buf)
                }
            }

            impl<$($parameters)*> BufRead for $Box
            where
                T: BufRead,
            {
                fn fill_buf(&mut self) -> io::Result<&[u8]> {
                    (**self).fill_buf()
                }

                fn consume(&mut self, amount: usize) {
                    (**self).consume(amount);
                }
            }

            impl<$($parameters)*> Write for $Box
            where
                T: Write,
            {
                fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
                    (**self).write(buf)
                }

                fn write_vectored(&mut self, bufs: &[IoSlice<'_>]) -> io::Result<usize> {
                    (**self).write_vectored(bufs)
                }

                fn flush(&mut self) -> io::Result<()> {
                    (**self).flush()
                }

                fn write_all(&mut self, buf: &[u8]) -> io::Result<()> {
                    (**self).write_all(buf)
                }
            }

            impl<$($parameters)*> Seek for $Box
            where
                T: Seek,
            {
                fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
                    (**self).seek(position)
                }

                fn stream_position(&mut self) -> io::Result<u64> {
                    (**self).stream_position()
                }
            }
        };
    };
}
pub(crate) use box_traits;

macro_rules! forward_writes {
    ($($method:ident($int:ty)),* $(,)?) => {$(
        fn $method(&mut self, i: $int) {
            (**self).$method(i);
        }
    )*};
}
pub(crate) use forward_writes;

/// `Iterator` and its kin, of a box of an iterator.
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

/// `IntoIterator` of references to a box of a slice.
macro_rules! slice_traits {
    ([$($parameters:tt)*] $Box:ty) => {
        impl<'s, $($parameters)*> IntoIterator for &'s $Box {
            type Item = &'s T;
            type IntoIter = core::slice::Iter<'s, T>;

            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }

        impl<'s, $($parameters)*> IntoIterator for &'s mut $Box {
            type Item = &'s mut T;
            type IntoIter = core::slice::IterMut<'s, T>;

            fn into_iter(self) -> Self::IntoIter {
                self.iter_mut()
            }
        }
    };
}
pub(crate) use slice_traits;

/// The elements of a box of a slice, by value: what its `into_iter` returns.
#[derive(Debug)]
pub struct IntoIter<T, B: DerefMut<Target = [ManuallyDrop<T>]>> {
    /// Where they lie.
    room: B,
    /// Those that were not taken yet.
    left: Range<usize>,
}

impl<T, B: DerefMut<Target = [ManuallyDrop<T>]>> IntoIter<T, B> {
    /// # Safety
    ///
    /// Nothing else owns the elements.
    pub(crate) unsafe fn new(room: B) -> Self {
        let left = 0..room.len();
        Self { room, left }
    }
}

impl<T, B: DerefMut<Target = [ManuallyDrop<T>]>> Iterator for IntoIter<T, B> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let at = self.left.next()?;
        // SAFETY: it was left until now, and is not any more.
        Some(unsafe { ManuallyDrop::take(&mut self.room[at]) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl<T, B: DerefMut<Target = [ManuallyDrop<T>]>> DoubleEndedIterator for IntoIter<T, B> {
    fn next_back(&mut self) -> Option<T> {
        let at = self.left.next_back()?;
        // SAFETY: it was left until now, and is not any more.
        Some(unsafe { ManuallyDrop::take(&mut self.room[at]) })
    }
}

impl<T, B: DerefMut<Target = [ManuallyDrop<T>]>> ExactSizeIterator for IntoIter<T, B> {}
impl<T, B: DerefMut<Target = [ManuallyDrop<T>]>> FusedIterator for IntoIter<T, B> {}

impl<T, B: DerefMut<Target = [ManuallyDrop<T>]>> Drop for IntoIter<T, B> {
    fn drop(&mut self) {
        let left = &raw mut self.room[self.left.clone()];
        // SAFETY: what is left was not taken, and is not used after this.
        unsafe { (left as *mut [T]).drop_in_place() };
    }
}
