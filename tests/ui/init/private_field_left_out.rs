//! A private field left to `..init::zeroed()`.

use typed_pool::init;

mod shapes {
    #[derive(typed_pool::Zeroable)]
    pub struct Circle {
        pub radius: f32,
        id: u32,
    }
}

fn main() {
    let _ = init!(shapes::Circle { radius: 1.0, ..init::zeroed() });
}
