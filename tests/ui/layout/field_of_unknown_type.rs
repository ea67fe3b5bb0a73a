//! A field of a type that is not in scope
//!
//! Fix: import the type. The derive adds no error of its own.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Bullet {
    position: Coordinates,
}

fn main() {}
