//! Shared elements that were a box's.

use alloc::boxed::Box as HeapBox;

use crate::derived::any::{Arc, Box, Rc, SendBox};

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

    )*};
}

shared_from_boxes! { Rc Box Arc SendBox }
