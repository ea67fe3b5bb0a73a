//! Elements that are remembered when they are first written to.

use core::fmt;
use core::iter::Map;
use core::ops::{Deref, DerefMut};

use crate::base::handle::Handle;
use crate::rewind::log::Memory;
use crate::roster;
use crate::roster::iter::counted;

/// An element of a [`Rewind`](crate::Rewind), which is remembered just before the first write to it: by the first `DerefMut`.
///
/// It may be leaked: an element that was not written to need not be remembered.
pub struct Touched<'a, T: Clone> {
    pub(super) handle: Handle<T>,
    pub(super) element: &'a mut T,
    pub(super) memory: Memory<'a, T>,
}

impl<T: Clone> Touched<'_, T> {
    /// The element's handle.
    #[inline]
    #[must_use]
    pub fn handle(touched: &Self) -> Handle<T> {
        touched.handle
    }
}

impl<T: Clone> Deref for Touched<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.element
    }
}

impl<T: Clone> DerefMut for Touched<'_, T> {
    /// The element, exclusively. The first write since a mark remembers its value.
    ///
    /// # Panics
    ///
    /// If a clone panics; nothing has changed then.
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.memory.before_write(self.handle, self.element);
        self.element
    }
}

impl<T: Clone + fmt::Debug> fmt::Debug for Touched<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// From [`Rewind::values_mut`](crate::Rewind::values_mut): the elements, in the order of memory.
pub struct ValuesMut<'a, T: Clone> {
    pub(super) elements: roster::IterMut<'a, T>,
    pub(super) memory: Memory<'a, T>,
}

impl<'a, T: Clone> Iterator for ValuesMut<'a, T> {
    type Item = Touched<'a, T>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let (handle, element) = self.elements.next()?;
        Some(Touched { handle, element, memory: self.memory })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.elements.size_hint()
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
        let memory = self.memory;
        self.elements
            .fold(init, |folded, (handle, element)| f(folded, Touched { handle, element, memory }))
    }
}

impl<T: Clone> DoubleEndedIterator for ValuesMut<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let (handle, element) = self.elements.next_back()?;
        Some(Touched { handle, element, memory: self.memory })
    }
}

counted!(['a, T: Clone] ValuesMut['a, T]);

/// From [`Rewind::iter_mut`](crate::Rewind::iter_mut): handles and elements, in the order of memory.
pub type IterMut<'a, T> = Map<ValuesMut<'a, T>, fn(Touched<'a, T>) -> (Handle<T>, Touched<'a, T>)>;
