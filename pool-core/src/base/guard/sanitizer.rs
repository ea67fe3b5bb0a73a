//! What AddressSanitizer and Valgrind are told about a pool's memory.
//!
//! To both, a pool is one long block that is valid from end to end. So that the use of a freed slot is reported all the
//! same, through whatever pointer, a pool *poisons* what it takes back and unpoisons what it hands out. `build.rs` finds
//! out whether the program is built for AddressSanitizer (`asan.rs`); Valgrind is told in programs with the feature
//! `valgrind` (`valgrind.rs`). Without either nothing is left of this.
//!
//! # AddressSanitizer
//!
//! The sanitizer keeps track of granules of 8 bytes: of each it knows how many bytes, from its beginning, may be used.
//! So slots of a multiple of 8 bytes are poisoned exactly. For smaller or odd ones, which a pointer stack has, the
//! runtime promises less: "not guaranteed to poison the entire region", and it may unpoison more. That never poisons a
//! live byte, since a granule is cut off only where nothing behind it may be used; but some uses of freed slots go
//! unreported.
//!
//! # Valgrind
//!
//! It keeps track of single bytes, and knows also which are initialised. Besides what is poisoned, it is told which
//! slots a chunk has handed out (a *memory pool*, in its words): then a report names the slot, who took it and who freed
//! it, and a leaked box is a leak. Frame stacks and rosters only poison, since nobody has to give back what they hand
//! out.

use crate::base::guard::{asan, valgrind};

/// Marks `bytes` bytes at `start` as unusable.
#[inline(always)]
pub(crate) fn poison(start: *mut u8, bytes: usize) {
    asan::poison(start, bytes);
    valgrind::forbid(start, bytes);
}

/// Marks `bytes` bytes at `start` as usable, and not initialised.
#[inline(always)]
pub(crate) fn unpoison(start: *mut u8, bytes: usize) {
    asan::unpoison(start, bytes);
    valgrind::allow(start, bytes);
}

/// Marks `bytes` bytes at `start` as usable, with what was written there before.
#[inline(always)]
pub(crate) fn reveal(start: *mut u8, bytes: usize) {
    asan::unpoison(start, bytes);
    valgrind::reveal(start, bytes);
}
