//! An attribute on a field

#![forbid(unsafe_code)]

use typed_pool::init;

struct Ids(u32, u32);

fn main() {
    let _ = init!(Ids { #[allow(clippy::all)] 0: 1, 1: 2 });
    let _ = init!(Ids { 0: 1, #[cfg_attr(all(), cfg(any()))] 1: 2 });
    let _ = init!(Ids { 0: 1, #[cfg(any())] 1: 2 });
}
