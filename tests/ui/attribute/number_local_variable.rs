//! A local variable for a number
//!
//! Fix: a pool's numbers are known when the program is compiled: make it a `const LIMIT: usize =
//! 64;`.

use typed_pool::Pooled;

fn main() {
    let limit = 64;
    println!("{limit}");

    #[derive(Pooled)]
    #[pool(capacity = limit)]
    struct Bullet([f32; 4]);
}
