//! As `traits_by_hand`: the derive's macro, called with tokens that would end one `impl` and begin another.

#![forbid(unsafe_code)]

use typed_pool::__private::__zeroable;

struct Evil(Box<u8>);
struct Fine(u8);

trait Other {}

__zeroable!([> Other for Evil {} unsafe impl<] Fine {});
__zeroable!(Fine> Other for Evil {} unsafe impl Other for Fine< [] [] [] []
    where [] [] [] [] [] [0: u8,]);
__zeroable!(Fine [] [] [] [] where [] [] [for [] Fine: Sized {} impl Other for Evil,] [] [] [0: u8,]);
__zeroable!(Evil [] [] [] [] where [] [] [] [] [] [#[cfg(any())] 0: Box<u8>,]);

fn main() {
    let _ = (Evil(Box::new(1)).0, Fine(1).0);
}
