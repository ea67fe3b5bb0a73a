//! Elements that move between the heap and a pool by layout.

use alloc::boxed::Box as HeapBox;

use crate::derived::any::Box;
use crate::derived::by_layout::ByLayout;
use crate::pointer::boxed::PoolBox;

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
impl<T> From<HeapBox<T>> for Box<T> {
    #[track_caller]
    fn from(b: HeapBox<T>) -> Self {
        PoolBox::from_box_in(b, ByLayout).into()
    }
}

impl<T> Box<T> {
    /// Moves the element into a block of the heap, as one copy of its bytes, and gives its slot back.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::any;
    ///
    /// let name: Box<String> = any::Box::into_box(any::Box::new("Grendel".into()));
    /// assert_eq!(*name, "Grendel");
    /// ```
    pub fn into_box(b: Self) -> HeapBox<T> {
        PoolBox::into_box(b.into())
    }
}
