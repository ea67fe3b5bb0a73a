//! The functions to which `init!` expands. The macro only names fields; all else is here.

use core::cell::Cell;
use core::convert::Infallible;
use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::init::{Init, Zeroable, Zeroed};

/// Proof that every field of a struct has been built.
///
/// The macro's closure returns it, so a `return` in a user's expression cannot end the closure as
/// if it had succeeded: there is no safe way to have one.
pub struct Done(());

impl Done {
    /// # Safety
    ///
    /// The struct at the closure's place is complete.
    #[inline(always)]
    #[must_use]
    pub unsafe fn new() -> Self {
        Self(())
    }
}

struct Fields<T, E, F> {
    build: F,
    marker: PhantomData<fn(*mut T) -> E>,
}

// SAFETY: 1. and 2. `Done` says so, or guards drop what was built (`Guard`). 3. The macro's closure reads nothing, and
// hands out the address at most; that of `from_closure` keeps the contract (caller).
unsafe impl<T, E, F: FnOnce(*mut T) -> Result<Done, E>> Init<T, E> for Fields<T, E, F> {
    #[inline]
    unsafe fn init(self, place: *mut T) -> Result<(), E> {
        (self.build)(place).map(|Done(())| ())
    }
}

/// The initialiser that runs `build`.
#[inline(always)]
pub fn fields<T, E>(build: impl FnOnce(*mut T) -> Result<Done, E>) -> impl Init<T, E> {
    Fields { build, marker: PhantomData }
}

/// The place, for `&this in`. A number of bytes, to those who write no `unsafe` of their own.
#[inline(always)]
#[must_use]
pub fn this<T>(place: *mut T) -> NonNull<T> {
    NonNull::new(place).expect("a place is not null")
}

/// The value of a struct expression.
pub struct Whole<T>(pub T);

impl<T> Whole<T> {
    /// As a method's receiver the expression is of its own type: nothing is expected, hence nothing coerced.
    #[must_use]
    pub fn itself(self) -> Self {
        self
    }
}

/// A place for code that is checked and never called: struct expressions, and references to the fields. The compiler refuses a reference to an
/// unaligned field.
#[inline(always)]
pub fn check<T>(_place: *mut T, _checked: impl FnOnce(&T)) {}

/// Tells the compiler what `_place` points to, by a struct expression.
pub fn whole<T>(_place: *mut T, _whole: Whole<T>) {}

/// Code behind this is never reached, and so moves nothing: the base of a struct expression may have a destructor.
/// (A lint for code that is not reached looks at `!`.)
#[allow(clippy::must_use_candidate, reason = "a statement of `init!`")]
pub fn never() -> Infallible {
    unreachable!("only type-checked")
}

/// A value for an expression that is never evaluated.
#[must_use]
pub fn absent<T>() -> T {
    unreachable!("only type-checked")
}

/// A value for a field of what `_place` points to. If there is no such field, its type is an error, and so the type of the place is one: the
/// compiler says no more of either.
#[must_use]
pub fn absent_of<T, F: FieldOf<T>>(_place: *mut F::Whole) -> F {
    absent()
}

/// `T`, unless the field's type is an error.
pub trait FieldOf<T> {
    /// `T`.
    type Whole;
}

impl<T, F> FieldOf<T> for F {
    type Whole = T;
}

/// A field given by value. A struct and not a call: so a value of the wrong type is an error on the
/// user's own expression, without a word about this crate.
pub struct ByValue<F> {
    /// The address of the field.
    pub place: *mut F,
    /// The value for the field.
    pub value: F,
}

impl<F> ByValue<F> {
    /// Moves the value to its place.
    ///
    /// # Safety
    ///
    /// As for [`Init::init`], for the field.
    #[inline(always)]
    pub unsafe fn build(self, done: &Cell<bool>) -> Guard<'_, F> {
        // SAFETY: the place is valid for a write (caller).
        unsafe { self.place.write(self.value) };
        Guard { place: self.place, done }
    }
}

/// A field given by an initialiser.
pub struct ByInit<F, E, I> {
    place: *mut F,
    init: I,
    /// Here so that `build` needs no bound, and one mistake is one error.
    build: unsafe fn(I, *mut F) -> Result<(), E>,
}

/// Safe, so that the user's expression for `init` is not in an `unsafe` block.
#[inline(always)]
#[must_use]
pub fn in_place<F, E, I: Init<F, E>>(place: *mut F, init: I) -> ByInit<F, E, I> {
    ByInit { place, init, build: I::init }
}

impl<F, E, I> ByInit<F, E, I> {
    /// Builds the field.
    ///
    /// # Errors
    ///
    /// The initialiser's.
    ///
    /// # Safety
    ///
    /// As for [`Init::init`], for the field.
    #[inline(always)]
    pub unsafe fn build(self, done: &Cell<bool>) -> Result<Guard<'_, F>, Raised<E>> {
        // SAFETY: the caller has the place, which is uninitialised, valid for writes, and aligned.
        unsafe { (self.build)(self.init, self.place) }.map_err(Raised)?;
        Ok(Guard { place: self.place, done })
    }
}

/// A field that has been built, to be dropped unless all others are.
///
/// Guards are local variables, which are dropped in reverse order.
pub struct Guard<'a, F> {
    place: *mut F,
    /// One flag for all guards of a struct, and not one `forget` for each: the macro then needs no
    /// name for a guard.
    done: &'a Cell<bool>,
}

impl<F> Drop for Guard<'_, F> {
    #[inline(always)]
    fn drop(&mut self) {
        if !self.done.get() {
            // SAFETY: the field was built (`build`), and the struct will not be complete.
            unsafe { self.place.drop_in_place() };
        }
    }
}

/// The error of a field, to be converted into the struct's.
///
/// An error that cannot happen becomes any other, though there is no `From<Infallible>` for it: the
/// inherent method is found before the trait's.
pub struct Raised<E>(E);

impl Raised<Infallible> {
    /// Never called.
    #[inline(always)]
    #[must_use]
    pub fn raise<E>(self) -> E {
        match self.0 {}
    }
}

/// See [`Raised`].
pub trait Raise<Field> {
    /// The error as an `E`.
    fn raise<E: From<Field>>(self) -> E;
}

impl<Field> Raise<Field> for Raised<Field> {
    #[inline(always)]
    fn raise<E: From<Field>>(self) -> E {
        self.0.into()
    }
}

/// Returns a function that fills the struct with zeros before the named fields, for `..init::zeroed()`: so each field is a valid value, and none has
/// to be dropped.
///
/// The duties of its caller are those of [`Init::init`].
#[inline(always)]
pub fn rest<T, R>(_place: *mut T, _rest: R) -> unsafe fn(*mut T)
where
    R: Rest<T>, // only `..init::zeroed()`, or name the other fields
{
    // SAFETY: the place is valid for writes (caller).
    |place| unsafe { place.write_bytes(0, 1) }
}

/// The bound of an expression after `..`.
///
/// # Safety
///
/// All zeros are a valid `T`, which owns nothing.
#[diagnostic::on_unimplemented(
    message = "the fields of `{T}` that are not named cannot be left to `{Self}`",
    label = "only `..init::zeroed()` can stand here",
    note = "fields are not overwritten, so nothing may be built before them: name the others too"
)]
pub unsafe trait Rest<T> {}

// SAFETY: `Zeroable` says so.
unsafe impl<T: Zeroable> Rest<T> for Zeroed<T> {}
