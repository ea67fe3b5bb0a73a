//! `dyn Any` and `dyn Error` become a type again; and closures that are called once.

use core::any::Any;
use core::error::Error;
use core::fmt;
use core::mem::ManuallyDrop;
use core::ptr;

use crate::derived::any::{Arc, Box, Rc, SendBox};

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

/// A closure that is called once with a `&mut W`, lent anew for each call: `Box<dyn FnOnce(&mut W) -> R>`.
///
/// Stable Rust lets `std`'s `Box` alone call a `FnOnce` by value. (`Fn` and `FnMut` need no type of their own: a `Box<dyn
/// FnMut(u32)>` of this module is called as it is.) There is one slot for the closure, and a call goes through its vtable
/// once. A closure that is not called is dropped.
///
/// A game's commands take its world. Several arguments are a tuple, and `()` stands for none. The closure borrows nothing, so a field
/// needs no lifetime: write `move` if the closure is to own what it uses. It stays on its thread.
/// (A job that leaves it: `SendBox<dyn FnMut() + Send>`.)
///
/// Name the world, by an alias or `BoxFnOnce::<World>::new`: the compiler does not infer it from where the box goes.
///
/// # Examples
///
/// ```
/// use typed_pool::any;
///
/// #[derive(Default)]
/// struct World { names: Vec<String>, queue: Vec<Command> }
/// type Command = any::BoxFnOnce<World>;
///
/// let (mut world, name) = (World::default(), String::from("Grendel"));
/// world.queue.push(Command::new(|world| world.names.push(name)));
/// world.queue.push(Command::new(|world| world.names.clear()));
/// for command in std::mem::take(&mut world.queue).into_iter().rev() {
///     command.call(&mut world);
/// }
/// assert_eq!(world.names, ["Grendel"]);
/// ```
pub struct BoxFnOnce<W: ?Sized, R = ()>(Box<dyn FnMut(&mut W) -> R>);

impl<W: ?Sized, R> BoxFnOnce<W, R> {
    /// Puts a closure into a slot.
    ///
    /// # Examples
    ///
    /// See [`BoxFnOnce`].
    #[inline]
    #[track_caller]
    #[must_use]
    pub fn new<F: FnOnce(&mut W) -> R + 'static>(f: F) -> Self {
        // SAFETY: `BoxFnOnce::call` calls this a single time, and does not drop what is moved out here.
        let call = move |world: &mut W| (unsafe { ptr::read(&raw const f) })(world);
        Self(crate::unsize!(Box::new(call) => dyn FnMut(&mut W) -> R))
    }

    /// Calls the closure. Its slot goes back when it has returned, or panicked.
    ///
    /// # Panics
    ///
    /// If the closure does.
    ///
    /// # Examples
    ///
    /// See [`BoxFnOnce`].
    #[inline]
    pub fn call(self, world: &mut W) -> R {
        // The closure is moved out when it is called. So it is not dropped here, and only its slot goes back.
        let call = Box::into_raw(self.0) as *mut ManuallyDrop<dyn FnMut(&mut W) -> R>;
        // SAFETY: 1. it has just come from `into_raw`, and has the same layout; 2. it is used no more.
        let mut call = unsafe { Box::from_raw(call) };
        call(world)
    }
}

impl<W: ?Sized, R> fmt::Debug for BoxFnOnce<W, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoxFnOnce")
    }
}
