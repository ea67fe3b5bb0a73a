//! The traits that `Arc` and `Rc` have, by way of the element.

use core::borrow::Borrow;
use core::cmp::Ordering;
use core::error::Error;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;
use core::panic::{RefUnwindSafe, UnwindSafe};

use crate::derived::rc::{Counted, CountedBy, CountedWeak};
use crate::pointer::counter::Count;

impl<T: CountedBy<C>, C: Count> Deref for Counted<T, C> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the element lives as long as one of its owners, and is written by nobody meanwhile.
        unsafe { self.element.as_ref() }
    }
}

impl<T: CountedBy<C>, C: Count> AsRef<T> for Counted<T, C> {
    fn as_ref(&self) -> &T {
        self
    }
}

impl<T: CountedBy<C>, C: Count> Borrow<T> for Counted<T, C> {
    fn borrow(&self) -> &T {
        self
    }
}

impl<T: CountedBy<C> + Default, C: Count> Default for Counted<T, C> {
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::new_with(T::default)
    }
}

impl<T: CountedBy<C>, C: Count> From<T> for Counted<T, C> {
    #[inline]
    #[track_caller]
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: CountedBy<C> + fmt::Debug, C: Count> fmt::Debug for Counted<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: CountedBy<C> + fmt::Display, C: Count> fmt::Display for Counted<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: CountedBy<C>, C: Count> fmt::Pointer for Counted<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.element.fmt(f)
    }
}

/// Compares the elements by `T::eq`, even if both pointers are to the same one.
///
/// `Rc` and `Arc` compare their addresses first where `T: Eq`. They can since std specialises on that, which stable
/// Rust cannot. Where it matters, ask [`Counted::ptr_eq`] before.
impl<T: CountedBy<C> + PartialEq, C: Count> PartialEq for Counted<T, C> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: CountedBy<C> + Eq, C: Count> Eq for Counted<T, C> {}

impl<T: CountedBy<C> + PartialOrd, C: Count> PartialOrd for Counted<T, C> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (**self).partial_cmp(other)
    }
}

impl<T: CountedBy<C> + Ord, C: Count> Ord for Counted<T, C> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(other)
    }
}

impl<T: CountedBy<C> + Hash, C: Count> Hash for Counted<T, C> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: CountedBy<C> + Error, C: Count> Error for Counted<T, C> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        (**self).source()
    }
}

// A pointer may move while its element stays, and a panic that a thread survives has not interrupted the
// counts.
impl<T: CountedBy<C>, C: Count> Unpin for Counted<T, C> {}
impl<T: CountedBy<C> + RefUnwindSafe, C: Count> UnwindSafe for Counted<T, C> {}
impl<T: CountedBy<C> + RefUnwindSafe, C: Count> RefUnwindSafe for Counted<T, C> {}
impl<T: CountedBy<C>, C: Count> Unpin for CountedWeak<T, C> {}
impl<T: CountedBy<C> + RefUnwindSafe, C: Count> UnwindSafe for CountedWeak<T, C> {}
impl<T: CountedBy<C> + RefUnwindSafe, C: Count> RefUnwindSafe for CountedWeak<T, C> {}
