//! The error of an initialiser, or of the pool.

use core::error::Error;
use core::fmt;

use crate::base::exhausted::Exhausted;

/// Why `try_init` returned no box.
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
    /// There was no slot; the initialiser has not run.
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
