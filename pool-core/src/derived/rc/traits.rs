//! The traits that `Arc` and `Rc` have, by way of the element.

use core::ops::Deref;
use core::panic::{RefUnwindSafe, UnwindSafe};

use crate::base::pointer_traits::{error_trait, pointer_traits};
use crate::derived::rc::{CountedPool, PoolMarker, RefCounted, RefCountedWeak};
use crate::pointer::counter::Count;
use crate::pointer::pool::Pool;

impl<T: ?Sized, C: Count, P: Pool<T> + PoolMarker> Deref for RefCounted<T, C, P> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the element lives as long as one of its owners, and is not written to meanwhile.
        unsafe { self.element.as_ref() }
    }
}

impl<T: Default, C: Count, P: CountedPool<T, C>> Default for RefCounted<T, C, P> {
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::new_with(T::default)
    }
}

impl<T, C: Count, P: CountedPool<T, C>> From<T> for RefCounted<T, C, P> {
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
    [T: ?Sized, C: Count, P: Pool<T> + PoolMarker] RefCounted<T, C, P>
}
error_trait!([T: ?Sized, C: Count, P: Pool<T> + PoolMarker] RefCounted<T, C, P>);

// A panic that a thread survives has not interrupted the counts.
impl<T, C, P> UnwindSafe for RefCounted<T, C, P>
where
    T: RefUnwindSafe + ?Sized,
    C: Count,
    P: Pool<T> + PoolMarker,
{
}
impl<T, C, P> RefUnwindSafe for RefCounted<T, C, P>
where
    T: RefUnwindSafe + ?Sized,
    C: Count,
    P: Pool<T> + PoolMarker,
{
}
impl<T, C, P> UnwindSafe for RefCountedWeak<T, C, P>
where
    T: RefUnwindSafe + ?Sized,
    C: Count,
    P: Pool<T> + PoolMarker,
{
}
impl<T, C, P> RefUnwindSafe for RefCountedWeak<T, C, P>
where
    T: RefUnwindSafe + ?Sized,
    C: Count,
    P: Pool<T> + PoolMarker,
{
}
// It may move while the element stays.
impl<T: ?Sized, C: Count, P: Pool<T> + PoolMarker> Unpin for RefCountedWeak<T, C, P> {}
