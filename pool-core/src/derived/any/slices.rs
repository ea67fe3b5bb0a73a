//! Boxes and shared pointers of slices and of text, as `std`'s `Box`, `Rc` and `Arc` make them.

use alloc::alloc::handle_alloc_error;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::mem::ManuallyDrop;
use core::ptr::{self, NonNull};

use crate::base::pointer_traits::{IntoIter, slice_traits};
use crate::derived::any::{AnyBox, AnyPool, Arc, Rc};
use crate::derived::by_layout;
use crate::pointer::Pool;
use crate::pointer::boxed::PoolBox;

/// Copies what is there into one slot, or one block of the heap.
///
/// # Safety
///
/// It is the caller's, and used no more unless it may be copied.
#[track_caller]
pub(super) unsafe fn copied<O: ?Sized, P: AnyPool + Pool<O>>(original: &O) -> PoolBox<O, P> {
    let layout = Layout::for_value(original);
    let room = by_layout::acquire::<O, P>(layout).unwrap_or_else(|| handle_alloc_error(layout));
    let mut copy = NonNull::from(original);
    let address = (&raw mut copy).cast::<NonNull<u8>>();
    // SAFETY: a pointer is larger than its address, which it begins with, as is checked below.
    unsafe { address.write(room) };
    assert!(copy.cast() == room, "a pointer begins with its address");
    let original = ptr::from_ref(original).cast::<u8>();
    // SAFETY: there is room for it, which is nobody else's.
    unsafe { room.as_ptr().copy_from_nonoverlapping(original, layout.size()) };
    // SAFETY: the room came from these pools, and holds what was copied, to which the pointer leads with its own metadata.
    unsafe { PoolBox::of_slot(copy, P::default()) }
}

/// Moves the elements into one slot, or one block of the heap.
#[track_caller]
fn moved<T, P: AnyPool + Pool<[T]>>(mut elements: Vec<T>) -> PoolBox<[T], P> {
    // SAFETY: they are given up below.
    let moved = unsafe { copied(&*elements) };
    // SAFETY: they are moved out.
    unsafe { elements.set_len(0) };
    moved
}

/// How a pointer to a slice is made. The name is what examples call it.
macro_rules! slices {
    ($name:literal: [$($parameters:tt)*] $Pointer:ty) => {
        impl<$($parameters)*> From<Vec<T>> for $Pointer {
            /// Moves the elements into one slot, or one block of the heap.
            ///
            /// # Examples
            ///
            /// ```
            /// use typed_pool::any;
            ///
            #[doc = concat!("let names: ", $name, "<[String]> = vec![String::from(\"Grendel\")].into();")]
            /// assert_eq!(names[0], "Grendel");
            /// ```
            #[track_caller]
            fn from(elements: Vec<T>) -> Self {
                moved(elements).into()
            }
        }

        impl<$($parameters)*> FromIterator<T> for $Pointer {
            /// # Examples
            ///
            /// ```
            /// use typed_pool::any;
            ///
            #[doc = concat!("let squares: ", $name, "<[u32]> = (0..5).map(|n| n * n).collect();")]
            /// assert_eq!(*squares, [0, 1, 4, 9, 16]);
            /// ```
            #[track_caller]
            fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
                elements.into_iter().collect::<Vec<_>>().into()
            }
        }

        impl<$($parameters)*, const N: usize> From<[T; N]> for $Pointer {
            #[track_caller]
            fn from(elements: [T; N]) -> Self {
                Vec::from(elements).into()
            }
        }

        impl<$($parameters)*> From<&[T]> for $Pointer
        where
            T: Clone,
        {
            #[track_caller]
            fn from(elements: &[T]) -> Self {
                elements.to_vec().into()
            }
        }

        impl<$($parameters)*> Default for $Pointer {
            #[track_caller]
            fn default() -> Self {
                Vec::new().into()
            }
        }
    };
}

slices! { "any::Box": [T, P: AnyPool + Pool<[T]>] AnyBox<[T], P> }
slices! { "any::Rc": [T] Rc<[T]> }
slices! { "any::Arc": [T] Arc<[T]> }

/// How a pointer to text is made. The name is what examples call it.
macro_rules! text {
    ($name:literal: [$($parameters:tt)*] $Pointer:ty) => {
        impl<$($parameters)*> From<&str> for $Pointer {
            /// # Examples
            ///
            /// ```
            /// use typed_pool::any;
            ///
            #[doc = concat!("let name: ", $name, "<str> = \"Grendel\".into();")]
            /// assert_eq!(&*name, "Grendel");
            /// ```
            #[track_caller]
            #[inline]
            fn from(text: &str) -> Self {
                // SAFETY: text may be copied.
                unsafe { copied(text) }.into()
            }
        }

        impl<$($parameters)*> From<String> for $Pointer {
            #[track_caller]
            #[inline]
            fn from(text: String) -> Self {
                Self::from(&*text)
            }
        }

        impl<$($parameters)*> From<Cow<'_, str>> for $Pointer {
            #[track_caller]
            #[inline]
            fn from(text: Cow<'_, str>) -> Self {
                Self::from(&*text)
            }
        }

        impl<$($parameters)*> Default for $Pointer {
            #[track_caller]
            #[inline]
            fn default() -> Self {
                Self::from("")
            }
        }
    };
}

text! { "any::Box": [P: AnyPool + Pool<str>] AnyBox<str, P> }
text! { "any::Rc": [] Rc<str> }
text! { "any::Arc": [] Arc<str> }

impl<T, P: AnyPool + Pool<[T]>> From<AnyBox<[T], P>> for Vec<T> {
    /// Moves the elements to the heap, where a vector has them.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::any;
    ///
    /// let names: any::Box<[String]> = ["Grendel"].map(String::from).into();
    /// assert_eq!(Vec::from(names), ["Grendel"]);
    /// ```
    #[track_caller]
    fn from(elements: AnyBox<[T], P>) -> Self {
        let mut moved = Self::with_capacity(elements.len());
        let len = elements.len();
        // SAFETY: there is room for them all.
        unsafe { PoolBox::move_to(PoolBox::<[T], P>::from(elements), moved.as_mut_ptr().cast()) };
        // SAFETY: so many were moved in.
        unsafe { moved.set_len(len) };
        moved
    }
}

slice_traits!([T, P: AnyPool + Pool<[T]>] AnyBox<[T], P>);

impl<T, P: AnyPool + Pool<[T]> + Pool<[ManuallyDrop<T>]>> IntoIterator for AnyBox<[T], P> {
    type Item = T;
    type IntoIter = IntoIter<T, AnyBox<[ManuallyDrop<T>], P>>;

    /// The elements, by value. They stay where they are until each is taken.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::any;
    ///
    /// let names: any::Box<[String]> = ["Grendel", "Beowulf"].map(String::from).into();
    /// assert_eq!(names.into_iter().rev().collect::<Vec<_>>(), ["Beowulf", "Grendel"]);
    /// ```
    fn into_iter(self) -> Self::IntoIter {
        let elements = AnyBox::into_raw(self) as *mut [ManuallyDrop<T>];
        // SAFETY: 1. it has just come from `into_raw`, and has the same layout; 2. it is used no more.
        let room = unsafe { AnyBox::from_raw(elements) };
        // SAFETY: the box drops none of them.
        unsafe { IntoIter::new(room) }
    }
}

impl<T: Clone, P: AnyPool + Pool<[T]>> Clone for AnyBox<[T], P> {
    #[track_caller]
    fn clone(&self) -> Self {
        Self::from(&**self)
    }

    #[track_caller]
    fn clone_from(&mut self, source: &Self) {
        if self.len() == source.len() {
            self.clone_from_slice(source);
        } else {
            *self = source.clone();
        }
    }
}

impl<P: AnyPool + Pool<str>> From<AnyBox<str, P>> for String {
    #[track_caller]
    fn from(text: AnyBox<str, P>) -> Self {
        Self::from(&*text)
    }
}

impl<P: AnyPool + Pool<str>> Clone for AnyBox<str, P> {
    #[track_caller]
    fn clone(&self) -> Self {
        Self::from(&**self)
    }

    // The provided one calls `clone` from a line of `core`.
    #[track_caller]
    fn clone_from(&mut self, source: &Self) {
        *self = source.clone();
    }
}
