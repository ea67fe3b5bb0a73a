//! Shared elements made of the box of a slot that has room for counts.

use typed_pool::{PoolBox, Pooled};

use super::Counted;

#[test]
fn a_reserved_slot_becomes_a_shared_element_where_it_is() {
    pooled! {
        struct Element(u64);
    }

    let mut slot = PoolBox::<Element>::new_uninit();
    let at = slot.as_mut_ptr();
    let shared = Counted::from(slot.write(Element(7)));
    let other = Counted::clone(&shared);
    assert_eq!((Counted::as_ptr(&shared), other.0), (at.cast_const(), 7));
    assert_eq!(Element::pool_stats().live, 1);
}
