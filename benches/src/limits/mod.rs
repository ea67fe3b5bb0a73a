//! Free lists by hand: what could be reached without safety, checks or a way to give memory back.
//!
//! Each is a const thread-local without a destructor, used by one type on one thread. It never
//! returns its region, does not notice a foreign pointer, and ends the process when the
//! region is used up. The first, the plain list, is "the limit" of the pair; they all take
//! part in the race of designs that decided how the library's free list works.

mod counted;
mod depth;
mod home;
mod last_slot;
mod magazine;
mod plain;
mod pointer_stack;
mod region;
pub mod roster;
mod shared_magazine;
mod unrolled;

use core::cell::Cell;
use core::ptr::NonNull;

pub use counted::CountedList;
pub use depth::DepthList;
pub use home::Home;
pub use last_slot::LastSlot;
pub use magazine::Magazine;
pub use plain::PlainList;
pub use pointer_stack::PointerStack;
pub use shared_magazine::SharedMagazine;
pub use unrolled::Unrolled;

use region::Region;

use crate::contestants::Source;

/// A way to remember free slots.
pub trait Design: Sized + 'static {
    /// The name in tables.
    const NAME: &'static str;

    /// Hands out a slot.
    fn take<T>(&self) -> NonNull<T>;

    /// Takes a slot back.
    ///
    /// # Safety
    ///
    /// The slot came from `take::<T>` of this very instance (of any instance, if the design is for
    /// [any thread](crate::contestants::slots::AnyThread)), is not used again, and has room for
    /// two words.
    unsafe fn give<T>(&self, slot: NonNull<T>);
}

impl<T: Home<D>, D: Design> Source<T> for D {
    const NAME: &'static str = D::NAME;

    #[inline(always)]
    fn take() -> NonNull<T> {
        T::with(D::take::<T>)
    }

    #[inline(always)]
    unsafe fn give(slot: NonNull<T>) {
        // SAFETY: the slot came from this type's instance, on this thread if need be, as the caller
        // promises; that it has room for two words was checked where the type got its instance.
        T::with(|design| unsafe { design.give(slot) });
    }
}

/// What a list writes into a free slot: where the next free slot is.
type Link = Option<NonNull<Free>>;

/// A slot without a value.
struct Free {
    next: Link,
}

/// Free slots, the one freed last on top.
#[derive(Debug)]
struct List(Cell<Link>);

impl List {
    const fn new() -> Self {
        Self(Cell::new(None))
    }

    #[inline(always)]
    fn pop<T>(&self) -> Option<NonNull<T>> {
        let slot = self.0.get()?;
        // SAFETY: a slot on the list is free, and holds the link that `push` wrote.
        self.0.set(unsafe { slot.read() }.next);
        Some(slot.cast())
    }

    /// # Safety
    ///
    /// The slot is free, and has room for a link.
    #[inline(always)]
    unsafe fn push<T>(&self, slot: NonNull<T>) {
        let slot = slot.cast::<Free>();
        // SAFETY: the caller promises room; slots are aligned to words.
        unsafe { slot.write(Free { next: self.0.get() }) };
        self.0.set(Some(slot));
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.0.get().is_none()
    }

    fn clear(&self) {
        self.0.set(None);
    }
}
