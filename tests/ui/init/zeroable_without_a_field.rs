//! As `traits_by_hand`: the derive's macro, called without a field, with another type for a field's, or
//! with a bound that does not hold.

#![forbid(unsafe_code)]

use typed_pool::__private::__zeroable;

struct Named {
    id: u32,
    text: Box<str>,
}

struct Inferred(Box<u8>);

struct Bound(Box<u8>);

struct Wide(*const dyn Send);

struct Derefs(Box<u8>);

struct Generic<T>(T, [u8; 4]);

__zeroable!(Named [] [] [] [] where [] [] [] [] [] [id: u32,]);
__zeroable!(Inferred [] [] [] [] where [] [] [] [] [] [0: _,]);
__zeroable!(Bound [] [] [] [] where [] [] [] [] [Box<u8>,] [0: Box<u8>,]);
__zeroable!(Wide [] [] [] [] where [] [] [] [] [] [0: *const u8,]);
__zeroable!(Derefs [] [] [] [] where [] [] [] [] [] [0: u8,]);
__zeroable!(Generic [] [T] [] [T] where [] [] [] [] [] [0: T, 1: [u8; {
    impl<T> Generic<T> {
        fn zeroed() -> Self {
            unreachable!()
        }
    }
    4
}],]);

fn main() {
    let _ = (Named { id: 1, text: "".into() }, Bound(Box::new(1)));
    let _ = (Generic(1, [0; 4]), Inferred(Box::new(1)), Derefs(Box::new(1)), Wide(&1));
}
