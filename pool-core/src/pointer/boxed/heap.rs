//! Elements that move from the heap into a pool, and many at once.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use crate::pointer::boxed::{PoolBox, Vacant};
use crate::pointer::{Pool, PoolMarker};

/// Moves the element out of the heap into `T`'s pool, as one copy of its bytes, and frees its block.
///
/// # Panics
///
/// If the pool has a limit and every slot is occupied. (`Vacant` has a way that does not:
/// `PoolBox::try_new_uninit()?.fill(*b)`.)
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// struct Page { text: [u8; 4096] }
///
/// let on_heap = Box::new(Page { text: [b'a'; 4096] });
/// let in_pool = PoolBox::from(on_heap);
/// assert_eq!((in_pool.text[4095], Page::pool_stats().live), (b'a', 1));
/// ```
impl<T, P: PoolMarker<T>> From<Box<T>> for PoolBox<T, P> {
    #[track_caller]
    fn from(b: Box<T>) -> Self {
        let mut slot = Vacant::new_in(P::HERE);
        let block = Box::into_raw(b);
        // SAFETY: the block has a `T`, which is read once, and the slot room for one; neither is the other's.
        unsafe { slot.as_mut_ptr().copy_from_nonoverlapping(block, 1) };
        // SAFETY: it came from a box, and a `MaybeUninit<T>` has the layout of a `T`, which was moved out.
        drop(unsafe { Box::from_raw(block.cast::<MaybeUninit<T>>()) });
        // SAFETY: the element is there.
        unsafe { slot.assume_init() }
    }
}

/// The most values for which room is made before they are there: a hint may be wrong, or more than any pool has slots.
const MOST_AT_ONCE: usize = 1024;

/// Puts each value into a slot; panics if there are not as many.
#[inline]
#[track_caller]
pub(crate) fn many_in<T, P: Pool<T> + Clone, I: Iterator<Item = T>>(
    values: I,
    pool: &P,
) -> Vec<PoolBox<T, P>> {
    let mut boxes = Vec::with_capacity(values.size_hint().0.min(MOST_AT_ONCE));
    // A loop, not `map`: a panic in a closure would name this line, and not the caller's.
    for value in values {
        boxes.push(PoolBox::new_in(value, pool.clone()));
    }
    boxes
}
