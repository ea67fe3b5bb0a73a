//! A field built twice

use typed_pool::init;

struct Big {
    id: u32,
    cells: [u8; 4096],
}

fn main() {
    let _ = init!(Big { id: 7, cells <- init::zeroed(), id: 8 });
    let _ = init!(Big { cells <- init::zeroed(), id: 7, cells <- init::zeroed() });
}
