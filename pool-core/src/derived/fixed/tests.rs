use core::ffi::c_void;
use core::ptr::NonNull;

use super::{Fixed, FixedList, FixedStack};
use crate::base::watch::sites::Line;

unsafe extern "C" {
    fn __asan_address_is_poisoned(address: *const c_void) -> i32;
}

#[test]
fn what_is_vacant_is_poisoned() {
    fn acquire<A: super::SlotLayout>(pool: &Fixed<A>) -> NonNull<u8> {
        pool.acquire(Line::NONE, || ()).ok().flatten().unwrap()
    }
    fn check<A: super::SlotLayout<Element = [u64; 3]>>(pool: &'static Fixed<A>) {
        let is_poisoned = |slot: *mut u8| {
            // SAFETY: the call looks at the sanitizer's shadow only.
            unsafe { __asan_address_is_poisoned(slot.cast()) != 0 }
        };
        let [first, second] = [(); 2].map(|()| acquire(pool));
        assert!(!is_poisoned(first.as_ptr()) && !is_poisoned(second.as_ptr()));
        let vacant =
            (1..=A::SLOTS as u32).filter(|&number| is_poisoned(pool.slots.slot(number).cast()));
        assert_eq!(vacant.count(), A::SLOTS - 2, "never used");
        // SAFETY: the slot has just been taken, and is not used.
        unsafe { pool.release(first) }.unwrap();
        assert!(is_poisoned(first.as_ptr()) && !is_poisoned(second.as_ptr()));
        assert_eq!(acquire(pool), first);
        assert!(!is_poisoned(first.as_ptr()));
    }
    static STACK: FixedStack<[u64; 3], 4> = Fixed::EMPTY;
    static LIST: FixedList<[u64; 3], 4> = Fixed::EMPTY;
    check(&STACK);
    check(&LIST);
}
