//! Tables that are made beside those which they replace, so that a heap without room changes nothing.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::mem;
use core::ops::{Deref, DerefMut};

use crate::base::heap::as_pool;

/// Why there is no memory.
#[derive(Debug)]
pub(super) enum StoreError {
    /// The heap has no room for a block of this layout.
    Heap(Layout),
    /// No block can be that large.
    Overflow,
}

impl StoreError {
    /// The error of a request for `count` items.
    pub(super) fn of<U>(count: usize) -> Self {
        Layout::array::<U>(count).map_or(Self::Overflow, Self::Heap)
    }
}

/// A vector in memory that the roster asks for as a pool (`base/heap`). What it says of its own makes room; what it has of `Vec`
/// stays in the room that there is.
#[derive(Debug)]
pub(super) struct TableVec<U>(Vec<U>);

impl<U> TableVec<U> {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(super) fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError> {
        as_pool(|| self.0.try_reserve_exact(additional))
    }
}

impl<U: Clone> Clone for TableVec<U> {
    fn clone(&self) -> Self {
        self.iter().cloned().collect()
    }
}

impl<U> FromIterator<U> for TableVec<U> {
    fn from_iter<I: IntoIterator<Item = U>>(items: I) -> Self {
        as_pool(|| Self(items.into_iter().collect()))
    }
}

impl<U> Drop for TableVec<U> {
    #[inline]
    fn drop(&mut self) {
        if self.0.capacity() > 0 {
            as_pool(|| drop(mem::take(&mut self.0)));
        }
    }
}

impl<U> Deref for TableVec<U> {
    type Target = Vec<U>;

    #[inline(always)]
    fn deref(&self) -> &Vec<U> {
        &self.0
    }
}

impl<U> DerefMut for TableVec<U> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Vec<U> {
        &mut self.0
    }
}

/// The items, in memory with room for `room` of them at least.
pub(super) fn copy_with_room<U: Copy>(items: &[U], room: usize) -> Result<TableVec<U>, StoreError> {
    let mut copy = TableVec::new();
    copy.try_reserve_exact(room.max(items.len())).map_err(|_| StoreError::of::<U>(room))?;
    copy.extend_from_slice(items);
    Ok(copy)
}
