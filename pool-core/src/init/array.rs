//! Arrays, element by element.

use core::fmt;

use crate::init::Init;
use crate::init::value::{from_closure, try_with, value};

/// Elements that have been built, which are dropped unless all others are built: the last one first.
pub(crate) struct Built<T> {
    pub(crate) first: *mut T,
    pub(crate) count: usize,
}

impl<T> Built<T> {
    /// Where the next element goes; the end, where there is room for no more.
    #[inline(always)]
    pub(crate) fn next(&self) -> *mut T {
        self.first.wrapping_add(self.count)
    }

    /// One more element.
    ///
    /// # Safety
    ///
    /// There is room for it.
    #[inline(always)]
    #[cfg(feature = "alloc")]
    pub(crate) unsafe fn push(&mut self, element: T) {
        // SAFETY: the place is the array's (caller), and no element is there yet.
        unsafe { self.next().write(element) };
        self.count += 1;
    }

    fn drop_all(&mut self) {
        while let Some(last) = self.count.checked_sub(1) {
            // Uncounted first, so that it is not dropped again if its destructor unwinds.
            self.count = last;
            // SAFETY: it was built, and has just left the count.
            unsafe { self.next().drop_in_place() };
        }
    }
}

impl<T> Drop for Built<T> {
    fn drop(&mut self) {
        /// Drops the others even if one destructor unwinds.
        struct Others<'a, T>(&'a mut Built<T>);

        impl<T> Drop for Others<'_, T> {
            fn drop(&mut self) {
                self.0.drop_all();
            }
        }

        Others(self).0.drop_all();
    }
}

/// Builds `len` elements from `first` on, element `i` by the initialiser `element(i)`. If one fails or unwinds, those
/// before it are dropped, the last one first.
///
/// # Safety
///
/// As for [`Init::init`], for an array of `len` elements.
#[inline(always)]
pub(crate) unsafe fn build_elements<T, E, I: Init<T, E>>(
    first: *mut T,
    len: usize,
    mut element: impl FnMut(usize) -> I,
) -> Result<(), E> {
    let mut built = Built { first, count: 0 };
    while built.count < len {
        let element = element(built.count);
        // SAFETY: fewer than `len` elements are built, so this one lies within the array (caller).
        unsafe { element.init(built.next()) }?;
        built.count += 1;
    }
    core::mem::forget(built);
    Ok(())
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
    element: impl FnMut(usize) -> I,
) -> impl Init<[T; N], E> {
    // SAFETY: the place is valid (`Init`), and that of the first element is its beginning.
    let build = move |place: *mut [T; N]| unsafe { build_elements(place.cast(), N, element) };
    // SAFETY: 1. `build_elements` ends with `N` elements built; 2. until then it drops those that are;
    // 3. elements are built by initialisers, and no pointer is kept.
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

/// An array of the first `N` items of `items`.
///
/// The array is built in place; each item is moved there. The iterator is not asked for more than `N` items.
///
/// # Panics
///
/// The initialiser panics if there are fewer than `N` items; none of them leaks. ([`try_from_iter`] fails instead.)
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, init};
///
/// let pool = FreeList::<[char; 4]>::new();
/// let Ok(word) = pool.init(init::from_iter("pooled".chars()));
/// assert_eq!(*word, ['p', 'o', 'o', 'l']);
/// ```
#[inline]
pub fn from_iter<T, const N: usize>(items: impl IntoIterator<Item = T>) -> impl Init<[T; N]> {
    let mut items = items.into_iter();
    from_fn(move |i| match items.next() {
        Some(item) => item,
        None => panic!("{}", TooFew { found: i, wanted: N }),
    })
}

/// [`from_iter`] that fails if there are too few items.
///
/// # Errors
///
/// The initialiser drops the items and fails with [`TooFew`].
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, init};
///
/// let pool = FreeList::<[u32; 4]>::new();
/// assert!(pool.init(init::try_from_iter(0..4)).is_ok());
/// let error = pool.init(init::try_from_iter(0..3)).unwrap_err();
/// assert_eq!(error.to_string(), "3 items for an array of 4");
/// ```
#[inline]
pub fn try_from_iter<T, const N: usize>(
    items: impl IntoIterator<Item = T>,
) -> impl Init<[T; N], TooFew> {
    let mut items = items.into_iter();
    array(move |i| {
        let item = items.next().ok_or(TooFew { found: i, wanted: N });
        try_with(move || item)
    })
}

/// The error of [`try_from_iter`]: the iterator ended before the array was full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFew {
    found: usize,
    wanted: usize,
}

impl fmt::Display for TooFew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} items for an array of {}", self.found, self.wanted)
    }
}

impl core::error::Error for TooFew {}
