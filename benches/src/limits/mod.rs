//! Free lists by hand: what could be reached without safety, checks or a way to give memory back.
//!
//! Each is a const thread-local without a destructor, used by one type on one thread. It never
//! returns its region, does not notice a foreign pointer, and ends the process when the
//! region is used up. Designs that were raced and lost are in `docs/decisions`, with their figures.

mod home;
mod plain;
mod pointer_stack;
mod region;
pub mod roster;
mod shared_magazine;

use core::ptr::NonNull;

pub use home::Home;
pub use plain::PlainList;
pub use pointer_stack::PointerStack;
pub use shared_magazine::SharedMagazine;

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
