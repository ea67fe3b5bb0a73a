//! Pointers to elements of any type, in pools by layout: [`Box`] is to `std`'s `Box` what these pools are to the heap.
//!
//! Nothing is derived: an element may be generic, borrow, or come from another crate, and a program or a library
//! changes its imports:
//!
//! | `std` | here | which may leave its thread |
//! |---|---|---|
//! | `Box<T>` | [`Box<T>`](Box) | [`SendBox<T>`](SendBox) |
//! | `Rc<T>`, `Arc<T>` | [`Rc<T>`](Rc) | [`Arc<T>`](Arc) |
//! | `rc::Weak<T>`, `sync::Weak<T>` | [`RcWeak<T>`](RcWeak) | [`ArcWeak<T>`](ArcWeak) |
//! | `Box<dyn FnOnce(&mut W) -> R>` | [`BoxFnOnce<W, R>`](BoxFnOnce) | |
//!
//! `Box<dyn Trait>` is as in `std`, but the compiler coerces `std`'s pointers alone: write
//! [`unsize!(pointer => dyn Trait)`](crate::unsize) where it does so by itself. Text, slices of any length and
//! errors that `?` makes stay in `std`'s pointers.
//!
//! Elements of about one size share a pool ([`ByLayout`] says which sizes there are). A pointer stays on its thread, unless it
//! is of the last column: those have their elements in [`SharedByLayout`].
//!
//! # When to derive instead
//!
//! `#[derive(Pooled)]` gives a type a pool that nothing else uses. Take that where you can name the type:
//!
//! - A dangling pointer, left by a bug in `unsafe` code, sees another element of the same type, and nothing else.
//! - The pool may have a limit and a name, and has statistics of its own.
//! - Its elements lie side by side, without elements of other types between them, and without rounding.
//!
//! Take this module where you cannot: in a library's generic container, for types of other crates, for elements that
//! borrow.
//!
//! # Examples
//!
//! ```
//! use typed_pool::any;
//!
//! struct List<T> { first: Option<any::Box<Node<T>>> }
//! struct Node<T> { value: T, next: Option<any::Box<Node<T>>> }
//!
//! impl<T> List<T> {
//!     fn push(&mut self, value: T) {
//!         let next = self.first.take();
//!         self.first = Some(any::Box::new(Node { value, next }));
//!     }
//! }
//!
//! let text = String::from("a list of borrowed words");
//! let mut words = List { first: None };
//! text.split(' ').for_each(|word| words.push(word));
//! let last = words.first.unwrap();
//! assert_eq!((last.value, last.next.as_ref().unwrap().value), ("words", "borrowed"));
//! # let _ = any::Box::into_inner(last).next;
//! ```

use core::any::Any;
use core::error::Error;
use core::fmt;
use core::mem::ManuallyDrop;
use core::ptr;

use crate::derived::by_layout::{ByLayout, SharedByLayout};
use crate::derived::rc::{Atomic, Count, CountedPool, Plain, RefCounted, RefCountedWeak};
use crate::pointer::Pool;
use crate::pointer::boxed::PoolBox;

pub use crate::derived::by_layout::{AnyPool, Counted};

/// Owns one element of any type: `std`'s `Box`, with the element in its thread's pool for that size.
///
/// One word for a sized element, and covariant in it. Its functions are those of every [`PoolBox`].
///
/// # Examples
///
/// ```
/// use typed_pool::any;
///
/// let mut pair = any::Box::new((1, "one"));
/// pair.0 += 1;
/// assert_eq!(*pair, (2, "one"));
/// assert_eq!(any::Box::into_inner(pair).1, "one");
/// ```
pub type Box<T> = PoolBox<T, ByLayout>;

/// A [`Box`] that leaves its thread, if its element may: it is in the pools by layout of the whole process.
///
/// # Examples
///
/// ```
/// use std::thread;
/// use typed_pool::any;
///
/// let job = any::SendBox::new([1, 2, 3]);
/// let sum = thread::spawn(move || job.iter().sum::<i32>()).join().unwrap();
/// assert_eq!(sum, 6);
/// ```
pub type SendBox<T> = PoolBox<T, SharedByLayout>;

/// One of many owners of an element of any type, all in one thread: `std`'s `Rc`, with the element in the
/// thread's pool for its size.
///
/// One word for a sized element, whose counts lie before it. See [`RefCounted`] for what it can do. What
/// that says about derived pools, a `PoolRc` and `#[pool(rc)]` does not apply: `T` may be of any type.
///
/// # Examples
///
/// ```
/// use std::cell::Cell;
/// use typed_pool::any;
///
/// let text = String::from("borrowed");
/// let shared = any::Rc::new((&*text, Cell::new(1)));
/// let other = any::Rc::clone(&shared);
/// other.1.set(2);
/// assert_eq!((shared.0, shared.1.get(), any::Rc::strong_count(&shared)), ("borrowed", 2, 2));
/// ```
pub type Rc<T> = RefCounted<T, Plain, Counted<ByLayout>>;

/// Does not own the element of an [`Rc`], and can tell whether it is still there: `std::rc::Weak`.
///
/// # Examples
///
/// ```
/// use typed_pool::any;
///
/// struct Node { parent: any::RcWeak<Node>, name: &'static str }
///
/// let root = any::Rc::new(Node { parent: any::RcWeak::new(), name: "root" });
/// let leaf = any::Rc::new(Node { parent: any::Rc::downgrade(&root), name: "leaf" });
/// assert_eq!(leaf.parent.upgrade().map(|parent| parent.name), Some("root"));
/// drop(root);
/// assert!(leaf.parent.upgrade().is_none());
/// # let _ = leaf.name;
/// ```
pub type RcWeak<T> = RefCountedWeak<T, Plain, Counted<ByLayout>>;

/// One of many owners of an element of any type, in any thread: `std`'s `Arc`, with the element in a pool.
///
/// Its slot is one of [`SharedByLayout`]. `Send` and `Sync` if the element is both.
///
/// # Examples
///
/// ```
/// use std::thread;
/// use typed_pool::any;
///
/// let numbers = any::Arc::new(vec![1, 2, 3]);
/// let there = any::Arc::clone(&numbers);
/// let sum = thread::spawn(move || there.iter().sum::<i32>()).join().unwrap();
/// assert_eq!((sum, any::Arc::strong_count(&numbers)), (6, 1));
/// ```
pub type Arc<T> = RefCounted<T, Atomic, Counted<SharedByLayout>>;

/// Does not own the element of an [`Arc`], and can tell whether it is still there: `std::sync::Weak`.
///
/// # Examples
///
/// ```
/// use typed_pool::any;
///
/// let cache = any::Arc::new([0_u8; 256]);
/// let weak: any::ArcWeak<_> = any::Arc::downgrade(&cache);
/// drop(cache);
/// assert!(weak.upgrade().is_none());
/// ```
pub type ArcWeak<T> = RefCountedWeak<T, Atomic, Counted<SharedByLayout>>;

impl<T, C: Count, P: Pool<T>> From<PoolBox<T, P>> for RefCounted<T, C, Counted<P>>
where
    Counted<P>: CountedPool<T, C>,
{
    /// Moves the element into a slot with counts.
    #[track_caller]
    fn from(b: PoolBox<T, P>) -> Self {
        Self::new(PoolBox::into_inner(b))
    }
}

macro_rules! downcast {
    ($Of:path: $($Box:ident<$Object:ty>),*) => {$(
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
            /// use std::any::Any;
            /// use typed_pool::{any, unsize};
            ///
            /// let object = unsize!(any::Box::new(7) => dyn Any);
            /// let object = object.downcast::<String>().unwrap_err();
            /// assert_eq!(*object.downcast::<i32>().unwrap(), 7);
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
    Any: Box<dyn Any>, Box<dyn Any + Send>, Box<dyn Any + Send + Sync>,
    SendBox<dyn Any>, SendBox<dyn Any + Send>, SendBox<dyn Any + Send + Sync>,
    Rc<dyn Any>, Arc<dyn Any + Send + Sync>
}

downcast! {
    Error: Box<dyn Error>, Box<dyn Error + Send>, Box<dyn Error + Send + Sync>,
    SendBox<dyn Error + Send + Sync>
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
