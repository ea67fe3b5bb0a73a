//! Elements that are remembered when they are first written to.

use core::cell::Cell;
use core::fmt;
use core::iter::FusedIterator;
use core::ops::{Deref, DerefMut};

use crate::base::handle::Handle;
use crate::rewind::log::{Log, SharedLog};
use crate::roster::{self, SlotState};

impl<T: Clone> Log<T> {
    /// Remembers an element that is about to be written to, of a roster with this capacity.
    #[inline]
    pub(super) fn before_write(&mut self, handle: Handle<T>, element: &T, capacity: usize) {
        if !self.is_written(handle.slot()) && !self.is_copied(handle.slot()) {
            let before = element.clone();
            self.reserve(capacity);
            self.push(handle.slot(), SlotState::live(handle), Some(before));
        }
    }
}

/// An element of a [`Rewind`](crate::Rewind), which is remembered as it is when it is first written to: by the first `DerefMut`,
/// that is.
///
/// It may be leaked: an element that was not written to need not be remembered.
pub struct Touched<'a, T: Clone> {
    handle: Handle<T>,
    element: &'a mut T,
    /// Nobody has it out while code of the user runs.
    log: &'a Cell<SharedLog<T>>,
    capacity: usize,
}

impl<'a, T: Clone> Touched<'a, T> {
    #[inline]
    pub(super) fn new(
        handle: Handle<T>,
        element: &'a mut T,
        log: &'a Cell<SharedLog<T>>,
        capacity: usize,
    ) -> Self {
        Self { handle, element, log, capacity }
    }

    /// The element's handle.
    #[inline]
    pub fn handle(touched: &Self) -> Handle<T> {
        touched.handle
    }

    /// Remembers the element.
    #[inline(never)]
    fn remember(&mut self) {
        let before = self.element.clone();
        if let Some(mut log) = self.log.take() {
            log.reserve(self.capacity);
            log.push(self.handle.slot(), SlotState::live(self.handle), Some(before));
            self.log.set(Some(log));
        }
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
    /// The element, to write to.
    ///
    /// # Panics
    ///
    /// If a clone panics; nothing has changed then.
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        let slot = self.handle.slot();
        if let Some(mut log) = self.log.take() {
            let is_known = log.is_written(slot) || log.is_copied(slot);
            self.log.set(Some(log));
            if !is_known {
                self.remember();
            }
        }
        self.element
    }
}

impl<T: Clone + fmt::Debug> fmt::Debug for Touched<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// From [`Rewind::iter_mut`](crate::Rewind::iter_mut): handles and elements, in the order of memory.
pub struct IterMut<'a, T: Clone> {
    elements: roster::IterMut<'a, T>,
    log: &'a Cell<SharedLog<T>>,
    capacity: usize,
}

impl<'a, T: Clone> IterMut<'a, T> {
    #[inline]
    pub(super) fn new(
        elements: roster::IterMut<'a, T>,
        log: &'a Cell<SharedLog<T>>,
        capacity: usize,
    ) -> Self {
        Self { elements, log, capacity }
    }
}

impl<'a, T: Clone> Iterator for IterMut<'a, T> {
    type Item = (Handle<T>, Touched<'a, T>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (handle, element) = self.elements.next()?;
        Some((handle, Touched::new(handle, element, self.log, self.capacity)))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.elements.size_hint()
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
        let (log, capacity) = (self.log, self.capacity);
        self.elements.fold(init, |folded, (handle, element)| {
            f(folded, (handle, Touched::new(handle, element, log, capacity)))
        })
    }
}

impl<T: Clone> DoubleEndedIterator for IterMut<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let (handle, element) = self.elements.next_back()?;
        Some((handle, Touched::new(handle, element, self.log, self.capacity)))
    }
}

/// From [`Rewind::values_mut`](crate::Rewind::values_mut): the elements, in the order of memory.
pub struct ValuesMut<'a, T: Clone>(IterMut<'a, T>);

impl<'a, T: Clone> ValuesMut<'a, T> {
    #[inline]
    pub(super) fn new(elements: IterMut<'a, T>) -> Self {
        Self(elements)
    }
}

impl<'a, T: Clone> Iterator for ValuesMut<'a, T> {
    type Item = Touched<'a, T>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        Some(self.0.next()?.1)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
        self.0.fold(init, |folded, (_, element)| f(folded, element))
    }
}

impl<T: Clone> DoubleEndedIterator for ValuesMut<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        Some(self.0.next_back()?.1)
    }
}

macro_rules! iterators {
    ($($name:ident)*) => {$(
        impl<T: Clone> ExactSizeIterator for $name<'_, T> {}
        impl<T: Clone> FusedIterator for $name<'_, T> {}

        impl<T: Clone> fmt::Debug for $name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("len", &self.len()).finish_non_exhaustive()
            }
        }
    )*};
}

iterators!(IterMut ValuesMut);
