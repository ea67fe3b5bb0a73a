//! Objects of any trait: boxes become them, and `dyn Any` and `dyn Error` become a type again; and closures that are called once.

use core::any::Any;
use core::error::Error;
use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ptr;

use crate::derived::any::{AnyBox, AnyPool, Arc, Box, Rc, SendBox};
use crate::pointer::Pool;
use crate::pointer::unsize::{Unsize, unsized_element};

// SAFETY: the coercion does not change the address, which is checked. These pools take the element back as a `U` as well
// (`Pool`).
unsafe impl<T: ?Sized, U: ?Sized, P: AnyPool + Pool<T> + Pool<U>> Unsize<T, U, AnyBox<U, P>>
    for AnyBox<T, P>
{
    #[inline(always)]
    unsafe fn unsize(self, coerce: impl FnOnce(*mut T) -> *mut U) -> AnyBox<U, P> {
        let element = unsized_element(ManuallyDrop::new(self).element, coerce);
        AnyBox { element, marker: PhantomData }
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

/// A closure that is called once, by value, with arguments as a tuple: what `Box<dyn FnOnce(..) -> R>` is.
///
/// Stable Rust lets `std`'s `Box` alone call a `FnOnce` by value. (`Fn` and `FnMut` need no type of their own: a `Box<dyn
/// FnMut(u32)>` of this module is called as it is.) There is one slot for the closure, and a call goes through its vtable
/// once. A closure that is not called is dropped.
///
/// `Args` is a tuple of up to six; `'a` is what the closure may borrow. It stays on its thread.
/// (A job that leaves it: `SendBox<dyn FnMut() + Send>`.)
///
/// A reference among `Args` has one lifetime, which all closures of the type share: a queue of `BoxFnOnce<'a, (&mut World,)>`
/// could call one of them and no more. Where each call lends anew, take a [`BoxFnOnceMut<World>`](BoxFnOnceMut). In a field `'a` is
/// to be written, `'static` if nothing is borrowed: a lifetime has no default.
///
/// # Examples
///
/// ```
/// use typed_pool::any::BoxFnOnce;
///
/// let name = String::from("Grendel");
/// let greet: BoxFnOnce<(&str,), String> = BoxFnOnce::new(move |word: &str| format!("{word}, {name}"));
/// assert_eq!(greet.call(("Hello",)), "Hello, Grendel");
///
/// // With arguments that are known beforehand, the closure's need no types.
/// type Timer<'a> = BoxFnOnce<'a, (u64,)>;
/// let mut fired = 0;
/// let timer = Timer::new(|now| fired = now);
/// timer.call((7,));
/// assert_eq!(fired, 7);
/// ```
pub struct BoxFnOnce<'a, Args, R = ()>(Box<dyn FnMut(Args) -> R + 'a>);

impl<'a, Args, R> BoxFnOnce<'a, Args, R> {
    /// Puts a closure into a slot.
    ///
    /// # Examples
    ///
    /// See [`BoxFnOnce`].
    #[inline]
    #[track_caller]
    pub fn new<F: 'a>(f: F) -> Self
    where
        Args: Arguments<F, R>,
    {
        // SAFETY: `once` calls this a single time, and does not drop what is moved out here.
        let call = move |args: Args| args.call(unsafe { ptr::read(&raw const f) });
        Self(crate::unsize!(Box::new(call) => dyn FnMut(Args) -> R + 'a))
    }

    /// Calls the closure. Its slot goes back when it has returned, or panicked.
    ///
    /// # Panics
    ///
    /// If the closure does.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::any::BoxFnOnce;
    ///
    /// let add = BoxFnOnce::new(|a: i32, b: i32| a + b);
    /// assert_eq!(add.call((1, 2)), 3);
    /// ```
    #[inline]
    pub fn call(self, args: Args) -> R {
        once(self.0, |closure| closure(args))
    }
}

impl<Args, R> fmt::Debug for BoxFnOnce<'_, Args, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoxFnOnce")
    }
}

/// A closure that is called once with a `&mut W`, which each call lends anew: the command of a game to its world.
///
/// What [`BoxFnOnce`] is for other arguments. It borrows nothing, so it needs no lifetime in a field: write `move` if the closure is to own what it
/// uses. It stays on its thread. Nothing limits the pools by layout, so there is no `try_new`.
///
/// # Examples
///
/// ```
/// use typed_pool::any;
///
/// #[derive(Default)]
/// struct World { names: Vec<String>, queue: Vec<Command> }
/// type Command = any::BoxFnOnceMut<World>;
///
/// let (mut world, name) = (World::default(), String::from("Grendel"));
/// world.queue.push(Command::new(|world| world.names.push(name)));
/// world.queue.push(Command::new(|world| world.names.clear()));
/// for command in std::mem::take(&mut world.queue).into_iter().rev() {
///     command.call(&mut world);
/// }
/// assert_eq!(world.names, ["Grendel"]);
/// ```
pub struct BoxFnOnceMut<W: ?Sized, R = ()>(Box<dyn FnMut(&mut W) -> R>);

impl<W: ?Sized, R> BoxFnOnceMut<W, R> {
    /// Puts a closure into a slot.
    ///
    /// # Examples
    ///
    /// See [`BoxFnOnceMut`].
    #[inline]
    #[track_caller]
    pub fn new<F: FnOnce(&mut W) -> R + 'static>(f: F) -> Self {
        // SAFETY: as in `BoxFnOnce`.
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
    /// See [`BoxFnOnceMut`].
    #[inline]
    pub fn call(self, world: &mut W) -> R {
        once(self.0, |closure| closure(world))
    }
}

impl<W: ?Sized, R> fmt::Debug for BoxFnOnceMut<W, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoxFnOnceMut")
    }
}

/// Lends what a box holds to `call`, which moves it out. So it is not dropped here, and only its slot goes back. Nothing else calls
/// the closures of [`BoxFnOnce`] and [`BoxFnOnceMut`].
#[inline(always)]
fn once<O: ?Sized, R>(boxed: Box<O>, call: impl FnOnce(&mut O) -> R) -> R {
    let object = Box::into_raw(boxed) as *mut ManuallyDrop<O>;
    // SAFETY: 1. it has just come from `into_raw`, and has the same layout; 2. it is used no more.
    let mut object = unsafe { Box::from_raw(object) };
    call(&mut object)
}

/// The tuples with which a closure can be called.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{F}` cannot be called once with `{Self}`, or does not return `{R}`",
    label = "not a closure of these arguments",
    note = "the arguments are a tuple of up to six, one for each of the closure's: `BoxFnOnce<(u32,), String>` is what \
            `|number: u32| -> String` becomes"
)]
#[allow(unnameable_types, reason = "for this crate alone")]
pub trait Arguments<F, R> {
    /// Calls it.
    fn call(self, f: F) -> R;
}

macro_rules! arguments {
    ($($name:ident $Arg:ident,)*) => {
        impl<F: FnOnce($($Arg),*) -> R, R, $($Arg),*> Arguments<F, R> for ($($Arg,)*) {
            #[inline(always)]
            fn call(self, f: F) -> R {
                let ($($name,)*) = self;
                f($($name),*)
            }
        }
    };
}

arguments! {}
arguments! { a A, }
arguments! { a A, b B, }
arguments! { a A, b B, c C, }
arguments! { a A, b B, c C, d D, }
arguments! { a A, b B, c C, d D, e E, }
arguments! { a A, b B, c C, d D, e E, g G, }
