//! Atomics that are compared and swapped: by the target, or, where it has no such instruction, through
//! `portable-atomic` or a critical section. Without these features the derive refuses a static pool there
//! ([`CompareAndSwap`](crate::__private::CompareAndSwap)).

#[cfg(not(pool_swap))]
mod absent;
#[cfg(pool_swap = "section")]
mod section;

#[cfg(pool_swap = "core")]
use crate::base::atomic::atomic as found;
#[cfg(not(pool_swap))]
use absent as found;
#[cfg(pool_swap = "portable")]
use portable_atomic as found;
#[cfg(pool_swap = "section")]
use section as found;

pub(crate) use found::AtomicUsize;

/// A number that is loaded and stored only.
#[cfg(not(pool_swap = "section"))]
pub(crate) type AtomicNumber = found::AtomicU32;
#[cfg(pool_swap = "section")]
pub(crate) use core::sync::atomic::AtomicU32 as AtomicNumber;

/// The value of an [`AtomicBits`]: as wide as the target compares and swaps.
#[cfg(pool_swap_64)]
pub(crate) type Bits = u64;
#[cfg(not(pool_swap_64))]
pub(crate) type Bits = u32;

#[cfg(not(pool_swap_64))]
pub(crate) use found::AtomicU32 as AtomicBits;
#[cfg(pool_swap_64)]
pub(crate) use found::AtomicU64 as AtomicBits;
