//! A block of std's heap as the place of an initialiser.

use std::pin::Pin;

use typed_pool::Init;

pub(crate) trait InPlace<T>: Sized {
    fn init<E>(init: impl Init<T, E>) -> Result<Self, E>;

    fn pin_init<E>(init: impl Init<T, E>) -> Result<Pin<Self>, E>;
}

impl<T> InPlace<T> for Box<T> {
    fn init<E>(init: impl Init<T, E>) -> Result<Self, E> {
        let mut block = Self::new_uninit();
        // SAFETY: 1. the block has the layout of a `T`; 2. it is this function's own.
        unsafe { init.init(block.as_mut_ptr()) }?;
        // SAFETY: the initialiser has returned `Ok`.
        Ok(unsafe { block.assume_init() })
    }

    fn pin_init<E>(init: impl Init<T, E>) -> Result<Pin<Self>, E> {
        <Self as InPlace<T>>::init(init).map(Self::into_pin)
    }
}
