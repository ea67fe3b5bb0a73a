//! Elements that move between the heap and a pool by layout.

use alloc::boxed::Box as HeapBox;

use crate::derived::any::AnyBox;
use crate::pointer::boxed::PoolBox;
use crate::pointer::pool::Pool;

/// Moves the element out of the heap into a slot, as one copy of its bytes, and frees its block.
///
/// # Examples
///
/// ```
/// use typed_pool::any;
///
/// let in_pool = any::Box::from(Box::new([7; 100]));
/// let on_heap: Box<[i32; 100]> = any::Box::into_box(in_pool);
/// assert_eq!(on_heap[99], 7);
/// ```
impl<T, P: Pool<T> + Copy + Default> From<HeapBox<T>> for AnyBox<T, P> {
    #[track_caller]
    fn from(b: HeapBox<T>) -> Self {
        PoolBox::from_box_in(b, P::default()).into()
    }
}
