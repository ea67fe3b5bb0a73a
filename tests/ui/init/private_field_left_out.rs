//! As `private_field`: left to `..init::zeroed()`.

use typed_pool::init;

mod shapes {
    pub struct Circle {
        pub radius: f32,
        id: u32,
    }

    typed_pool::zeroable!(Circle { radius, id });
}

fn main() {
    let _ = init!(shapes::Circle { radius: 1.0, ..init::zeroed() });
}
