//! Slices whose length is known at the end only.

use core::alloc::Layout;
use core::ptr;

use crate::base::exhausted::Exhausted;
use crate::frame::vacant::FrameVacant;
use crate::frame::{FrameBox, Frames, Sharing};
use crate::init::array::Built;

/// Elements in a block that grows with them. Until they are finished, a drop drops them, the last one first, and gives the
/// block back if it is the last of its stack.
///
/// Whoever makes the elements may allocate from the stack as well. Then the block moves as it grows, and leaves the old one
/// behind.
pub(super) struct Growing<'f, T, S: Sharing> {
    // In this order: the elements are dropped before their place is given back.
    elements: Built<T>,
    block: FrameVacant<'f, [T], S>,
}

impl<'f, T, S: Sharing> Growing<'f, T, S> {
    /// As in `Vec`.
    const LEAST: usize = match size_of::<T>() {
        0 | 1 => 8,
        2..=1024 => 4,
        _ => 1,
    };

    /// Room for `capacity` elements at first; of those without size, for as many as can be counted.
    #[inline]
    pub(super) fn with_capacity(stack: &'f Frames<S>, capacity: usize) -> Result<Self, Exhausted> {
        let capacity = if size_of::<T>() == 0 { usize::MAX } else { capacity };
        let block = stack.try_vacant_slice(capacity)?;
        Ok(Self { elements: Built { first: block.first(), count: 0 }, block })
    }

    /// One more element. It is dropped if there is no room.
    #[inline(always)]
    pub(super) fn push(&mut self, element: T) -> Result<(), Exhausted> {
        if self.elements.count == self.block.len() {
            self.grow(1)?;
        }
        // SAFETY: there is room for one more.
        unsafe { self.elements.push(element) };
        Ok(())
    }

    /// Copies of elements behind the others.
    pub(super) fn extend(&mut self, more: &[T]) -> Result<(), Exhausted>
    where
        T: Copy,
    {
        if more.len() > self.block.len() - self.elements.count {
            self.grow(more.len())?;
        }
        // SAFETY: there is room for them, and so for one, or for none at the end of the block.
        let place = unsafe { self.elements.next() };
        // SAFETY: the block has room for all, and is nobody else's.
        unsafe { ptr::copy_nonoverlapping(more.as_ptr(), place, more.len()) };
        self.elements.count += more.len();
        Ok(())
    }

    /// Room for `additional` more elements: twice as much as there was, or as much as is needed, if that fails. Where the
    /// block is, if possible.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, additional: usize) -> Result<(), Exhausted> {
        let needed = self.elements.count.saturating_add(additional);
        let doubled = self.block.len().saturating_mul(2).max(Self::LEAST).max(needed);
        if self.grow_to(doubled) || self.grow_to(needed) {
            return Ok(());
        }
        Err(self.block.stack().exhausted(Layout::new::<T>(), needed))
    }

    fn grow_to(&mut self, capacity: usize) -> bool {
        // SAFETY: it becomes longer.
        if unsafe { self.block.resize(capacity) } {
            return true;
        }
        let Some(block) = FrameVacant::slice(self.block.stack(), capacity) else { return false };
        let first = block.first();
        // SAFETY: both have room for the elements, and do not overlap, since both are taken.
        unsafe { ptr::copy_nonoverlapping(self.elements.first, first, self.elements.count) };
        self.elements.first = first;
        // The old one is given back if it is the last, as it is when it had no size, or the new one is in another chunk.
        self.block = block;
        true
    }

    /// The elements. What they do not need is given back, if nothing was allocated behind it.
    #[inline]
    pub(super) fn finish(self) -> FrameBox<'f, [T]> {
        // SAFETY: the elements are in the block.
        unsafe { self.block.finish(self.elements) }
    }
}
