//! A box of an owned pool written as one of the type's own pool

use typed_pool::{FreeList, PoolBox};

struct Point([f64; 2]);

fn origin(points: &FreeList<Point>) -> PoolBox<Point> {
    points.alloc(Point([0.0; 2]))
}

fn main() {}
