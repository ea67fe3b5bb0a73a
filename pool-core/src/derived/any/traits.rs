//! The traits that `Box` has.

use core::ops::{Deref, DerefMut};
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::pin::Pin;

use crate::base::io_traits::io_traits;
use crate::base::pointer_traits::{box_traits, error_trait};
use crate::derived::any::AnyBox;
use crate::pointer::boxed::PoolBox;
use crate::pointer::pool::Pool;

impl<T: ?Sized, P: Pool<T>> Deref for AnyBox<T, P> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized, P: Pool<T>> DerefMut for AnyBox<T, P> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

box_traits!([T: ?Sized, P: Pool<T>] AnyBox<T, P>);
io_traits!([T: ?Sized, P: Pool<T>] AnyBox<T, P>);
error_trait!([T, P: Pool<T>] AnyBox<T, P>);

// The box holds nothing that a panic could leave in disorder.
impl<T: UnwindSafe + ?Sized, P: Pool<T>> UnwindSafe for AnyBox<T, P> {}
impl<T: RefUnwindSafe + ?Sized, P: Pool<T>> RefUnwindSafe for AnyBox<T, P> {}

impl<T: ?Sized, P: Pool<T> + Copy + Default + 'static> From<AnyBox<T, P>> for Pin<AnyBox<T, P>> {
    fn from(b: AnyBox<T, P>) -> Self {
        AnyBox::into_pin(b)
    }
}

impl<T: ?Sized, P: Pool<T>> From<AnyBox<T, P>> for PoolBox<T, P> {
    /// The same box under its other name.
    #[inline]
    fn from(b: AnyBox<T, P>) -> Self {
        b.0
    }
}

impl<T: ?Sized, P: Pool<T>> From<PoolBox<T, P>> for AnyBox<T, P> {
    /// The same box under its other name.
    #[inline]
    fn from(b: PoolBox<T, P>) -> Self {
        Self(b)
    }
}

impl<T: Clone, P: Pool<T> + Clone> Clone for AnyBox<T, P> {
    #[inline]
    #[track_caller]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        (**self).clone_from(source);
    }
}

impl<T: Default, P: Pool<T> + Copy + Default + 'static> Default for AnyBox<T, P> {
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::new_with(T::default)
    }
}

impl<T, P: Pool<T> + Copy + Default + 'static> From<T> for AnyBox<T, P> {
    #[inline]
    #[track_caller]
    fn from(value: T) -> Self {
        Self::new(value)
    }
}
