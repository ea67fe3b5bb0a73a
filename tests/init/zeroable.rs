//! Types that the crate makes `Zeroable`.

use std::cell::{Cell, UnsafeCell};
use std::marker::{PhantomData, PhantomPinned};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::num::{NonZero, Wrapping};
use std::ptr::NonNull;

use typed_pool::Zeroable;

/// Does not compile if one is lost.
#[test]
fn no_type_is_lost() {
    macro_rules! are_zeroable {
        ($($type:ty),* $(,)?) => {$(
            let _: $type = <$type as Zeroable>::zeroed();
        )*};
    }
    are_zeroable! {
        u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, bool, char, (),
        PhantomPinned, PhantomData<str>, *const String, *mut String,
        MaybeUninit<String>, ManuallyDrop<u8>, Wrapping<u8>, Cell<u8>, UnsafeCell<u8>,
        [u8; 1001], [[u16; 0]; 3],
        Option<&u8>, Option<&mut u8>, Option<NonNull<u8>>, Option<Box<u8>>,
        Option<NonZero<u8>>, Option<NonZero<u16>>, Option<NonZero<u32>>, Option<NonZero<u64>>,
        Option<NonZero<u128>>, Option<NonZero<usize>>,
        Option<NonZero<i8>>, Option<NonZero<i16>>, Option<NonZero<i32>>, Option<NonZero<i64>>,
        Option<NonZero<i128>>, Option<NonZero<isize>>,
        (u8,), (u8, u8), (u8, u8, u8), (u8, u8, u8, u8), (u8, u8, u8, u8, u8),
        (u8, u8, u8, u8, u8, u8), (u8, u8, u8, u8, u8, u8, u8),
        (u8, u8, u8, u8, u8, u8, u8, u8),
    }
}

#[test]
fn zeros_are_the_least_and_nothing() {
    let (number, flag, letter) = <(f64, bool, char)>::zeroed();
    assert_eq!((number.to_bits(), flag, letter), (0, false, '\0'));
    let (boxed, least) = <(Option<Box<u8>>, Option<NonZero<i128>>)>::zeroed();
    assert_eq!((boxed, least), (None, None));
    assert_eq!(<(Option<&u8>, Option<NonNull<u8>>)>::zeroed(), (None, None));
    assert!(<(*const u8, *mut u8)>::zeroed().0.is_null());
}
