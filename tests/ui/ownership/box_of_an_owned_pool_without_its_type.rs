//! A box of an owned pool written as one of the type's own pool
//!
//! Fix: write where it comes from, `PoolBoxIn<Point, &FreeList<Point>>`; or derive `Pooled` on the type, and have no pool to
//! pass around.

use typed_pool::{FreeList, PoolBox};

struct Point([f64; 2]);

fn origin(points: &FreeList<Point>) -> PoolBox<Point> {
    points.alloc(Point([0.0; 2]))
}

fn main() {}
