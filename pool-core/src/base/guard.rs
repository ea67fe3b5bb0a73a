//! The one door to what watches the use of a pool's memory: checks of this crate's own ([`hardened`]), AddressSanitizer and
//! Valgrind ([`sanitizer`]), which find misuse, and the profiler Tracy ([`tracy`]).
//!
//! Each has a file for builds that have it, and a file of empty functions for builds that do not. The rest of the crate
//! says what happens to memory (handed out, taken back, filled, poisoned) and asks constants; it has no `cfg` for these.

#[cfg_attr(not(pool_asan), path = "guard/asan_off.rs")]
mod asan;
pub(crate) mod hardened;
#[cfg_attr(not(any(pool_asan, pool_valgrind)), path = "guard/once_off.rs")]
pub(crate) mod once;
pub(crate) mod sanitizer;
#[cfg_attr(not(feature = "tracy"), path = "guard/tracy_off.rs")]
pub(crate) mod tracy;
#[cfg_attr(not(pool_valgrind), path = "guard/valgrind_off.rs")]
pub(crate) mod valgrind;

use crate::base::sites::IS_SITED;

/// Whether a pointer is checked before its slot is taken back.
pub(crate) const IS_CHECKED: bool = hardened::IS_HARDENED || cfg!(debug_assertions);

/// Whether every slot that is handed out is accounted for, one by one.
pub(crate) const IS_GUARDED: bool = hardened::IS_HARDENED || valgrind::IS_ON;

/// Whether every slot that is taken back is, too: because it was, or because it knows the line that took it.
pub(crate) const IS_WATCHED: bool = IS_GUARDED || IS_SITED;
