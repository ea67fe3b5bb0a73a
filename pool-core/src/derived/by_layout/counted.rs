//! Pools by layout whose slots have room for counts: what `any::Rc` and `any::Arc` belong to.

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::base::exhausted::Exhausted;
use crate::derived::by_layout::classes::Class;
use crate::derived::by_layout::{AnyLength, ByLayout, Classes, SharedByLayout, layout_of};
use crate::derived::rc::{Atomic, CountedPool, Plain, PoolMarker};
use crate::derived::with_counts::RefCounts;
use crate::pointer::pool::Pool;
use crate::pointer::pool::sealed::Sealed;

/// [`ByLayout`] or [`SharedByLayout`], with room for the counts of an element before it: the pools of [`any::Rc`] and
/// [`any::Arc`], whose types show it.
///
/// [`any::Rc`]: crate::any::Rc
/// [`any::Arc`]: crate::any::Arc
#[derive(Clone, Copy, Debug, Default)]
pub struct Counted<P>(P);

impl<P> Sealed for Counted<P> {}

/// Of a slot that has an element of this layout, and counts before it.
#[inline(always)]
const fn slot_of(element: Layout) -> Layout {
    match Layout::new::<RefCounts>().extend(element) {
        Ok((slot, _)) => slot.pad_to_align(),
        Err(_) => panic!("the element is too large"),
    }
}

/// Where the element lies in such a slot, in bytes.
#[inline(always)]
const fn offset_in(slot: Layout) -> usize {
    // Both are powers of two, or the larger one is the counts' size, which is a multiple of smaller alignments.
    if slot.align() > size_of::<RefCounts>() { slot.align() } else { size_of::<RefCounts>() }
}

/// Where the element lies in a slot that was taken for it.
#[inline(always)]
fn element_in(taken: Option<NonNull<u8>>, slot: Layout) -> Option<NonNull<u8>> {
    // SAFETY: inside the slot.
    taken.map(|taken| unsafe { taken.add(offset_in(slot)) })
}

// SAFETY: `Pool::acquire` takes such a slot, too.
unsafe impl<P: Classes> AnyLength for Counted<P> {
    #[inline(always)]
    fn room<T: ?Sized>(self, element: Layout) -> Option<NonNull<u8>> {
        let slot = slot_of(element);
        element_in(self.0.acquire::<T>(slot), slot)
    }
}

// SAFETY: the room is that of a struct of the counts and the element, whose layout follows from the element's; the pool
// keeps it (`Classes`).
#[allow(private_bounds, reason = "for this crate alone")]
unsafe impl<T: ?Sized, P: Classes> Pool<T> for Counted<P> {
    #[inline(always)]
    fn acquire(&self) -> Option<NonNull<T>>
    where
        T: Sized,
    {
        let slot = const { slot_of(Layout::new::<T>()) };
        element_in(self.0.acquire::<T>(slot), slot).map(NonNull::cast)
    }

    unsafe fn verify(&self, element: NonNull<T>) {
        // SAFETY: passed on from the caller.
        let slot = slot_of(unsafe { layout_of(element) });
        let taken = element.cast::<u8>().as_ptr().wrapping_sub(offset_in(slot));
        if let Some(taken) = NonNull::new(taken) {
            self.0.verify::<T>(taken, slot);
        }
    }

    #[inline(always)]
    unsafe fn release(&self, element: NonNull<T>) {
        // SAFETY: the slot is the caller's.
        let slot = slot_of(unsafe { layout_of(element) });
        // SAFETY: so far behind the slot's beginning the element lay (`acquire`).
        let taken = unsafe { element.cast::<u8>().sub(offset_in(slot)) };
        // SAFETY: passed on from the caller.
        unsafe { self.0.release::<T>(taken, slot) };
    }

    unsafe fn count_weak(&self, element: NonNull<T>, change: isize) {
        // SAFETY: the caller keeps the slot.
        let slot = slot_of(unsafe { layout_of(element) });
        // What is too large lies in the heap.
        Class::of(slot).into_iter().for_each(|class| P::facts(class).upkeep.count_weak(change));
    }

    fn exhausted(&self) -> Exhausted
    where
        T: Sized,
    {
        self.0.exhausted(const { slot_of(Layout::new::<T>()) })
    }
}

#[allow(private_bounds, reason = "for this crate alone")]
impl<P: Classes> PoolMarker for Counted<P> {
    type Of<U: ?Sized> = Self;
    const POOL: Self = Self(P::POOLS);
}

// SAFETY: there is room right before the element (`offset_in`).
unsafe impl<T: ?Sized> CountedPool<T, Plain> for Counted<ByLayout> {}
// SAFETY: as above; any thread may release it.
unsafe impl<T: ?Sized> CountedPool<T, Atomic> for Counted<SharedByLayout> {}
