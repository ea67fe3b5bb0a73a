//! Finds the misuse of raw pointers, when a slot is taken back and when it is handed out.
//!
//! Safe code frees only live slots, and each of them once. [`PoolBox::from_raw`](crate::PoolBox) and the raw pools'
//! `free` have to believe their callers. Two sets of checks do not:
//!
//! - **In a debug build**, those that cost O(chunks) at most: the pointer leads to a slot of this pool, which was handed
//!   out and is not the one that was freed last.
//! - **With the feature `hardened`**, all that can be checked. A mark for each slot, in its chunk, says whether it is occupied,
//!   which finds a second free while the slot is vacant, and a pointer that was never handed out. Free memory is filled with [`FILL`] and
//!   looked at when it is handed out again, which finds a write after the free. And a free list keeps its links beside the slots, as a pointer stack does, so that
//!   nothing that is written into a free slot leads anywhere.
//!
//! Each finding is a panic that names the type, the address and what was expected, and leaves the pool in order. A wrong
//! free is found before anything is changed. A slot that was written to while it was free is reported once, filled anew,
//! and free again: the pool loses no slot. If a destructor finds something while the thread is panicking already, the
//! process is aborted, after the message.
//!
//! With the feature a static pool that grows has no magazines, and every operation takes its lock. One with a capacity
//! keeps its marks beside the links. Rosters need none of this:
//! handles have generations, which are always checked.
//!
//! In a release build without the feature nothing is left of it.

use core::any::type_name;
use core::slice;

use crate::base::stats::OneLine;
use crate::base::watch::sanitizer;

/// Whether the state of every slot is known.
pub(crate) const IS_HARDENED: bool = cfg!(feature = "hardened");

/// The filling of free memory: as a pointer it leads nowhere, as a length it is absurd.
pub(crate) const FILL: u8 = 0xdd;

/// A fault of a pointer, or of the slot to which it leads.
#[derive(Clone, Copy)]
pub(crate) enum Fault {
    /// It leads to no slot.
    Foreign,
    /// It leads into a slot, `offset` bytes behind its beginning.
    Interior { offset: usize },
    /// The slot is not occupied.
    Vacant,
    /// A byte of the free slot was written to. (One before the element has a negative offset.)
    Overwritten { offset: isize, found: u8 },
}

impl Fault {
    /// The fault as seen from the element, which lies `bytes` behind the beginning of the slot: people know the element's address.
    #[inline]
    pub(crate) fn seen_from_element(self, bytes: usize) -> Self {
        match self {
            Self::Overwritten { offset, found } => {
                Self::Overwritten { offset: offset - bytes as isize, found }
            }
            other => other,
        }
    }

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
        let name = OneLine(name);
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

/// Fills free memory, and leaves it usable: the caller poisons it afterwards.
///
/// # Safety
///
/// The bytes are the pool's, for writing.
#[inline(always)]
pub(crate) unsafe fn fill(start: *mut u8, bytes: usize) {
    if IS_HARDENED {
        sanitizer::unpoison(start, bytes);
        // SAFETY: the bytes are the pool's, for writing (caller).
        unsafe { start.write_bytes(FILL, bytes) };
    }
}

/// Whether the `bytes` bytes of a slot that is about to be handed out are what [`fill`] wrote.
///
/// # Safety
///
/// The slot is the caller's, and was filled.
#[inline]
pub(crate) unsafe fn check_fill(slot: *mut u8, bytes: usize) -> Result<(), Fault> {
    sanitizer::reveal(slot, bytes);
    // SAFETY: the slot is the caller's alone, and all its bytes were written to when it was filled (caller).
    let all = unsafe { slice::from_raw_parts(slot, bytes) };
    // The loop has no early exit, so that it can take many bytes at a time.
    let differs = all.iter().fold(0, |differs, byte| differs | (byte ^ FILL)) != 0;
    let first = if differs { all.iter().position(|&byte| byte != FILL) } else { None };
    let found =
        first.map(|offset| Fault::Overwritten { offset: offset as isize, found: all[offset] });
    sanitizer::unpoison(slot, bytes);
    found.map_or(Ok(()), Err)
}
