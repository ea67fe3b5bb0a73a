//! What finds misuse of a pool's memory: checks of our own, AddressSanitizer and Valgrind.

pub(crate) mod hardened;
#[cfg(feature = "alloc")]
pub(crate) mod quarantine;
pub(crate) mod sanitizer;
#[cfg(feature = "hardened")]
pub(crate) mod sealed_link;
#[cfg(pool_valgrind)]
pub(crate) mod valgrind;
