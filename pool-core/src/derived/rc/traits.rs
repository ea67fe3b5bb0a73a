//! The traits that `Arc` and `Rc` have, by way of the element.

use core::borrow::Borrow;
use core::cmp::Ordering;
use core::error::Error;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;
use core::panic::{RefUnwindSafe, UnwindSafe};

use crate::derived::rc::{RefCounted, RefCountedBy, RefCountedWeak};
use crate::pointer::counter::Count;

impl<T: RefCountedBy<C>, C: Count> Deref for RefCounted<T, C> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the element lives as long as one of its owners, and is not written to meanwhile.
        unsafe { self.element.as_ref() }
    }
}

impl<T: RefCountedBy<C>, C: Count> AsRef<T> for RefCounted<T, C> {
    fn as_ref(&self) -> &T {
        self
    }
}

impl<T: RefCountedBy<C>, C: Count> Borrow<T> for RefCounted<T, C> {
    fn borrow(&self) -> &T {
        self
    }
}

impl<T: RefCountedBy<C> + Default, C: Count> Default for RefCounted<T, C> {
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::new_with(T::default)
    }
}

impl<T: RefCountedBy<C>, C: Count> From<T> for RefCounted<T, C> {
    #[inline]
    #[track_caller]
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: RefCountedBy<C> + fmt::Debug, C: Count> fmt::Debug for RefCounted<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: RefCountedBy<C> + fmt::Display, C: Count> fmt::Display for RefCounted<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: RefCountedBy<C>, C: Count> fmt::Pointer for RefCounted<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.element.fmt(f)
    }
}

/// Compares the elements by `T::eq`, even if both pointers are to the same one.
///
/// `Rc` and `Arc` compare their addresses first where `T: Eq`. They can since std specialises on that, which stable
/// Rust cannot. Where it matters, ask [`RefCounted::ptr_eq`] before.
impl<T: RefCountedBy<C> + PartialEq, C: Count> PartialEq for RefCounted<T, C> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: RefCountedBy<C> + Eq, C: Count> Eq for RefCounted<T, C> {}

impl<T: RefCountedBy<C> + PartialOrd, C: Count> PartialOrd for RefCounted<T, C> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (**self).partial_cmp(other)
    }
}

impl<T: RefCountedBy<C> + Ord, C: Count> Ord for RefCounted<T, C> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(other)
    }
}

impl<T: RefCountedBy<C> + Hash, C: Count> Hash for RefCounted<T, C> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: RefCountedBy<C> + Error, C: Count> Error for RefCounted<T, C> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        (**self).source()
    }
}

// A pointer may move while its element stays, and a panic that a thread survives has not interrupted the
// counts.
impl<T: RefCountedBy<C>, C: Count> Unpin for RefCounted<T, C> {}
impl<T: RefCountedBy<C> + RefUnwindSafe, C: Count> UnwindSafe for RefCounted<T, C> {}
impl<T: RefCountedBy<C> + RefUnwindSafe, C: Count> RefUnwindSafe for RefCounted<T, C> {}
impl<T: RefCountedBy<C>, C: Count> Unpin for RefCountedWeak<T, C> {}
impl<T: RefCountedBy<C> + RefUnwindSafe, C: Count> UnwindSafe for RefCountedWeak<T, C> {}
impl<T: RefCountedBy<C> + RefUnwindSafe, C: Count> RefUnwindSafe for RefCountedWeak<T, C> {}
