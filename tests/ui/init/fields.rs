//! Fields left out, built twice, unknown, private, or built by what is no initialiser

use typed_pool::{Zeroable, init, try_init};

#[derive(Zeroable)]
struct Big {
    id: u32,
    cells: [u8; 4096],
}

mod shapes {
    pub struct Circle {
        pub radius: f32,
        id: u32,
    }
}

fn main() {
    let _ = init!(Big { id: 7 });
    let _ = init!(Big { cells <- init::zeroed() });
    let _ = init!(Big { id: 7, cells <- init::zeroed(), id: 8 });
    let _ = init!(Big { cells <- init::zeroed(), id: 7, cells <- init::zeroed() });
    let _ = try_init!(Big { id: 7, cells <- init::zeroed(), position <- init::zeroed() } ? String);
    let _ = init!(&this in Big { ids: 7, ..init::zeroed() });
    let _ = init!(shapes::Circle { radius: 1.0, id: 2 });
    let _ = init!(Big { id: 7, cells <- [0; 4096] });
    let _ = init!(Big { id: 7, ..init::with(|| Big { id: 0, cells: [1; 4096] }) });
    let _ = init!(Big { id: 7, ..Default::default() });
}
