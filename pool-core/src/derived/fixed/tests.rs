use core::ffi::c_void;

use super::Fixed;

unsafe extern "C" {
    fn __asan_address_is_poisoned(address: *const c_void) -> i32;
}

#[test]
fn what_is_vacant_is_poisoned() {
    static POOL: Fixed<[u64; 3], 4> = Fixed::EMPTY;
    let acquire = || POOL.acquire(|| ()).ok().flatten().unwrap();
    let is_poisoned = |slot: *mut u8| {
        // SAFETY: the call looks at the sanitizer's shadow only.
        unsafe { __asan_address_is_poisoned(slot.cast()) != 0 }
    };
    let [first, second] = [(); 2].map(|()| acquire());
    assert!(!is_poisoned(first.as_ptr()) && !is_poisoned(second.as_ptr()));
    let vacant = (1..=4).filter(|&number| is_poisoned(POOL.slot(number)));
    assert_eq!(vacant.count(), 2, "never used");
    // SAFETY: the slot has just been taken, and is not used.
    unsafe { POOL.release(first) }.unwrap();
    assert!(is_poisoned(first.as_ptr()) && !is_poisoned(second.as_ptr()));
    assert_eq!(acquire(), first);
    assert!(!is_poisoned(first.as_ptr()));
}
