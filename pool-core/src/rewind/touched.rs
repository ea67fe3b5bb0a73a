//! Elements that are remembered when they are first written to.

use core::cell::Cell;
use core::fmt;
use core::iter::FusedIterator;
use core::ops::{Deref, DerefMut};

use crate::base::handle::Handle;
use crate::rewind::links::{Links, SharedLinks};
use crate::rewind::log::SharedLog;
use crate::roster::{HandlesBySlot, SlotsMut};

/// Where elements that are lent are remembered. There are positions and links for all of them.
pub(super) struct Memory<'a, T> {
    links: SharedLinks<'a>,
    handles: HandlesBySlot<'a>,
    /// Nobody has it out while code of the user runs.
    log: &'a Cell<SharedLog<T>>,
}

impl<T> Clone for Memory<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Memory<'_, T> {}

/// An element of a [`Rewind`](crate::Rewind), which is remembered as it is when it is first written to: by the first `DerefMut`,
/// that is.
///
/// It may be leaked: an element that was not written to need not be remembered.
pub struct Touched<'a, T: Clone> {
    slot: u32,
    element: &'a mut T,
    memory: Memory<'a, T>,
}

impl<'a, T> Memory<'a, T> {
    #[inline]
    pub(super) fn new(
        links: &'a mut Links,
        handles: HandlesBySlot<'a>,
        log: &'a mut SharedLog<T>,
    ) -> Self {
        Self { links: links.share(), handles, log: Cell::from_mut(log) }
    }
}

impl<'a, T: Clone> Touched<'a, T> {
    #[inline]
    pub(super) fn new(slot: u32, element: &'a mut T, memory: Memory<'a, T>) -> Self {
        Self { slot, element, memory }
    }

    /// The element's handle.
    #[inline]
    pub fn handle(touched: &Self) -> Handle<T> {
        touched.memory.handles.get(touched.slot).unwrap_or(Handle::DANGLING)
    }
}

impl<'a, T: Clone> Memory<'a, T> {
    /// Remembers an element, before it is written to for the first time since the last mark.
    #[inline]
    fn remember(&self, slot: u32, element: &T, link: &'a Cell<u32>) {
        let before = element.clone();
        if let (Some(handle), Some(mut log)) = (self.handles.get::<T>(slot), self.log.take()) {
            link.set(log.push_live(handle.raw(), link.get(), before));
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
        if let Some(link) = self.memory.links.first_write(self.slot) {
            self.memory.remember(self.slot, self.element, link);
        }
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
    elements: SlotsMut<'a, T>,
    memory: Memory<'a, T>,
}

impl<'a, T: Clone> ValuesMut<'a, T> {
    #[inline]
    pub(super) fn new(elements: SlotsMut<'a, T>, memory: Memory<'a, T>) -> Self {
        Self { elements, memory }
    }
}

impl<'a, T: Clone> Iterator for ValuesMut<'a, T> {
    type Item = Touched<'a, T>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let (slot, element) = self.elements.next()?;
        Some(Touched::new(slot, element, self.memory))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.elements.size_hint()
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
        let memory = self.memory;
        self.elements
            .fold(init, |folded, (slot, element)| f(folded, Touched::new(slot, element, memory)))
    }
}

impl<T: Clone> DoubleEndedIterator for ValuesMut<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let (slot, element) = self.elements.next_back()?;
        Some(Touched::new(slot, element, self.memory))
    }
}

/// From [`Rewind::iter_mut`](crate::Rewind::iter_mut): handles and elements, in the order of memory.
pub struct IterMut<'a, T: Clone>(pub(super) ValuesMut<'a, T>);

fn with_handle<T: Clone>(touched: Touched<'_, T>) -> (Handle<T>, Touched<'_, T>) {
    (Touched::handle(&touched), touched)
}

impl<'a, T: Clone> Iterator for IterMut<'a, T> {
    type Item = (Handle<T>, Touched<'a, T>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(with_handle)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut f: F) -> B {
        self.0.fold(init, |folded, touched| f(folded, with_handle(touched)))
    }
}

impl<T: Clone> DoubleEndedIterator for IterMut<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(with_handle)
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
