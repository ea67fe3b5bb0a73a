//! A private field built from outside

use typed_pool::init;

mod shapes {
    pub struct Circle {
        pub radius: f32,
        id: u32,
    }
}

fn main() {
    let _ = init!(shapes::Circle { radius: 1.0, id: 2 });
}
