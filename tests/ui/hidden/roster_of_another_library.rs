//! A library of your own, whose static rosters ask nothing of their elements

#![forbid(unsafe_code)]

use std::cell::Cell;
use typed_pool::Pooled;

mod lenient {
    pub mod __private {
        pub use typed_pool::__private::*;

        pub trait StaticElement<T> {
            fn check() {}
        }
        impl<T> StaticElement<T> for Checked {}

        macro_rules! roster {
            ($ty:ty, $config:expr) => {
                typed_pool::__private::__static_roster!($ty, $config)
            };
        }
        pub(crate) use roster as __static_roster;
    }
}

#[derive(Pooled)]
#[pool(crate = lenient, static, strategy = roster)]
struct Monster {
    health: Cell<i32>,
}

fn main() {}
