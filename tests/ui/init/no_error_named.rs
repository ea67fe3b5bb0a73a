//! `try_init!` without an error, `init!` with one
//!
//! Fix: write `try_init!(Id { 0: 1 } ? Error)` and `init!(Id { 0: 1 })`; a tuple struct is written
//! by index.

use typed_pool::{init, try_init};

struct Id(u32);

fn main() {
    let _ = try_init!(Id { 0: 1 });
    let _ = init!(Id { 0: 1 } ? ());
    let _ = init!(Id(1));
}
