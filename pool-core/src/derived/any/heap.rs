//! Elements that move between the heap and a pool by layout, or to where there is room for counts.

use alloc::boxed::Box as HeapBox;
use alloc::vec::Vec;

use crate::derived::any::{AnyBox, Arc, Box, Rc, SendBox};
use crate::pointer::boxed::PoolBox;
use crate::pointer::pool::Pool;

impl<T, P: Pool<T> + Copy + Default + 'static> AnyBox<T, P> {
    /// Moves the element into a block of the heap, as one copy of its bytes, and gives its slot back.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::any;
    ///
    /// let on_heap: Box<String> = any::Box::into_box(any::Box::new("Grendel".into()));
    /// assert_eq!(*on_heap, "Grendel");
    /// ```
    #[inline]
    pub fn into_box(b: Self) -> alloc::boxed::Box<T> {
        PoolBox::into_box(b.0)
    }
}

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

macro_rules! shared_from_boxes {
    ($($Shared:ident $Box:ident)*) => {$(
        impl<T> From<HeapBox<T>> for $Shared<T> {
            /// Moves the element out of the heap into a slot with counts.
            #[track_caller]
            fn from(b: HeapBox<T>) -> Self {
                Self::new(*b)
            }
        }

        impl<T> From<$Box<T>> for $Shared<T> {
            /// Moves the element into a slot with counts.
            #[track_caller]
            fn from(b: $Box<T>) -> Self {
                Self::new($Box::into_inner(b))
            }
        }

        impl<T> From<$Box<[T]>> for $Shared<[T]> {
            /// Moves the elements into a slot with counts.
            #[cfg_attr(any(feature = "sites", feature = "hardened"), track_caller)]
            fn from(b: $Box<[T]>) -> Self {
                Vec::from(b).into()
            }
        }

        impl From<$Box<str>> for $Shared<str> {
            /// Copies the text into a slot with counts.
            #[cfg_attr(any(feature = "sites", feature = "hardened"), track_caller)]
            fn from(b: $Box<str>) -> Self {
                Self::from(&*b)
            }
        }
    )*};
}

shared_from_boxes! { Rc Box Arc SendBox }
