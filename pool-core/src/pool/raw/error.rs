//! Why a raw pool was not made.

use core::fmt;

/// What is wrong with the layout or the count that a [`RawFreeList`](crate::RawFreeList) or a
/// [`RawPointerStack`](crate::RawPointerStack) was asked for. Sizes are in bytes.
///
/// # Examples
///
/// ```
/// use std::alloc::Layout;
/// use typed_pool::{RawFreeList, RawPoolError, RawPointerStack};
///
/// let byte = Layout::new::<u8>();
/// let least = size_of::<usize>();
/// assert_eq!(RawFreeList::new(byte, 10).unwrap_err(), RawPoolError::TooSmall { size: 1, least });
/// assert!(RawPointerStack::new(byte, 10).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RawPoolError {
    /// The size is below what a slot has to hold: a link, in a free list; something, in a pointer
    /// stack.
    TooSmall {
        /// The size that was asked for.
        size: usize,
        /// The smallest that is possible.
        least: usize,
    },
    /// The size is not a multiple of the alignment, so every other slot would be out of line.
    SizeNotMultiple {
        /// The size that was asked for.
        size: usize,
        /// The alignment that was asked for.
        align: usize,
    },
    /// The alignment is not a power of two.
    AlignNotPowerOfTwo {
        /// The alignment that was asked for.
        align: usize,
    },
    /// The count is 0.
    NoSlots,
    /// That many slots, or the pointers to them, exceed `isize::MAX` bytes.
    TooLarge {
        /// The size of a slot.
        size: usize,
        /// How many were asked for.
        count: usize,
    },
    /// The heap has no room.
    NoMemory {
        /// The block that it was asked for.
        bytes: usize,
    },
}

impl fmt::Display for RawPoolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooSmall { size: 0, .. } => {
                write!(f, "elements of 0 bytes need no pool: ask for 1 byte or more")
            }
            Self::TooSmall { size, least } => write!(
                f,
                "elements of {size} bytes are too small, since a vacant slot holds a link of {least} \
                 bytes: ask for {least} or more, or use a `RawPointerStack`"
            ),
            Self::SizeNotMultiple { size, align } => write!(
                f,
                "elements of {size} bytes do not stay aligned to {align} side by side: make the size \
                 a multiple of the alignment, by `Layout::pad_to_align`"
            ),
            Self::AlignNotPowerOfTwo { align } => {
                write!(f, "an alignment of {align} bytes is not possible: ask for a power of two")
            }
            Self::NoSlots => write!(f, "a pool cannot have 0 slots: ask for 1 or more"),
            Self::TooLarge { size, count } => write!(
                f,
                "a pool cannot have {count} slots of {size} bytes: they, or the pointers to them, exceed the \
                 address space; ask for fewer"
            ),
            Self::NoMemory { bytes } => {
                write!(f, "the heap has no room for {bytes} bytes: ask for fewer slots")
            }
        }
    }
}

impl core::error::Error for RawPoolError {}
