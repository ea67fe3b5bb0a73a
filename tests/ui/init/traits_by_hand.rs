//! `Init` and `Zeroable` implemented by hand

use typed_pool::{Init, Zeroable};

struct Never;

impl Init<u32> for Never {
    unsafe fn init(self, _place: *mut u32) -> Result<(), std::convert::Infallible> {
        Ok(())
    }
}

struct Name(Box<str>);

impl Zeroable for Name {}

fn main() {}
