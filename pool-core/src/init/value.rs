//! Values as initialisers. What is made here is made first, and then moved to its place.

use crate::init::Init;

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
