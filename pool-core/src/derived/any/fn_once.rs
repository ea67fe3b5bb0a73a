//! Closures that are called once.

use core::fmt;
use core::mem::ManuallyDrop;
use core::ptr;

use crate::derived::any::Box;

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
pub struct BoxFnOnce<'a, Args, R = ()>(Box<dyn Closure<Args, R> + 'a>);

impl<'a, Args, R> BoxFnOnce<'a, Args, R> {
    /// Puts a closure into a slot.
    ///
    /// # Examples
    ///
    /// See [`BoxFnOnce`].
    #[inline]
    #[track_caller]
    pub fn new<F: Closure<Args, R> + 'a>(f: F) -> Self {
        Self(crate::unsize!(Box::new(f) => dyn Closure<Args, R> + 'a))
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
        // SAFETY: once, and it is not dropped after this.
        once(self.0, |closure| unsafe { closure.call(args) })
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
pub struct BoxFnOnceMut<W: ?Sized, R = ()>(Box<dyn for<'w> Closure<(&'w mut W,), R>>);

impl<W: ?Sized, R> BoxFnOnceMut<W, R> {
    /// Puts a closure into a slot.
    ///
    /// # Examples
    ///
    /// See [`BoxFnOnceMut`].
    #[inline]
    #[track_caller]
    pub fn new<F: FnOnce(&mut W) -> R + 'static>(f: F) -> Self {
        Self(crate::unsize!(Box::new(f) => dyn for<'w> Closure<(&'w mut W,), R>))
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
        // SAFETY: once, and it is not dropped after this.
        once(self.0, |closure| unsafe { closure.call((world,)) })
    }
}

impl<W: ?Sized, R> fmt::Debug for BoxFnOnceMut<W, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoxFnOnceMut")
    }
}

/// Calls with what a box holds, whose slot goes back then, and which is not dropped.
#[inline(always)]
fn once<O: ?Sized, R>(boxed: Box<O>, call: impl FnOnce(&mut O) -> R) -> R {
    let object = Box::into_raw(boxed) as *mut ManuallyDrop<O>;
    // SAFETY: 1. it has just come from `into_raw`, and has the same layout; 2. it is used no more.
    let mut object = unsafe { Box::from_raw(object) };
    call(&mut object)
}

/// A closure that can be called where it lies, once, with a tuple of arguments.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be called once with `{Args}`, or does not return `{R}`",
    label = "not a closure of these arguments",
    note = "the arguments are a tuple of up to six, one for each of the closure's: `BoxFnOnce<(u32,), String>` is what \
            `|number: u32| -> String` becomes"
)]
#[allow(unnameable_types, reason = "for this crate alone")]
pub trait Closure<Args, R> {
    /// Moves the closure out and calls it.
    ///
    /// # Safety
    ///
    /// It is neither used nor dropped after this.
    unsafe fn call(&mut self, args: Args) -> R;
}

macro_rules! closures {
    ($($name:ident $Arg:ident,)*) => {
        impl<F: FnOnce($($Arg),*) -> R, R, $($Arg),*> Closure<($($Arg,)*), R> for F {
            #[inline(always)]
            unsafe fn call(&mut self, ($($name,)*): ($($Arg,)*)) -> R {
                // SAFETY: what is left behind is not used (caller).
                let closure = unsafe { ptr::read(self) };
                closure($($name),*)
            }
        }
    };
}

closures! {}
closures! { a A, }
closures! { a A, b B, }
closures! { a A, b B, c C, }
closures! { a A, b B, c C, d D, }
closures! { a A, b B, c C, d D, e E, }
closures! { a A, b B, c C, d D, e E, g G, }
