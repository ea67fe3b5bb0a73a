//! The pointers of the standard library.

use core::pin::Pin;

use alloc::boxed::Box;
use alloc::rc::Rc;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;

use crate::init::Init;

/// `Box`, `Rc` and `Arc` of what an initialiser builds in place.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
/// use typed_pool::init;
/// use typed_pool::init::InPlace;
///
/// struct Image { width: usize, pixels: [u32; 1 << 20] }
///
/// let Ok(image) = Arc::init(init!(Image { width: 1024, pixels <- init::zeroed() }));
/// assert_eq!((image.width, image.pixels[1_000_000]), (1024, 0));
/// ```
pub trait InPlace<T>: Sized {
    /// Builds a `T` on the heap.
    ///
    /// # Errors
    ///
    /// The initialiser's. The memory is then given back.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::init;
    /// use typed_pool::init::InPlace;
    ///
    /// assert_eq!(*Box::<u32>::init(init::try_with(|| "42".parse())).unwrap(), 42);
    /// ```
    fn init<E>(init: impl Init<T, E>) -> Result<Self, E>;

    /// Builds a `T` on the heap, pinned.
    ///
    /// # Errors
    ///
    /// The initialiser's. The memory is then given back.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::marker::PhantomPinned;
    /// use std::rc::Rc;
    /// use typed_pool::init;
    /// use typed_pool::init::InPlace;
    ///
    /// let Ok(pinned) = Rc::pin_init(init::value((1, PhantomPinned)));
    /// assert_eq!(pinned.0, 1);
    /// ```
    fn pin_init<E>(init: impl Init<T, E>) -> Result<Pin<Self>, E>;
}

/// Both methods, for a pointer to new uninitialised memory, whose place is `$place`.
macro_rules! in_place {
    ($pointer:ident, |$new:ident| $place:expr) => {
        impl<T> InPlace<T> for $pointer<T> {
            fn init<E>(init: impl Init<T, E>) -> Result<Self, E> {
                let mut $new = Self::new_uninit();
                let place = $place.as_mut_ptr();
                // SAFETY: the memory is new, of the layout of a `T`, and nobody else's.
                unsafe { init.init(place) }?;
                // SAFETY: the initialiser has built it.
                Ok(unsafe { $new.assume_init() })
            }

            fn pin_init<E>(init: impl Init<T, E>) -> Result<Pin<Self>, E> {
                let built = <Self as InPlace<T>>::init(init)?;
                // SAFETY: the pointer is the only one, and the `Pin` keeps the value from moving.
                Ok(unsafe { Pin::new_unchecked(built) })
            }
        }
    };
}

in_place!(Box, |new| new);
in_place!(Rc, |new| Rc::get_mut(&mut new).expect("a new `Rc` is not shared"));
#[cfg(target_has_atomic = "ptr")]
in_place!(Arc, |new| Arc::get_mut(&mut new).expect("a new `Arc` is not shared"));
