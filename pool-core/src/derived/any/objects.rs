//! Objects of any trait: boxes become them, errors are put into them, and `dyn Any` and `dyn Error` become a type again.

use alloc::boxed::Box as HeapBox;
use core::any::Any;
use core::error::Error;
use core::mem::ManuallyDrop;

use crate::derived::any::slices::copied;
use crate::derived::any::{AnyBox, AnyPool, Arc, Box, Rc, SendBox};
use crate::pointer::boxed::PoolBox;
use crate::pointer::unsize::{Unsize, UnsizeTo};

impl<T: ?Sized, P: AnyPool<T>> Unsize for AnyBox<T, P> {
    type Element = T;
    type Itself = Self;
}

// SAFETY: as for the box in it.
unsafe impl<T: ?Sized, U: ?Sized, P: AnyPool<T> + AnyPool<U>> UnsizeTo<U> for AnyBox<T, P> {
    type To = AnyBox<U, P>;

    #[inline(always)]
    unsafe fn unsize(self, coerce: impl FnOnce(*mut T) -> *mut U) -> AnyBox<U, P> {
        let boxed = PoolBox::from(self);
        // SAFETY: passed on from the caller.
        AnyBox::from(unsafe { boxed.unsize(coerce) })
    }
}

/// Moves what an object is made of from its block of the heap into a slot.
#[track_caller]
fn moved<O: ?Sized, P: AnyPool<O>>(object: HeapBox<O>) -> AnyBox<O, P> {
    // SAFETY: it is given up below.
    let moved = unsafe { copied(&*object) };
    // SAFETY: the element is moved out, and what its layout tells has the same layout.
    drop(unsafe { HeapBox::from_raw(HeapBox::into_raw(object) as *mut ManuallyDrop<O>) });
    AnyBox::of(moved)
}

impl<'a, E: Into<HeapBox<dyn Error + 'a>>> From<E> for Box<dyn Error + 'a> {
    /// Any error, for `?`, a `&str`, a `String`, or a `Box` of the heap: whatever becomes a `Box<dyn Error>` of `std`.
    ///
    /// The element is made as `std` makes it, in a block of the heap, and is moved into a slot from there: that a text is not an error
    /// already, only `std` can tell.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::error::Error;
    /// use typed_pool::any;
    ///
    /// fn number(text: &str) -> Result<u32, any::Box<dyn Error>> {
    ///     let number = text.parse()?;
    ///     if number > 9 { Err("too large") } else { Ok(number) }?;
    ///     Ok(number)
    /// }
    ///
    /// assert!(number("x").unwrap_err().is::<std::num::ParseIntError>());
    /// assert_eq!(number("10").unwrap_err().to_string(), "too large");
    /// ```
    #[inline]
    #[track_caller]
    fn from(error: E) -> Self {
        moved(error.into())
    }
}

impl<'a, E: Into<HeapBox<dyn Error + Send + Sync + 'a>>, P> From<E>
    for AnyBox<dyn Error + Send + Sync + 'a, P>
where
    P: AnyPool<dyn Error + Send + Sync + 'a>,
{
    /// As for a `Box<dyn Error>`; what is in a [`SendBox`] may leave the thread.
    #[inline]
    #[track_caller]
    fn from(error: E) -> Self {
        moved(error.into())
    }
}

macro_rules! downcast {
    ($Of:path, $use:literal, $other:literal, $type:literal, $value:literal: $($Box:ident<$Object:ty>),*) => {$(
        impl $Box<$Object> {
            /// The box of the type, if that is what the object is of.
            ///
            /// # Errors
            ///
            /// The box as it was, if it is of another type.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use std::", $use, ";")]
            /// use typed_pool::{any, unsize};
            ///
            #[doc = concat!("let object = any::", stringify!($Box), "::new(", $value, ");")]
            #[doc = concat!("let object = unsize!(object => ", stringify!($Object), ");")]
            #[doc = concat!("let object = object.downcast::<", $other, ">().unwrap_err();")]
            #[doc = concat!("assert_eq!(*object.downcast::<", $type, ">().unwrap(), ", $value, ");")]
            /// ```
            pub fn downcast<T: $Of + 'static>(self) -> Result<$Box<T>, Self> {
                if !(*self).is::<T>() {
                    return Err(self);
                }
                let element = Self::into_raw(self).cast();
                // SAFETY: 1. it came from `into_raw`, and is a `T`, whose layout its vtable had; 2. it is used no more.
                Ok(unsafe { $Box::from_raw(element) })
            }
        }
    )*};
}

downcast! {
    Any, "any::Any", "String", "i32", "7":
    Box<dyn Any>, Box<dyn Any + Send>, Box<dyn Any + Send + Sync>,
    SendBox<dyn Any>, SendBox<dyn Any + Send>, SendBox<dyn Any + Send + Sync>,
    Rc<dyn Any>, Arc<dyn Any + Send + Sync>
}

downcast! {
    Error, "{error::Error, fmt}", "std::str::Utf8Error", "fmt::Error", "fmt::Error":
    Box<dyn Error>, Box<dyn Error + Send>, Box<dyn Error + Send + Sync>, SendBox<dyn Error + Send + Sync>
}
