//! The traits that `Box` has, by way of the element.

use core::ops::{Deref, DerefMut};
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::pin::Pin;

use crate::base::pointer_traits::{box_traits, error_trait, iterator_traits};
use crate::pointer::boxed::PoolBox;
use crate::pointer::boxed::Vacant;
use crate::pointer::pool::{Global, Pool};

impl<T: ?Sized, P: Pool<T>> Deref for PoolBox<T, P> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the box owns its element, which is initialised; the reference borrows the box.
        unsafe { self.element.as_ref() }
    }
}

impl<T: ?Sized, P: Pool<T>> DerefMut for PoolBox<T, P> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`, and the box is borrowed mutably.
        unsafe { self.element.as_mut() }
    }
}

/// Boxes of a type with a pool of its own are made from nothing ...
impl<T: ?Sized, P: Pool<T> + 'static> From<PoolBox<T, P>> for Pin<PoolBox<T, P>> {
    fn from(b: PoolBox<T, P>) -> Self {
        PoolBox::into_pin(b)
    }
}

impl<T: Clone, P: Pool<T> + Clone> Clone for PoolBox<T, P> {
    /// A clone of the element, in a slot of the same pool.
    ///
    /// # Panics
    ///
    /// If the pool has a limit and every slot is occupied.
    #[inline]
    #[track_caller]
    fn clone(&self) -> Self {
        Vacant::new_in(self.pool.clone()).fill_with(|| (**self).clone())
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        (**self).clone_from(source);
    }
}

box_traits!([T: ?Sized, P: Pool<T>] PoolBox<T, P>);
iterator_traits!([T: ?Sized, P: Pool<T>] PoolBox<T, P>, T);
error_trait!([T, P: Pool<T>] PoolBox<T, P>);

// The box holds nothing that a panic could leave in disorder.
impl<T: UnwindSafe + ?Sized, P: Pool<T>> UnwindSafe for PoolBox<T, P> {}
impl<T: RefUnwindSafe + ?Sized, P: Pool<T>> RefUnwindSafe for PoolBox<T, P> {}

impl<T: Default> Default for PoolBox<T>
where
    Global: Pool<T>,
{
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::new_with(T::default)
    }
}

/// ... or from a value.
impl<T> From<T> for PoolBox<T>
where
    Global: Pool<T>,
{
    #[inline]
    #[track_caller]
    fn from(value: T) -> Self {
        Self::new(value)
    }
}
