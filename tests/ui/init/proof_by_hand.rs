//! As `traits_by_hand`: what `init!` itself calls.

#![forbid(unsafe_code)]

use typed_pool::__private::{ByValue, Cell, Done, fields, in_place};
use typed_pool::{Init, init};

fn claimed() -> impl Init<String> {
    fields(|_place: *mut String| Ok(Done::new()))
}

fn made() -> impl Init<String> {
    fields(|_place: *mut String| Ok(Done(())))
}

fn main() {
    let _ = (claimed(), made());
    let place = std::ptr::null_mut::<String>();
    let done = Cell::new(false);
    let _ = ByValue { place, value: String::new() }.build(&done);
    let _ = in_place(place, init::with(String::new)).build(&done);
}
