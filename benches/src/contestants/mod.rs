//! Everyone in the race.

/// The address and the drop of objects that dereference to their value and free themselves.
macro_rules! by_deref {
    ($T:ty) => {
        #[inline(always)]
        fn address(self, object: &Self::Object) -> *const $T {
            &raw const **object
        }

        #[inline(always)]
        fn free(self, object: Self::Object) {
            drop(object);
        }
    };
}

mod heaps;
mod maps;
mod ours;
mod peers;
pub mod sessions;

pub use heaps::{AnyThread, OneSlot, SlotBox, Slots, Source, SystemBox};
pub use maps::{Boxes, HopSlots};
pub use ours::{
    AnyBox, AnyShared, Derived, DerivedFixed, DerivedMax, DerivedStack, DerivedStatic,
    DerivedStaticList,
};
pub use peers::{Bump, Multi, SharedPool, Slabs};
