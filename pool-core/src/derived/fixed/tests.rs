use core::ffi::c_void;
use core::ptr::NonNull;

use super::Fixed;
use crate::derived::pooled::Pooled;
use crate::derived::storage::{BoxStorage, InStatic};
use crate::pointer::boxed::PoolBox;

unsafe extern "C" {
    fn __asan_address_is_poisoned(address: *const c_void) -> i32;
}

struct Element(#[allow(dead_code, reason = "for its size")] [u64; 3]);

type Key = InStatic<Fixed<Element, 4>>;

impl Pooled for Element {
    type __Storage = Key;
    const __POOL: Key = crate::__static_slots!(Fixed<Element, 4>);
}

#[test]
fn what_is_vacant_is_poisoned() {
    let acquire = || Element::__POOL.acquire().unwrap();
    let is_poisoned = |slot: *const u8| {
        // SAFETY: the call looks at the sanitizer's shadow only.
        unsafe { __asan_address_is_poisoned(slot.cast()) != 0 }
    };
    let is_slot_poisoned = |slot: NonNull<Element>| is_poisoned(slot.as_ptr().cast());
    let [first, second] = [(); 2].map(|()| acquire());
    assert!(!is_slot_poisoned(first) && !is_slot_poisoned(second));
    let pool = Element::__POOL.get();
    let vacant = (1..=4).filter(|&number| is_poisoned(pool.slot(number)));
    assert_eq!(vacant.count(), 2, "never used");
    // SAFETY: the slot has just been taken, and has room for one.
    unsafe { first.write(Element([0; 3])) };
    // SAFETY: the element is there, and no other box is made of it.
    drop(unsafe { PoolBox::<Element>::from_raw(first.as_ptr()) });
    assert!(is_slot_poisoned(first) && !is_slot_poisoned(second));
    assert_eq!(acquire(), first);
    assert!(!is_slot_poisoned(first));
}
