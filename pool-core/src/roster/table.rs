//! Tables that are made beside those which they replace, so that a heap without room changes nothing.

use core::alloc::Layout;

use crate::base::heap::PoolVec;

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

/// The items, in memory with room for `room` of them at least.
pub(super) fn copy_with_room<U: Copy>(items: &[U], room: usize) -> Result<PoolVec<U>, StoreError> {
    let mut copy = PoolVec::new();
    copy.try_reserve_exact(room.max(items.len())).map_err(|_| StoreError::of::<U>(room))?;
    copy.extend_from_slice(items);
    Ok(copy)
}
