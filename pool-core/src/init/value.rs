//! Values, closures and arrays as initialisers. A value is made first, and then moved to its place; an array is built element by
//! element.

use core::error::Error;
use core::fmt;
use core::mem;

use crate::base::exhausted::Exhausted;
use crate::init::Init;
use crate::init::field::{Done, fields};

/// An initialiser that moves an existing value to its place.
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

/// Initialises with the result of `f`, which is called when the place is reserved. The value is moved there; an optimised build
/// usually omits the move, but that is not guaranteed.
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
    try_with(move || Ok(f()))
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
    let build = move |place: *mut T| {
        let value = f()?;
        // SAFETY: the place is valid for a write (`Init`).
        unsafe { place.write(value) };
        Ok(())
    };
    // SAFETY: 1. the value is written; 2. nothing is there before it; 3. `f` does not see the place.
    unsafe { from_closure(build) }
}

/// Turns a closure that builds a `T` at a given place into an initialiser: for code that [`init!`](crate::init!) and the other
/// functions here cannot express, such as a C library's constructor.
///
/// # Errors
///
/// The initialiser fails with the error of `build`.
///
/// # Safety
///
/// `build` keeps the promises of [`Init`]: 1. if it returns `Ok`, there is a valid `T` at the place; 2. if it returns `Err` or
/// unwinds, nothing there has to be dropped; 3. it does not read the place before it has written there, nor use it after it
/// has returned. It may rely on what [`Init::init`] is given: a place for a `T` that is aligned, valid and its own.
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

/// The reason why `try_init` returned no box.
///
/// # Examples
///
/// ```
/// use typed_pool::init::TryInitError;
/// use typed_pool::{FreeList, init};
///
/// let pool = FreeList::<u32>::bounded(1);
/// let six = pool.try_init(init::try_with(|| "six".parse()));
/// assert!(matches!(six, Err(TryInitError::Init(_))));
/// let one = pool.try_init(init::value(1)).unwrap();
/// assert!(matches!(pool.try_init(init::value(2)), Err(TryInitError::Exhausted(_))));
/// # drop(one);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum TryInitError<E> {
    /// The pool had no slot; the initialiser has not run.
    Exhausted(Exhausted),
    /// The initialiser failed, and its slot was given back.
    Init(E),
}

impl<E: fmt::Display> fmt::Display for TryInitError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exhausted(exhausted) => exhausted.fmt(f),
            Self::Init(error) => error.fmt(f),
        }
    }
}

impl<E: Error> Error for TryInitError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Exhausted(exhausted) => exhausted.source(),
            Self::Init(error) => error.source(),
        }
    }
}

/// Elements that have been built, which are dropped unless all others are built: the last one first.
pub(crate) struct Built<T> {
    pub(crate) first: *mut T,
    pub(crate) count: usize,
}

impl<T> Built<T> {
    /// Returns the address for the next element; the end, if there is room for no more.
    #[inline(always)]
    pub(crate) fn next(&self) -> *mut T {
        self.first.wrapping_add(self.count)
    }

    /// One more element.
    ///
    /// # Safety
    ///
    /// Adds an element, for which there is room.
    #[inline(always)]
    #[cfg(feature = "alloc")]
    pub(crate) unsafe fn push(&mut self, element: T) {
        // SAFETY: the place is the array's (caller), and no element is there yet.
        unsafe { self.next().write(element) };
        self.count += 1;
    }
}

impl<T> Drop for Built<T> {
    fn drop(&mut self) {
        while let Some(last) = self.count.checked_sub(1) {
            self.count = last;
            // Dropped, with those before this one, if its destructor unwinds.
            let others = Self { first: self.first, count: last };
            // SAFETY: it was built, and has just left the count.
            unsafe { others.next().drop_in_place() };
            mem::forget(others);
        }
    }
}

/// An array whose element `i` is built by the initialiser `element(i)`: in place, however large the
/// elements are.
///
/// If one fails or unwinds, those before it are dropped, the last one first.
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, init};
///
/// struct Layer { depth: usize, cells: [u8; 4096] }
///
/// let pool = FreeList::<[Layer; 16]>::new();
/// let Ok(layers) = pool.init(init::array(|depth| init!(Layer { depth, cells <- init::zeroed() })));
/// assert_eq!(layers[15].depth, 15);
/// ```
#[inline]
pub fn array<T, E, I: Init<T, E>, const N: usize>(
    mut element: impl FnMut(usize) -> I,
) -> impl Init<[T; N], E> {
    let build = move |place: *mut [T; N]| {
        let mut built = Built { first: place.cast::<T>(), count: 0 };
        while built.count < N {
            let element = element(built.count);
            // SAFETY: the place has room for the array (`Init`), and fewer than `N` elements are built.
            unsafe { element.init(built.next()) }?;
            built.count += 1;
        }
        mem::forget(built);
        Ok(())
    };
    // SAFETY: 1. it ends with `N` elements built; 2. until then it drops those that are; 3. elements are built by initialisers, and no
    // pointer is kept.
    unsafe { from_closure(build) }
}

/// An array whose element `i` is the value `f(i)`.
///
/// The array is built in place; each element is made by `f` and moved there.
/// If `f` unwinds, the elements before are dropped, the last one first.
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, init};
///
/// let pool = FreeList::<[usize; 1000]>::new();
/// let Ok(squares) = pool.init(init::from_fn(|i| i * i));
/// assert_eq!(squares[30], 900);
/// ```
#[inline]
pub fn from_fn<T, const N: usize>(mut f: impl FnMut(usize) -> T) -> impl Init<[T; N]> {
    array(move |i| value(f(i)))
}
