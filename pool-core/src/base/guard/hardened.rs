//! What finds the misuse of raw pointers: where a slot is taken back, and where it is handed out.
//!
//! Safe code frees what is there, once, and does not look back. [`PoolBox::from_raw`](crate::PoolBox)
//! and the raw pools' `free` take their callers' word for it. Two sets of checks do not:
//!
//! - **In a debug build**, what costs O(chunks) at most: that the pointer is that of a slot of this pool,
//!   which was handed out and is not the one that was freed last.
//! - **With the feature `hardened`**, all that can be known. A bit for each slot beside its chunk says
//!   whether it is occupied: so a second free is found, however late, and a pointer that was never
//!   handed out. What is free is filled with [`FILL`], and looked at when it is handed out again: so a
//!   write after the free is found. Freed slots wait in a quarantine before that, so that both find
//!   the slot still free. And a free list's links are encoded with a secret of the process,
//!   so that what is written over one leads nowhere.
//!
//! Whatever is found is a panic which names the type, the address and what was expected, with the pool in
//! order. What is given back wrongly is found before anything is changed. A slot that was written to while it
//! was free is told of once, filled anew, and free again: a pool loses none by it. Where a destructor finds
//! something while the thread is panicking already, the process is aborted, after the message.
//!
//! A static pool has no magazines then, and every operation takes its lock. One with a capacity keeps a
//! word for each slot, and has no quarantine, since no slot may be hidden there. Rosters need none
//! of this: handles have generations, which are checked always.
//!
//! In a release build without the feature nothing is left of it.

use core::any::type_name;

#[cfg_attr(feature = "hardened", path = "hardened/on.rs")]
#[cfg_attr(not(feature = "hardened"), path = "hardened/off.rs")]
mod checks;

#[allow(unused_imports, reason = "for parts that a build may lack")]
pub(crate) use checks::{
    IS_HARDENED, Marks, Peak, Quarantine, SlotState, check_fill, fill, sealed_link,
};

/// Whether a pointer is looked at before its slot is taken back.
pub(crate) const IS_CHECKED: bool = IS_HARDENED || cfg!(debug_assertions);

/// What free memory is filled with: as a pointer it leads nowhere, as a length it is absurd.
pub(crate) const FILL: u8 = 0xdd;

/// What is wrong with a pointer, or with the slot that it leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// It leads to no slot.
    Foreign,
    /// It leads into a slot, so many bytes behind its beginning.
    Interior { offset: usize },
    /// The slot is not occupied.
    Vacant,
    /// A byte of the free slot was written to.
    #[allow(dead_code, reason = "`hardened` alone finds it")]
    Overwritten { offset: usize, found: u8 },
}

impl Fault {
    /// Panics with what is wrong with `address` in a pool of `T`s.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(crate) fn panic<T>(self, address: *const T) -> ! {
        self.panic_in(type_name::<T>(), address.cast())
    }

    /// [`Fault::panic`] for a pool that is called `name`.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(crate) fn panic_in(self, name: &str, address: *const u8) -> ! {
        match self {
            Self::Foreign => panic!(
                "invalid free: {address:p} is in no chunk of the pool of `{name}`; expected a slot that this pool \
                 handed out, a thread-local one on this thread"
            ),
            Self::Interior { offset } => panic!(
                "invalid free: {address:p} lies {offset} bytes inside a slot of the pool of `{name}`; expected the \
                 slot's own address, {:p}",
                address.wrapping_sub(offset)
            ),
            Self::Vacant => panic!(
                "double free: the slot at {address:p} of the pool of `{name}` is vacant; expected one that is \
                 occupied"
            ),
            Self::Overwritten { offset, found } => panic!(
                "use after free: byte {offset} of the slot at {address:p} of the pool of `{name}` is {found:#04x}; \
                 expected {FILL:#04x}, with which it was filled when it was freed"
            ),
        }
    }
}
