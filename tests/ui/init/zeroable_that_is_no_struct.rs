//! As `traits_by_hand`: the derive's macro, called for an enum, a union, a parameter, another crate's type.

#![forbid(unsafe_code)]

use typed_pool::__private::__zeroable;

enum Shape {
    Empty,
}

union Either {
    number: u32,
    text: &'static str,
}

type Alias = String;

__zeroable!(Shape [] [] [] [] where [] [] [] [] [] []);
__zeroable!(Either [] [] [] [] where [] [] [] [] [] [number: u32,]);
__zeroable!(Alias [] [] [] [] where [] [] [] [] [] []);
__zeroable!(T [] [T] [] [] where [] [] [] [] [] []);

fn main() {
    let _ = (Shape::Empty, Either { number: 1 }, Either { text: "" });
}
