//! Watchers of the use of a pool's memory: checks of this crate's own ([`hardened`]), AddressSanitizer and Valgrind
//! ([`sanitizer`]), which find misuse; and the lines that make elements ([`sites`]).
//!
//! The rest of the crate says what happens to memory: handed out, taken back, filled, poisoned. Where
//! slots are watched one by one, each has a [`Mark`]. A watcher that is off has no size, and a constant that is `false`, so it
//! compiles to nothing.

pub(crate) mod hardened;
mod mark;
pub(crate) mod sanitizer;
pub(crate) mod sites;
pub(crate) mod valgrind;

pub(crate) use mark::Mark;

use crate::base::watch::hardened::IS_HARDENED;

/// Whether a pointer is checked before its slot is taken back.
pub(crate) const IS_CHECKED: bool = IS_HARDENED || cfg!(debug_assertions);

/// Whether slots are watched one by one, each when it is handed out and when it is taken back.
pub(crate) const IS_WATCHED: bool = IS_HARDENED || valgrind::IS_ON;
