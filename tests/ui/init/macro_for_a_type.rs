//! A macro where the struct is named
//!
//! Fix: write the path of the struct; a value that a macro makes is `init::value(make!())`.

#![forbid(unsafe_code)]

use typed_pool::{init, try_init};

struct Name(String);

macro_rules! make {
    ($($tokens:tt)*) => {
        Name(String::new())
    };
}

fn main() {
    let _ = init!(make! {});
    let _ = init!(make! { 0: String::new() });
    let _ = try_init!(make! { 0: String::new() } ? ());
    let _ = make!().0;
}
