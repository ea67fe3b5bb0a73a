//! The heap, as pools and rosters call it for their own memory, such as chunks and tables; and how much they ask for.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::mem;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

use crate::thread::request::as_pool;

/// A block for a pool, which has a size; `None` if the heap has no room.
pub(crate) fn alloc(layout: Layout) -> Option<NonNull<u8>> {
    assert!(layout.size() > 0);
    // SAFETY: the size is not 0.
    NonNull::new(as_pool(|| unsafe { alloc::alloc::alloc(layout) }))
}

/// Gives a block back.
///
/// # Safety
///
/// It came from [`alloc`], with this layout, and is used no more.
pub(crate) unsafe fn dealloc(block: *mut u8, layout: Layout) {
    // SAFETY: the caller gives up a block of the heap with this layout.
    as_pool(|| unsafe { alloc::alloc::dealloc(block, layout) });
}

/// Asks for `wanted` slots or bytes more, or for as many as the limit has `room` for; where that is refused, for half of it, and so on
/// down to `least`. `None` without room, or if the least is refused.
///
/// Most callers ask for as many as they have, so that n slots take O(log n) chunks.
pub(crate) fn grow<R>(
    wanted: usize,
    least: usize,
    room: usize,
    mut ask: impl FnMut(usize) -> Option<R>,
) -> Option<R> {
    let mut size = wanted.max(least).min(room);
    while size > 0 {
        match ask(size) {
            None if size > least => size = (size / 2).max(least),
            answer => return answer,
        }
    }
    None
}

/// A vector in a pool's own memory. Only its own methods allocate and free; those of `Vec` are used within its capacity.
#[derive(Debug)]
pub(crate) struct PoolVec<U>(Vec<U>);

impl<U> PoolVec<U> {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError> {
        as_pool(|| self.0.try_reserve_exact(additional))
    }
}

impl<U> Drop for PoolVec<U> {
    #[inline]
    fn drop(&mut self) {
        if self.0.capacity() > 0 {
            as_pool(|| drop(mem::take(&mut self.0)));
        }
    }
}

impl<U> Deref for PoolVec<U> {
    type Target = Vec<U>;

    #[inline(always)]
    fn deref(&self) -> &Vec<U> {
        &self.0
    }
}

impl<U> DerefMut for PoolVec<U> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Vec<U> {
        &mut self.0
    }
}
