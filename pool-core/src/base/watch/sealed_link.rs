//! The secret with which the links of free lists are encoded.
//!
//! There is one for the process, drawn when it is first needed. Its main use is to find bugs: anything that is written
//! over a link, other than another link of the same slot, decodes to an address that is in no chunk. Besides, an attacker
//! that can write to a freed slot but not read it cannot choose where the list leads.

/// Odd, so that multiplying by it can be undone. The fraction of the golden ratio: a bit that is changed
/// changes half of those above it.
const FACTOR: usize = 0x9e37_79b9_7f4a_7c15_u64 as usize | 1;

/// What undoes it, found by Newton's iteration, which doubles the bits that are right.
const INVERSE: usize = {
    let mut inverse = FACTOR;
    let mut right = 3;
    while right < usize::BITS {
        inverse = inverse.wrapping_mul(2_usize.wrapping_sub(FACTOR.wrapping_mul(inverse)));
        right *= 2;
    }
    inverse
};

/// How a link to `next` stands in the slot at `slot`.
///
/// Multiplied, not only combined with the key: otherwise a single byte that is written over would often lead to a slot
/// nearby.
#[inline]
pub(crate) fn encode(next: usize, slot: usize) -> usize {
    (next ^ key(slot)).wrapping_mul(FACTOR)
}

/// Where the link leads that stands in the slot at `slot`.
#[inline]
pub(crate) fn decode(link: usize, slot: usize) -> usize {
    link.wrapping_mul(INVERSE) ^ key(slot)
}

/// What a link in the slot at `slot` is combined with.
fn key(slot: usize) -> usize {
    // With the address, the links of two slots to the same third one differ.
    secret() ^ slot.rotate_left(usize::BITS / 2)
}

/// From the system, through the keys that it gives to `HashMap`. Does not allocate.
#[cfg(feature = "std")]
fn secret() -> usize {
    use core::hash::BuildHasher;
    use std::hash::RandomState;
    use std::sync::OnceLock;

    static SECRET: OnceLock<usize> = OnceLock::new();
    *SECRET.get_or_init(|| RandomState::new().hash_one(0) as usize)
}

/// From where the program was loaded, where nothing else is known.
#[cfg(not(feature = "std"))]
fn secret() -> usize {
    static ADDRESS: u8 = 0;

    let address = (&raw const ADDRESS).addr();
    address.wrapping_mul(FACTOR)
}

#[cfg(test)]
mod tests {
    use core::ops::Range;

    use super::{decode, encode, secret};

    const SLOTS: Range<usize> = 0x7000_1000..0x7000_9000;

    #[test]
    fn a_link_leads_where_it_did_and_one_that_was_changed_does_not() {
        let slot = SLOTS.start + 48;
        for next in SLOTS.step_by(24).chain([0]) {
            let link = encode(next, slot);
            assert_eq!(decode(link, slot), next);
            for changed in (0..usize::BITS).map(|bit| link ^ 1 << bit) {
                let led = decode(changed, slot);
                assert!(!SLOTS.contains(&led) || led % 8 != 0, "{next:x} became {led:x}");
            }
        }
    }

    #[test]
    fn a_link_leads_nowhere_from_another_slot() {
        let next = SLOTS.start + 96;
        let link = encode(next, SLOTS.start);
        for other in SLOTS.step_by(8).skip(1) {
            let led = decode(link, other);
            assert!(!SLOTS.contains(&led), "from {other:x} to {led:x}");
        }
    }

    #[test]
    fn there_is_a_secret() {
        assert!(secret().count_ones() > 1);
        assert_eq!(secret(), secret());
    }
}
