//! `std::io` through a pointer, as `Box` has it.

/// The traits of `std::io` for a sole owner.
macro_rules! io_traits {
    ([$($parameters:tt)*] $Box:ty) => {
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
pub(crate) use io_traits;
