//! W5: a whole frame of a quad-tree over drifting, clustered bodies: build, query, drop.

mod nursery;
mod switch;
mod tree;

pub use nursery::Nursery;
pub use switch::{Child, Switch, Switchable};
pub use tree::{Area, Node};

use crate::points::Point;

/// The area of the bodies. One that drifts out counts towards the outermost quarter.
const WORLD: Area = Area { low: [-180.0, -90.0], high: [180.0, 90.0] };

/// One of this many bodies asks for its neighbours.
const ASKING: usize = 16;

/// How far near is, in degrees.
const REACH: f32 = 0.5;

/// Builds the tree, asks it, drops it. Returns how many neighbours were found.
#[inline(never)]
pub fn frame<N: Nursery>(nursery: N, places: &[Point]) -> u64 {
    let mut root = nursery.node(WORLD);
    for body in 0..places.len() {
        root.insert(nursery, body as u32, places, 0);
    }
    let mut neighbours = 0;
    for &[x, y] in places.iter().step_by(ASKING) {
        let near = Area { low: [x - REACH, y - REACH], high: [x + REACH, y + REACH] };
        neighbours += root.count_in(&near, places);
    }
    drop(root);
    // SAFETY: the whole tree is gone.
    unsafe { nursery.clear() };
    neighbours
}
