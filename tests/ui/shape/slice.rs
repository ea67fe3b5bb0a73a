//! As `trait_object`: a slice, or text.

use typed_pool::PoolBox;

struct Mesh {
    vertices: PoolBox<[f32]>,
}

fn main() {}
