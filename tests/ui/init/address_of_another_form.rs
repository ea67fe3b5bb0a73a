//! The address asked for in another form
//!
//! Fix: write `&name in` before the struct's path, with a name of your choice: `init!(&this in Link { .. })`.

use typed_pool::{init, try_init};

struct Link {
    value: u32,
}

fn main() {
    let _ = init!(&mut this in Link { value: 1 });
    let _ = init!(this in Link { value: 1 });
    let _ = try_init!(&this Link { value: 1 } ? ());
    let _ = init!(&this in this);
    let _ = init!(&this.value in Link { value: 1 });
}
