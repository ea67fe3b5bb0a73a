//! Boxes and shared pointers of slices and of text, as `std`'s `Box`, `Rc` and `Arc` make them.

use alloc::alloc::handle_alloc_error;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::mem::ManuallyDrop;
use core::ptr::{self, NonNull};

use crate::base::pointer_traits::{IntoIter, slice_traits};
use crate::derived::any::{AnyBox, AnyPool};
use crate::derived::by_layout::AnyLength;
use crate::derived::rc::{Count, CountedPool, RefCounted};
use crate::pointer::boxed::PoolBox;
use crate::pointer::pool::Pool;

/// Room for as many elements as there are, in pools with counts or without.
#[track_caller]
fn room_for<T, P: AnyLength>(elements: &[T]) -> NonNull<[T]> {
    let layout = Layout::for_value(elements);
    let room = P::default().room::<[T]>(layout).unwrap_or_else(|| handle_alloc_error(layout));
    NonNull::slice_from_raw_parts(room.cast(), elements.len())
}

/// Moves the elements into one slot, or one block of the heap.
#[track_caller]
fn moved<T, P: AnyLength + Pool<[T]>>(mut elements: Vec<T>) -> PoolBox<[T], P> {
    let room = room_for::<T, P>(&elements);
    let first = room.cast::<T>().as_ptr();
    // SAFETY: there is room for them all, which is nobody else's.
    unsafe { first.copy_from_nonoverlapping(elements.as_ptr(), elements.len()) };
    // SAFETY: they are moved out.
    unsafe { elements.set_len(0) };
    // SAFETY: the room came from these pools, and holds the elements.
    unsafe { PoolBox::of_slot(room, P::default()) }
}

/// Copies the text into one slot, or one block of the heap.
#[track_caller]
fn copied<P: AnyLength + Pool<str>>(text: &str) -> PoolBox<str, P> {
    let room = room_for::<u8, P>(text.as_bytes());
    let first = room.cast::<u8>().as_ptr();
    // SAFETY: there is room for all bytes, which is nobody else's.
    unsafe { first.copy_from_nonoverlapping(text.as_ptr(), text.len()) };
    let text = ptr::slice_from_raw_parts_mut(first, text.len()) as *mut str;
    // SAFETY: it is not null.
    let text = unsafe { NonNull::new_unchecked(text) };
    // SAFETY: the room came from these pools, and holds the text.
    unsafe { PoolBox::of_slot(text, P::default()) }
}

/// How a pointer to a slice is made. The name is what examples call it.
macro_rules! slices {
    ($name:literal: [$($parameters:tt)*] $Pointer:ty) => {
        #[allow(private_bounds, reason = "that is what seals it")]
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

        #[allow(private_bounds, reason = "that is what seals it")]
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

        #[allow(private_bounds, reason = "that is what seals it")]
        impl<$($parameters)*, const N: usize> From<[T; N]> for $Pointer {
            #[track_caller]
            fn from(elements: [T; N]) -> Self {
                Vec::from(elements).into()
            }
        }

        #[allow(private_bounds, reason = "that is what seals it")]
        impl<$($parameters)*> From<&[T]> for $Pointer
        where
            T: Clone,
        {
            #[track_caller]
            fn from(elements: &[T]) -> Self {
                elements.to_vec().into()
            }
        }

        #[allow(private_bounds, reason = "that is what seals it")]
        impl<$($parameters)*> Default for $Pointer {
            #[track_caller]
            fn default() -> Self {
                Vec::new().into()
            }
        }
    };
}

slices! { "any::Box": [T, P: AnyLength + AnyPool<[T]>] AnyBox<[T], P> }
slices! { "any::Rc": [T, C: Count, P: AnyLength + CountedPool<[T], C>] RefCounted<[T], C, P> }

/// How a pointer to text is made. The name is what examples call it.
macro_rules! text {
    ($name:literal: [$($parameters:tt)*] $Pointer:ty) => {
        #[allow(private_bounds, reason = "that is what seals it")]
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
            fn from(text: &str) -> Self {
                copied(text).into()
            }
        }

        #[allow(private_bounds, reason = "that is what seals it")]
        impl<$($parameters)*> From<String> for $Pointer {
            #[track_caller]
            fn from(text: String) -> Self {
                Self::from(&*text)
            }
        }

        #[allow(private_bounds, reason = "that is what seals it")]
        impl<$($parameters)*> From<Cow<'_, str>> for $Pointer {
            #[track_caller]
            fn from(text: Cow<'_, str>) -> Self {
                Self::from(&*text)
            }
        }

        #[allow(private_bounds, reason = "that is what seals it")]
        impl<$($parameters)*> Default for $Pointer {
            #[track_caller]
            fn default() -> Self {
                Self::from("")
            }
        }
    };
}

text! { "any::Box": [P: AnyLength + AnyPool<str>] AnyBox<str, P> }
text! { "any::Rc": [C: Count, P: AnyLength + CountedPool<str, C>] RefCounted<str, C, P> }

impl<T, P: AnyPool<[T]>> From<AnyBox<[T], P>> for Vec<T> {
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
        unsafe { PoolBox::move_to(AnyBox::renamed(elements), moved.as_mut_ptr().cast()) };
        // SAFETY: so many were moved in.
        unsafe { moved.set_len(len) };
        moved
    }
}

slice_traits!([T, P: AnyPool<[T]>] AnyBox<[T], P>);

impl<T, P: AnyPool<[T]> + AnyPool<[ManuallyDrop<T>]>> IntoIterator for AnyBox<[T], P> {
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

#[allow(private_bounds, reason = "that is what seals it")]
impl<T: Clone, P: AnyLength + AnyPool<[T]>> Clone for AnyBox<[T], P> {
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

impl<P: AnyPool<str>> From<AnyBox<str, P>> for String {
    #[track_caller]
    fn from(text: AnyBox<str, P>) -> Self {
        Self::from(&*text)
    }
}

#[allow(private_bounds, reason = "that is what seals it")]
impl<P: AnyLength + AnyPool<str>> Clone for AnyBox<str, P> {
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
