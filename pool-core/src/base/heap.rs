//! The heap, as pools and rosters ask it for their own memory: chunks, tables, and what they keep of them.
//!
//! While a pool asks, a mark of the thread says so. [`Tracked`](crate::Tracked) looks at it, which tells what a pool keeps for later
//! from what has leaked. What is asked for under the mark must be given back under it, too.

#[cfg(feature = "alloc")]
use core::alloc::Layout;

#[cfg_attr(any(not(feature = "std"), all(loom, test)), path = "heap/mark_off.rs")]
mod mark;
#[cfg(feature = "alloc")]
mod vec;

pub(crate) use mark::Request;
#[cfg(feature = "alloc")]
use mark::as_pool;
#[cfg(feature = "std")]
pub(crate) use mark::is_asked;
#[cfg(feature = "alloc")]
pub(crate) use vec::PoolVec;

/// A block for a pool; null if the heap has no room.
///
/// # Safety
///
/// The layout's size is not 0.
#[cfg(feature = "alloc")]
pub(crate) unsafe fn alloc(layout: Layout) -> *mut u8 {
    // SAFETY: passed on from the caller.
    as_pool(|| unsafe { alloc::alloc::alloc(layout) })
}

/// [`alloc`], of zeros.
///
/// # Safety
///
/// As for [`alloc`].
#[cfg(feature = "alloc")]
pub(crate) unsafe fn alloc_zeroed(layout: Layout) -> *mut u8 {
    // SAFETY: passed on from the caller.
    as_pool(|| unsafe { alloc::alloc::alloc_zeroed(layout) })
}

/// Gives a block back.
///
/// # Safety
///
/// It came from [`alloc`] or [`alloc_zeroed`], with this layout, and is used no more.
#[cfg(feature = "alloc")]
pub(crate) unsafe fn dealloc(block: *mut u8, layout: Layout) {
    // SAFETY: passed on from the caller.
    as_pool(|| unsafe { alloc::alloc::dealloc(block, layout) });
}
