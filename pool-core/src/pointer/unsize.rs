//! `unsize!`: from a pointer to an element to one to a trait object, or to a slice, on stable Rust.

use core::marker::PhantomData;
use core::ops::Deref;
use core::pin::Pin;
use core::ptr::NonNull;

use crate::pointer::PoolMarker;
use crate::pointer::boxed::PoolBox;

/// Turns a pointer to an element into one to a trait object, or a pointer to an array into one to a slice, as the compiler does for
/// `Box` by itself.
///
/// `unsize!(pointer => dyn Trait)`, for a [`PoolBox`], a [`PoolRc`](crate::PoolRc), a [`PoolArc`](crate::PoolArc) and their weak
/// pointers, and for a [`Pin`] of one. The pointer becomes two words; the element stays where it is. In a type's own pool, the
/// trait needs [`PoolObject`](crate::PoolObject) as its supertrait.
///
/// It is a coercion, as `let object: &dyn Trait = &element` is one. A trait object can be turned into one of a supertrait where the
/// compiler allows it (Rust 1.86). A type that is not `Send` does not become `Send`.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, PoolObject, Pooled, unsize};
///
/// trait Enemy: PoolObject {
///     fn attack(&mut self) -> u64;
/// }
///
/// #[derive(Pooled)]
/// struct Orc { strength: u64 }
///
/// impl Enemy for Orc {
///     fn attack(&mut self) -> u64 { self.strength }
/// }
///
/// let orc = PoolBox::new(Orc { strength: 7 });
/// let mut enemy: PoolBox<dyn Enemy> = unsize!(orc => dyn Enemy);
/// assert_eq!(enemy.attack(), 7);
/// assert_eq!(size_of_val(&enemy), 2 * size_of::<usize>());
/// drop(enemy);
/// assert_eq!(Orc::pool_stats().live, 0);
/// ```
#[macro_export]
macro_rules! unsize {
    ($pointer:expr => $Target:ty $(,)?) => {
        match $crate::__private::coerced(
            $crate::__private::PhantomData::<$Target>,
            $pointer,
            |__element: *mut _| __element,
        ) {
            // SAFETY: the closure above returns its argument, at most by a coercion.
            (__pointer, __coerce, __unsize) => unsafe { __unsize(__pointer, __coerce) },
        }
    };
}

/// Returns the pointer, the coercion and [`Unsize::unsize`]. So the macro has no bound of its own, and one mistake is one error.
///
/// Tells the compiler which types the closure has, before it looks at what becomes of its argument.
#[doc(hidden)]
#[inline(always)]
pub fn coerced<P, T, U, To, F>(
    _of: PhantomData<U>,
    pointer: P,
    coerce: F,
) -> (P, F, unsafe fn(P, F) -> To)
where
    P: Unsize<T, U, To>,
    T: ?Sized,
    U: ?Sized,
    F: FnOnce(*mut T) -> *mut U,
{
    (pointer, coerce, P::unsize)
}

/// A pointer to a `T` that becomes `To`, one to a `U`. All are parameters: of a wrong pointer none is known, so it is one error, and not
/// one more for each use of what is made of it.
///
/// # Safety
///
/// The result points to the same element, which stays where it is.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`unsize!` takes no `{Self}`",
    label = "not a pointer into a pool",
    note = "it takes a `PoolBox`, a `PoolRc`, a `PoolArc`, or a weak one, by value, and a `Pin` of one"
)]
pub unsafe trait Unsize<T: ?Sized, U: ?Sized, To> {
    /// # Safety
    ///
    /// `coerce` returns its argument, at most changed by an unsizing coercion.
    unsafe fn unsize(self, coerce: impl FnOnce(*mut T) -> *mut U) -> To;
}

/// The pointer to an element that has lost its size.
#[inline(always)]
pub(crate) fn unsized_element<T: ?Sized, U: ?Sized>(
    element: NonNull<T>,
    coerce: impl FnOnce(*mut T) -> *mut U,
) -> NonNull<U> {
    let coerced = NonNull::new(coerce(element.as_ptr()));
    let is_same = |coerced: &NonNull<U>| coerced.cast::<()>() == element.cast();
    coerced.filter(is_same).expect("a coercion does not change the address")
}

// SAFETY: the coercion does not change the address, which is checked.
unsafe impl<T: ?Sized, U: ?Sized, P> Unsize<T, U, PoolBox<U, P::Of<U>>> for PoolBox<T, P>
where
    P: PoolMarker<T, Of<U>: PoolMarker<U>>,
{
    #[inline(always)]
    unsafe fn unsize(self, coerce: impl FnOnce(*mut T) -> *mut U) -> PoolBox<U, P::Of<U>> {
        let (element, _) = PoolBox::into_parts(self);
        let element = unsized_element(element, coerce);
        // SAFETY: the box was the element's only one, from this pool, which takes it back as a `U` as well (`PoolMarker`).
        unsafe { PoolBox::of_slot(element, <P::Of<U>>::HERE) }
    }
}

// SAFETY: as for the pointer in it.
unsafe impl<T: ?Sized, U: ?Sized, P: Unsize<T, U, To> + Deref, To: Deref> Unsize<T, U, Pin<To>>
    for Pin<P>
{
    #[inline(always)]
    unsafe fn unsize(self, coerce: impl FnOnce(*mut T) -> *mut U) -> Pin<To> {
        // SAFETY: the element stays where it is, and is out of reach again below.
        let pointer = unsafe { Pin::into_inner_unchecked(self) };
        // SAFETY: the caller's function returns its argument, at most by a coercion.
        let pointer = unsafe { pointer.unsize(coerce) };
        // SAFETY: it was pinned, and is the same element.
        unsafe { Pin::new_unchecked(pointer) }
    }
}
