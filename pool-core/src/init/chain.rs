//! Initialisers made of initialisers.

use core::cell::Cell;
use core::marker::PhantomData;

use crate::init::Init;
use crate::init::field::in_place;

struct ChainInit<I, F> {
    first: I,
    then: F,
}

// SAFETY: 1. `first` has built the value, and `then` has left it valid, which is all that a
// `&mut T` allows; 2. `Guard` drops the value; 3. `then` cannot keep its reference.
unsafe impl<T, E, I: Init<T, E>, F: FnOnce(&mut T) -> Result<(), E>> Init<T, E>
    for ChainInit<I, F>
{
    #[inline]
    unsafe fn init(self, place: *mut T) -> Result<(), E> {
        let done = Cell::new(false);
        // SAFETY: passed on from the caller.
        let _guard =
            unsafe { in_place(place, self.first).build(&done) }.map_err(|raised| raised.0)?;
        // SAFETY: `first` has built it, and the guard does not use it before `then` has returned.
        (self.then)(unsafe { &mut *place })?;
        done.set(true);
        Ok(())
    }
}

/// Runs `then` on what `first` has built. If it fails or unwinds, the value is dropped.
///
/// # Errors
///
/// The initialiser fails with the error of `first` or of `then`, which are of one type; where they
/// are not, see [`map_err`].
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, Init, init, try_init};
///
/// struct Table { rows: [u32; 1000], sum: u64 }
///
/// fn table(limit: u64) -> impl Init<Table, String> {
///     let table = try_init!(Table { rows <- init::from_fn(|i| i as u32), sum: 0 } ? String);
///     init::chain(table, move |table| {
///         table.sum = table.rows.iter().map(|&row| u64::from(row)).sum();
///         if table.sum > limit { Err(format!("{} is too much", table.sum)) } else { Ok(()) }
///     })
/// }
///
/// let pool = FreeList::new();
/// assert_eq!(pool.init(table(1_000_000)).unwrap().sum, 499_500);
/// assert_eq!(pool.init(table(1000)).err().unwrap(), "499500 is too much");
/// ```
#[inline]
pub fn chain<T, E>(
    first: impl Init<T, E>,
    then: impl FnOnce(&mut T) -> Result<(), E>,
) -> impl Init<T, E> {
    ChainInit { first, then }
}

struct MapErr<I, F, E> {
    init: I,
    convert: F,
    marker: PhantomData<fn(E)>,
}

// SAFETY: 1. to 3. are kept by `init`.
unsafe impl<T, E1, E2, I: Init<T, E1>, F: FnOnce(E1) -> E2> Init<T, E2> for MapErr<I, F, E1> {
    #[inline]
    unsafe fn init(self, place: *mut T) -> Result<(), E2> {
        // SAFETY: passed on from the caller.
        unsafe { self.init.init(place) }.map_err(self.convert)
    }
}

/// The initialiser with another error. One that cannot fail becomes one of any error by
/// `|never| match never {}`.
///
/// # Errors
///
/// The initialiser fails with what `convert` makes of the error.
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, init};
///
/// let pool = FreeList::<[u8; 4]>::new();
/// let bytes = init::map_err(init::try_from_iter(0..2), |too_few| too_few.to_string());
/// assert_eq!(pool.init(bytes).unwrap_err(), "2 items for an array of 4");
/// ```
#[inline]
pub fn map_err<T, E1, E2>(
    init: impl Init<T, E1>,
    convert: impl FnOnce(E1) -> E2,
) -> impl Init<T, E2> {
    MapErr { init, convert, marker: PhantomData }
}
