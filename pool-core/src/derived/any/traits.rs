//! The traits that `Box` has.

use alloc::boxed::Box as HeapBox;
use core::ops::{Deref, DerefMut};
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::pin::Pin;

use crate::base::pointer_traits::{box_traits, iterator_traits};
use crate::derived::any::{AnyBox, AnyPool, Arc, Box, Rc, SendBox};
use crate::pointer::Pool;
use crate::pointer::boxed::PoolBox;

impl<T: ?Sized, P: AnyPool + Pool<T>> Deref for AnyBox<T, P> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the box owns its element, which is initialised; the reference borrows the box.
        unsafe { self.element.as_ref() }
    }
}

impl<T: ?Sized, P: AnyPool + Pool<T>> DerefMut for AnyBox<T, P> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`, and the box is borrowed mutably.
        unsafe { self.element.as_mut() }
    }
}

// As of the box under its other name.
// SAFETY: it owns the same.
unsafe impl<T: ?Sized, P: AnyPool + Pool<T>> Send for AnyBox<T, P> where PoolBox<T, P>: Send {}
// SAFETY: it gives out the same.
unsafe impl<T: ?Sized, P: AnyPool + Pool<T>> Sync for AnyBox<T, P> where PoolBox<T, P>: Sync {}
impl<T: UnwindSafe + ?Sized, P: AnyPool + Pool<T>> UnwindSafe for AnyBox<T, P> {}
impl<T: RefUnwindSafe + ?Sized, P: AnyPool + Pool<T>> RefUnwindSafe for AnyBox<T, P> {}

box_traits!([T: ?Sized, P: AnyPool + Pool<T>] AnyBox<T, P>);
iterator_traits!([T: ?Sized, P: AnyPool + Pool<T>] AnyBox<T, P>, T);

impl<T: ?Sized, P: AnyPool + Pool<T>> From<AnyBox<T, P>> for Pin<AnyBox<T, P>> {
    fn from(b: AnyBox<T, P>) -> Self {
        AnyBox::into_pin(b)
    }
}

impl<T: Clone, P: AnyPool + Pool<T>> Clone for AnyBox<T, P> {
    #[inline]
    #[track_caller]
    fn clone(&self) -> Self {
        Self::new_with(|| T::clone(self))
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        (**self).clone_from(source);
    }
}

impl<T: Default, P: AnyPool + Pool<T>> Default for AnyBox<T, P> {
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::new_with(T::default)
    }
}

impl<T, P: AnyPool + Pool<T>> From<T> for AnyBox<T, P> {
    #[inline]
    #[track_caller]
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T, P: AnyPool + Pool<T>> AnyBox<T, P> {
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
        PoolBox::into_box(PoolBox::<T, P>::from(b))
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
impl<T, P: AnyPool + Pool<T>> From<HeapBox<T>> for AnyBox<T, P> {
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

    )*};
}

shared_from_boxes! { Rc Box Arc SendBox }

#[cfg(feature = "serde")]
mod with_serde {
    use serde::de::{Deserialize, Deserializer};
    use serde::ser::{Serialize, Serializer};

    use crate::derived::any::{AnyBox, AnyPool};
    use crate::pointer::Pool;
    use crate::pointer::boxed::PoolBox;

    /// As its element.
    impl<T: Serialize + ?Sized, P: AnyPool + Pool<T>> Serialize for AnyBox<T, P> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            (**self).serialize(serializer)
        }
    }

    /// Reads an element into a slot, as a [`PoolBox`] does.
    impl<'de, T: Deserialize<'de>, P: AnyPool + Pool<T>> Deserialize<'de> for AnyBox<T, P> {
        #[track_caller]
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            PoolBox::deserialize(deserializer).map(Self::from)
        }

        fn deserialize_in_place<D: Deserializer<'de>>(
            deserializer: D,
            place: &mut Self,
        ) -> Result<(), D::Error> {
            T::deserialize_in_place(deserializer, place)
        }
    }
}
