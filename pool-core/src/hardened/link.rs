//! The secret with which the links of free lists are encoded.
//!
//! One for the process, drawn when it is first needed. It is there for bugs first: a link that is written
//! over by anything but another link of the same slot decodes to an address which is in no chunk. Who
//! can write over a freed slot but not read it cannot choose where the list leads, either.

/// What a link in the slot at `address` is encoded with.
#[inline]
pub(crate) fn key(address: usize) -> usize {
    // The address makes the links of two slots to one differ.
    secret() ^ address.rotate_left(usize::BITS / 2)
}

/// From the system, by way of the keys that `HashMap` gets there. Asks nothing of the heap.
#[cfg(feature = "std")]
fn secret() -> usize {
    use std::hash::{BuildHasher, RandomState};
    use std::sync::OnceLock;

    static SECRET: OnceLock<usize> = OnceLock::new();
    *SECRET.get_or_init(|| RandomState::new().hash_one(0) as usize)
}

/// From where the program was loaded, where nothing else is known.
#[cfg(not(feature = "std"))]
fn secret() -> usize {
    static ADDRESS: u8 = 0;

    let address = (&raw const ADDRESS).addr();
    // The fraction of the golden ratio spreads what differs over all bits.
    address.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as usize)
}
