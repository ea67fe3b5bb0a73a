//! The traits that a pointer forwards to what it points to.

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

        // The pointer may move while what it points to stays.
        impl<$($parameters)*> Unpin for $Pointer {}
    };
}
pub(crate) use pointer_traits;

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

            // A hasher may treat an integer otherwise than its bytes.
            $crate::base::pointer_traits::forward! {
                write(bytes: &[u8]);
                write_u8(i: u8); write_u16(i: u16); write_u32(i: u32); write_u64(i: u64);
                write_u128(i: u128); write_usize(i: usize); write_i8(i: i8); write_i16(i: i16);
                write_i32(i: i32); write_i64(i: i64); write_i128(i: i128); write_isize(i: isize);
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
                $crate::base::pointer_traits::forward! {
                    read(buf: &mut [u8]) -> io::Result<usize>;
                    read_vectored(bufs: &mut [IoSliceMut<'_>]) -> io::Result<usize>;
                    read_to_end(buf: &mut Vec<u8>) -> io::Result<usize>;
                    read_to_string(buf: &mut String) -> io::Result<usize>;
                    read_exact(buf: &mut [u8]) -> io::Result<()>;
                }
            }

            impl<$($parameters)*> BufRead for $Box
            where
                T: BufRead,
            {
                $crate::base::pointer_traits::forward! {
                    fill_buf() -> io::Result<&[u8]>;
                    consume(amount: usize);
                }
            }

            impl<$($parameters)*> Write for $Box
            where
                T: Write,
            {
                $crate::base::pointer_traits::forward! {
                    write(buf: &[u8]) -> io::Result<usize>;
                    write_vectored(bufs: &[IoSlice<'_>]) -> io::Result<usize>;
                    flush() -> io::Result<()>;
                    write_all(buf: &[u8]) -> io::Result<()>;
                }
            }

            impl<$($parameters)*> Seek for $Box
            where
                T: Seek,
            {
                $crate::base::pointer_traits::forward! {
                    seek(position: SeekFrom) -> io::Result<u64>;
                    stream_position() -> io::Result<u64>;
                }
            }
        };
    };
}
pub(crate) use box_traits;

/// What a box passes on to its element.
macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
        fn $method(&mut self $(, $argument: $type)*) $(-> $result)? {
            (**self).$method($($argument),*)
        }
    )*};
}
pub(crate) use forward;

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
