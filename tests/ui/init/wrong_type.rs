//! A value of another type
//!
//! Fix: write one of the field's type.

use typed_pool::init;

struct Big {
    id: u32,
    name: String,
}

fn main() {
    let _ = init!(Big { id: "seven", name: String::new() });
    let _ = init!(Big { id: 7, name: "big" });
}
