//! Values and closures as initialisers. What is made by a value is made first, and then moved to its place.

use crate::init::Init;
use crate::init::field::{Done, fields};

struct With<F>(F);

// SAFETY: 1. the value is written; 2. nothing is there before it; 3. `f` does not see the place.
unsafe impl<T, E, F: FnOnce() -> Result<T, E>> Init<T, E> for With<F> {
    #[inline(always)]
    unsafe fn init(self, place: *mut T) -> Result<(), E> {
        let value = (self.0)()?;
        // SAFETY: the place is valid for a write (caller).
        unsafe { place.write(value) };
        Ok(())
    }
}

/// A value that is there already, and is moved to its place.
///
/// In a struct, `field: value` says the same.
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, init};
///
/// let pool = FreeList::new();
/// let Ok(name) = pool.init(init::value(String::from("Grendel")));
/// assert_eq!(*name, "Grendel");
/// ```
#[inline]
pub fn value<T>(value: T) -> impl Init<T> {
    with(move || value)
}

/// What `f` returns. It is called when the place is reserved, and its value is moved there; an
/// optimised build leaves the move out most of the time, which is not guaranteed.
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, init};
///
/// let pool = FreeList::new();
/// let Ok(numbers) = pool.init(init::with(|| vec![1, 2, 3]));
/// assert_eq!(numbers.len(), 3);
/// ```
#[inline]
pub fn with<T>(f: impl FnOnce() -> T) -> impl Init<T> {
    With(move || Ok(f()))
}

/// [`with`] for an `f` that can fail.
///
/// # Errors
///
/// The initialiser fails with the error of `f`.
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, init};
///
/// let pool = FreeList::<u64>::new();
/// assert_eq!(*pool.init(init::try_with(|| "42".parse())).unwrap(), 42);
/// assert!(pool.init(init::try_with(|| "six".parse())).is_err());
/// ```
#[inline]
pub fn try_with<T, E>(f: impl FnOnce() -> Result<T, E>) -> impl Init<T, E> {
    With(f)
}

/// `T::default()`, as [`with`] makes it.
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, init};
///
/// let pool = FreeList::<[u8; 16]>::new();
/// let Ok(zeros) = pool.init(init::default());
/// assert_eq!(*zeros, [0; 16]);
/// ```
#[inline]
pub fn default<T: Default>() -> impl Init<T> {
    with(T::default)
}

/// The initialiser that a closure is, which builds a `T` at the place that it is given: what [`init!`](crate::init!) and the
/// other functions here cannot say, such as a C library's constructor.
///
/// # Errors
///
/// The initialiser fails with the error of `build`.
///
/// # Safety
///
/// `build` keeps the promises of [`Init`]: 1. if it returns `Ok`, there is a valid `T` at the place; 2. if it returns `Err` or
/// unwinds, nothing there has to be dropped; 3. it does not read the place before it has written there, nor use it after it
/// has returned. It may rely on what [`Init::init`] is given: a place for a `T` that is aligned, valid and nobody else's.
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, Init, init};
///
/// #[repr(C)]
/// struct Context { version: u32, table: [u16; 4096] }
///
/// /// As a C library has it: 0 if all is well.
/// unsafe extern "C" fn context_init(context: *mut Context, version: u32) -> i32 {
///     if version > 2 {
///         return -1;
///     }
///     // SAFETY: the context is the caller's.
///     unsafe { context.write_bytes(0, 1) };
///     // SAFETY: the same.
///     unsafe { (*context).version = version };
///     0
/// }
///
/// fn context(version: u32) -> impl Init<Context, i32> {
///     let build = move |place| {
///         // SAFETY: the place is ours, and large enough for a `Context` (`Init::init`).
///         match unsafe { context_init(place, version) } {
///             0 => Ok(()),
///             error => Err(error),
///         }
///     };
///     // SAFETY: 1. all fields are written if it returns 0; 2. there is nothing to drop; 3. it keeps no pointer.
///     unsafe { init::from_closure(build) }
/// }
///
/// let pool = FreeList::new();
/// assert_eq!(pool.init(context(2)).unwrap().version, 2);
/// assert_eq!(pool.init(context(3)).err(), Some(-1));
/// assert_eq!(pool.stats().live, 0);
/// ```
#[inline]
#[doc(alias = "init_from_closure")]
#[doc(alias = "pin_init_from_closure")]
pub unsafe fn from_closure<T, E>(build: impl FnOnce(*mut T) -> Result<(), E>) -> impl Init<T, E> {
    fields(move |place| {
        build(place)?;
        // SAFETY: the closure says that the `T` is complete, and keeps its word (caller).
        Ok(unsafe { Done::new() })
    })
}
