//! `Init` implemented and called by hand

use typed_pool::{Init, init};

struct Never;

impl Init<u32> for Never {
    unsafe fn init(self, _place: *mut u32) -> Result<(), std::convert::Infallible> {
        Ok(())
    }
}

fn main() {
    let mut place = 0;
    let _ = init::value(1).init(&mut place);
}
