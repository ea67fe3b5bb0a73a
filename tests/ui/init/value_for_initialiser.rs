//! A value after `<-`

use typed_pool::init;

struct Big {
    id: u32,
    cells: [u8; 4096],
}

fn main() {
    let _ = init!(Big { id: 7, cells <- [0; 4096] });
}
