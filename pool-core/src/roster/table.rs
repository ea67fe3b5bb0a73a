//! Tables that are made beside those which they replace, so that a heap without room changes nothing.

use alloc::vec::Vec;

/// The items, in memory with room for `room` of them at least; `None` if the heap has none.
pub(super) fn copy_with_room<U: Copy>(items: &[U], room: usize) -> Option<Vec<U>> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(room.max(items.len())).ok()?;
    copy.extend_from_slice(items);
    Some(copy)
}
