//! As `foreign_type`: an array, a tuple, a number, an `Option` or another type of std.

use typed_pool::PoolBox;

fn main() {
    let bytes = PoolBox::new([0_u8; 64]);
}
