//! All bits zero.

use core::convert::Infallible;
use core::fmt;
use core::marker::PhantomData;

use crate::init::{Init, Zeroable};

/// The initialiser that [`zeroed`] returns; what `..` in [`init!`](crate::init!) takes.
#[must_use = "an initialiser does nothing until it is given a place"]
pub struct Zeroed<T>(PhantomData<fn() -> T>);

// SAFETY: 1. all zeros are a valid `T` (`Zeroable`); 2. it does not fail; 3. it keeps no pointer.
unsafe impl<T: Zeroable> Init<T> for Zeroed<T> {
    #[inline(always)]
    unsafe fn init(self, place: *mut T) -> Result<(), Infallible> {
        // SAFETY: the place is valid for a write (caller).
        unsafe { place.write_bytes(0, 1) };
        Ok(())
    }
}

impl<T> fmt::Debug for Zeroed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Zeroed")
    }
}

/// A `T` of zeros, written in place by one `memset`.
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, init};
///
/// let pool = FreeList::<[[u32; 256]; 256]>::new();
/// let Ok(map) = pool.init(init::zeroed());
/// assert_eq!(map[255][255], 0);
/// ```
#[inline]
pub fn zeroed<T: Zeroable>() -> Zeroed<T> {
    Zeroed(PhantomData)
}
