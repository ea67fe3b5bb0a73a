//! `try_init!` without an error, `init!` with one

use typed_pool::{init, try_init};

struct Id(u32);

fn main() {
    let _ = try_init!(Id { 0: 1 });
    let _ = init!(Id { 0: 1 } ? ());
    let _ = init!(Id(1));
}
