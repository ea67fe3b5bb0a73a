//! Objects of any trait: boxes become them, errors are put into them, and `dyn Any` and `dyn Error` become a type again.

use core::any::Any;
use core::error::Error;

use crate::derived::any::{AnyBox, AnyPool, Arc, Box, Rc, SendBox};
use crate::pointer::boxed::PoolBox;
use crate::pointer::unsize::{Unsize, UnsizeTo};
use crate::unsize;

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

impl<'a, E: Error + 'a> From<E> for Box<dyn Error + 'a> {
    /// Any error, for `?`. (Of a text there is none, as `std` has it for its own `Box`: only `std` can tell that a text is not
    /// an error already.)
    #[inline]
    #[track_caller]
    fn from(error: E) -> Self {
        unsize!(Box::new(error) => dyn Error + 'a)
    }
}

impl<'a, E: Error + Send + Sync + 'a, P> From<E> for AnyBox<dyn Error + Send + Sync + 'a, P>
where
    P: AnyPool<E> + AnyPool<dyn Error + Send + Sync + 'a>,
{
    /// Any error, for `?`, which may leave the thread in a [`SendBox`].
    #[inline]
    #[track_caller]
    fn from(error: E) -> Self {
        unsize!(AnyBox::<E, P>::new(error) => dyn Error + Send + Sync + 'a)
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
    SendBox<dyn Any>, SendBox<dyn Any + Send>, SendBox<dyn Any + Send + Sync>
}

downcast! {
    Error, "{error::Error, fmt}", "std::str::Utf8Error", "fmt::Error", "fmt::Error":
    Box<dyn Error>, Box<dyn Error + Send>, Box<dyn Error + Send + Sync>, SendBox<dyn Error + Send + Sync>
}

impl Rc<dyn Any> {
    /// The pointer to the type, if that is what the object is of.
    ///
    /// # Errors
    ///
    /// The pointer as it was, if it is to another type.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::any::Any;
    /// use typed_pool::{any, unsize};
    ///
    /// let object: any::Rc<dyn Any> = unsize!(any::Rc::new(7_u32) => dyn Any);
    /// let object = object.downcast::<String>().unwrap_err();
    /// assert_eq!(*object.downcast::<u32>().unwrap(), 7);
    /// ```
    pub fn downcast<T: Any>(self) -> Result<Rc<T>, Self> {
        if !(*self).is::<T>() {
            return Err(self);
        }
        let element = Self::into_raw(self).cast();
        // SAFETY: 1. it came from `into_raw`, and is a `T`; 2. it is used no more.
        Ok(unsafe { Rc::from_raw(element) })
    }
}

impl Arc<dyn Any + Send + Sync> {
    /// The pointer to the type, if that is what the object is of.
    ///
    /// # Errors
    ///
    /// The pointer as it was, if it is to another type.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::any::Any;
    /// use typed_pool::{any, unsize};
    ///
    /// let object = unsize!(any::Arc::new(7_u32) => dyn Any + Send + Sync);
    /// let object = object.downcast::<String>().unwrap_err();
    /// assert_eq!(*object.downcast::<u32>().unwrap(), 7);
    /// ```
    pub fn downcast<T: Any + Send + Sync>(self) -> Result<Arc<T>, Self> {
        if !(*self).is::<T>() {
            return Err(self);
        }
        let element = Self::into_raw(self).cast();
        // SAFETY: 1. it came from `into_raw`, and is a `T`; 2. it is used no more.
        Ok(unsafe { Arc::from_raw(element) })
    }
}
