//! `return` out of an initialiser

use typed_pool::try_init;

struct Ids(u32, u32);

fn main() {
    let _ = try_init!(Ids { 0: 1, 1: return Ok(()) } ? ());
}
