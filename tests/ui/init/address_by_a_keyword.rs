//! As `address_of_another_form`: by what is no name for a variable.

use typed_pool::{init, try_init};

struct Link {
    value: u32,
}

const PLACE: u32 = 1;

fn main() {
    let _ = init!(&PLACE in Link { value: 1 });
    let _ = try_init!(&_ in Link { value: 1 } ? ());
}
