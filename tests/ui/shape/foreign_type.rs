//! As `not_derived`: a type of another crate.

use typed_pool::PoolBox;

fn main() {
    let name = PoolBox::new(String::new());
}
