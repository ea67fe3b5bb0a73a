//! Elements that move between the heap and a pool.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use crate::base::watch::IS_CHECKED;
use crate::pointer::boxed::{PoolBox, Vacant};
use crate::pointer::{Pool, PoolMarker};

/// Moves the element out of the heap into `T`'s pool, as one copy of its bytes, and frees its block.
///
/// # Panics
///
/// If the pool has a limit and every slot is occupied. (`Vacant` has a way that does not:
/// `PoolBox::try_new_uninit()?.write(*b)`.)
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
/// let on_heap: Box<Page> = PoolBox::into_box(in_pool);
/// assert_eq!((on_heap.text[4095], Page::pool_stats().live), (b'a', 0));
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

impl<T, P: Pool<T>> PoolBox<T, P> {
    /// Moves the element into a block of the heap, as one copy of its bytes, and gives its slot back. (A `From` cannot be
    /// written for that: `Box` belongs to another crate.)
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, PoolBoxIn};
    ///
    /// let pool = FreeList::new();
    /// let name: Box<String> = PoolBoxIn::into_box(pool.alloc("Grendel".into()));
    /// assert_eq!((&**name, pool.stats().live), ("Grendel", 0));
    /// ```
    #[must_use]
    pub fn into_box(b: Self) -> Box<T> {
        let mut block = Box::<T>::new_uninit();
        let (element, pool) = Self::into_parts(b);
        if IS_CHECKED {
            // SAFETY: the element came from this pool.
            unsafe { pool.verify(element) };
        }
        // SAFETY: the box owned its element, which is read once; the block has room for it, and is not the pool's.
        unsafe { block.as_mut_ptr().copy_from_nonoverlapping(element.as_ptr(), 1) };
        // SAFETY: 1. the box owned the slot; 2. its pointer came from the pool; 3. the box is gone,
        // and with it every borrow.
        unsafe { pool.release(element) };
        // SAFETY: the element is there.
        unsafe { block.assume_init() }
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
