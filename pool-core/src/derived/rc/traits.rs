//! The traits that `Arc` and `Rc` have, by way of the element.

use core::ops::Deref;
use core::panic::{RefUnwindSafe, UnwindSafe};

use crate::base::pointer_traits::pointer_traits;
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

pointer_traits! {
    /// Compares the elements by `T::eq`, even if both pointers are to the same one.
    ///
    /// `Rc` and `Arc` compare their addresses first where `T: Eq`. They can since std specialises on that, which stable
    /// Rust cannot. Where it matters, ask [`RefCounted::ptr_eq`] before.
    [T: RefCountedBy<C>, C: Count] RefCounted<T, C>
}

// A panic that a thread survives has not interrupted the counts.
impl<T: RefCountedBy<C> + RefUnwindSafe, C: Count> UnwindSafe for RefCounted<T, C> {}
impl<T: RefCountedBy<C> + RefUnwindSafe, C: Count> RefUnwindSafe for RefCounted<T, C> {}
impl<T: RefCountedBy<C> + RefUnwindSafe, C: Count> UnwindSafe for RefCountedWeak<T, C> {}
impl<T: RefCountedBy<C> + RefUnwindSafe, C: Count> RefUnwindSafe for RefCountedWeak<T, C> {}
// It may move while the element stays.
impl<T: RefCountedBy<C>, C: Count> Unpin for RefCountedWeak<T, C> {}
