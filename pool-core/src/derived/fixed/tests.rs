use core::ffi::c_void;
use core::ptr::NonNull;

use super::{Fixed, FixedList, FixedStack};

unsafe extern "C" {
    fn __asan_address_is_poisoned(address: *const c_void) -> i32;
}

#[test]
fn what_is_vacant_is_poisoned() {
    fn acquire<const N: usize, const IS_LIST: bool>(
        pool: &Fixed<[u64; 3], N, IS_LIST>,
    ) -> NonNull<u8> {
        pool.acquire(|| ()).ok().flatten().unwrap()
    }
    fn check<const N: usize, const IS_LIST: bool>(pool: &'static Fixed<[u64; 3], N, IS_LIST>) {
        let is_poisoned = |slot: *mut u8| {
            // SAFETY: the call looks at the sanitizer's shadow only.
            unsafe { __asan_address_is_poisoned(slot.cast()) != 0 }
        };
        let [first, second] = [(); 2].map(|()| acquire(pool));
        assert!(!is_poisoned(first.as_ptr()) && !is_poisoned(second.as_ptr()));
        let vacant = (1..=N as u32).filter(|&number| is_poisoned(pool.slot(number)));
        assert_eq!(vacant.count(), N - 2, "never used");
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
