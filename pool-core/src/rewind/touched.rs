//! Elements that are remembered when they are first written to.

use alloc::collections::VecDeque;
use core::cell::Cell;
use core::iter::Map;
use core::ops::{Deref, DerefMut};
use core::{fmt, mem};

use crate::base::copied;
use crate::base::handle::Handle;
use crate::rewind::log::{Live, Log, SharedLinks, push_live};
use crate::roster;
use crate::roster::iter::counted;

/// The memory of elements that are lent. While there is a mark, each of them has a link.
pub(super) struct Memory<'a, T> {
    links: SharedLinks<'a>,
    /// It is in its place while code of the user runs.
    live: &'a Cell<VecDeque<Live<T>>>,
}

impl<'a, T> Memory<'a, T> {
    pub(super) fn of(log: &'a mut Log<T>) -> Self {
        Self { links: log.links.share(), live: Cell::from_mut(&mut log.live) }
    }
}

copied!(['a, T] Memory['a, T]);

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

/// Remembers an element, before it is written to for the first time since the last mark.
// Not inlined, so that a loop that looks at all elements stays short.
#[inline(never)]
fn remember<T: Clone>(
    shared: &Cell<VecDeque<Live<T>>>,
    last_mark: u64,
    link: &Cell<u64>,
    handle: Handle<T>,
    element: &T,
) {
    let before = element.clone();
    let mut live = shared.take();
    if live.len() == live.capacity() {
        return remember_in_more_room(shared, last_mark, link, handle, before, live);
    }
    push_live(&mut live, last_mark, link, handle, before);
    // What is there is empty, and has nothing to drop.
    mem::forget(shared.replace(live));
}

/// By itself, so that the other way needs no registers but its own.
#[cold]
#[inline(never)]
fn remember_in_more_room<T>(
    shared: &Cell<VecDeque<Live<T>>>,
    last_mark: u64,
    link: &Cell<u64>,
    handle: Handle<T>,
    before: T,
    mut live: VecDeque<Live<T>>,
) {
    live.reserve(1);
    push_live(&mut live, last_mark, link, handle, before);
    shared.set(live);
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
        let Memory { links, live } = self.memory;
        if let Some(link) = links.first_write(self.handle.slot()) {
            remember(live, links.last_mark, link, self.handle, self.element);
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
