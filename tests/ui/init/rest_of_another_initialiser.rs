//! The rest of the fields from another value

use typed_pool::init;

struct Big {
    id: u32,
    cells: [u8; 4],
}

fn main() {
    let _ = init!(Big { id: 7, ..init::with(|| Big { id: 0, cells: [1; 4] }) });
    let _ = init!(Big { id: 7, ..Default::default() });
}
