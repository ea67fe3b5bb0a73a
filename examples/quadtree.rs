//! Ten thousand moving bodies, and their quad-tree, which is built, queried and dropped in every frame: thousands of small nodes that
//! live for a millisecond.
//!
//! ```text
//! cargo run --release -p typed-pool-examples --example quadtree [-- FRAMES]
//! ```
//!
//! The same frames run with nodes in a pool and in `Box`, and both must find the same neighbours.

use core::ops::DerefMut;
use std::env;
use std::time::{Duration, Instant};

use typed_pool::{PoolBox, Pooled};

/// Owner of a node. Only the comparison needs it: in a program of your own, write `PoolBox<QuadTreeNode>` for
/// `B::Box`, and leave out `B` and `instances`.
trait Backend: Sized + 'static {
    type Box: DerefMut<Target = QuadTreeNode<Self>>;
    fn place(node: impl FnOnce() -> QuadTreeNode<Self>) -> Self::Box;
}

struct InPool;
struct InHeap;

impl Backend for InPool {
    type Box = PoolBox<QuadTreeNode<Self>>;

    fn place(node: impl FnOnce() -> QuadTreeNode<Self>) -> Self::Box {
        QuadTreeNode::pool_alloc_with(node) // built in its slot
    }
}

impl Backend for InHeap {
    type Box = Box<QuadTreeNode<Self>>;

    fn place(node: impl FnOnce() -> QuadTreeNode<Self>) -> Self::Box {
        Box::new(node())
    }
}

type Point = [f32; 2];

/// A square of the plane, and the bodies in it.
#[derive(Pooled)]
#[pool(instances(QuadTreeNode<InPool>))]
struct QuadTreeNode<B: Backend> {
    center: Point,
    half: f32,
    content: Content<B>,
}

enum Content<B: Backend> {
    /// Up to [`LEAF`] bodies, inside the node itself.
    Leaf { len: usize, bodies: [(u32, Point); LEAF] },
    /// A node for each quarter.
    Quarters([B::Box; 4]),
    /// More than [`LEAF`] bodies in the smallest square.
    Crowd(Vec<(u32, Point)>),
}

const LEAF: usize = 6;
const SMALLEST: f32 = 1e-3;

impl<B: Backend> QuadTreeNode<B> {
    fn empty(center: Point, half: f32) -> B::Box {
        let content = Content::Leaf { len: 0, bodies: Default::default() };
        B::place(|| Self { center, half, content })
    }

    fn insert(&mut self, id: u32, at: Point) {
        match &mut self.content {
            Content::Quarters(quarters) => {
                let quarter = [0, 1].map(|axis| usize::from(at[axis] >= self.center[axis]) << axis);
                quarters[quarter[0] + quarter[1]].insert(id, at);
            }
            Content::Leaf { len, bodies } if *len < LEAF => {
                bodies[*len] = (id, at);
                *len += 1;
            }
            Content::Leaf { bodies, .. } if self.half > SMALLEST => {
                let (bodies, half, [x, y]) = (*bodies, self.half / 2.0, self.center);
                self.content = Content::Quarters([
                    Self::empty([x - half, y - half], half),
                    Self::empty([x + half, y - half], half),
                    Self::empty([x - half, y + half], half),
                    Self::empty([x + half, y + half], half),
                ]);
                for (id, at) in bodies.into_iter().chain([(id, at)]) {
                    self.insert(id, at);
                }
            }
            Content::Leaf { bodies, .. } => {
                self.content = Content::Crowd(bodies.iter().copied().chain([(id, at)]).collect());
            }
            Content::Crowd(bodies) => bodies.push((id, at)),
        }
    }

    /// Calls `found` with each body that is nearer to `at` than `reach`.
    fn near(&self, at: Point, reach: f32, found: &mut impl FnMut(u32)) {
        if (0..2).any(|axis| (at[axis] - self.center[axis]).abs() > self.half + reach) {
            return;
        }
        let bodies = match &self.content {
            Content::Quarters(quarters) => {
                return quarters.iter().for_each(|quarter| quarter.near(at, reach, found));
            }
            Content::Leaf { len, bodies } => &bodies[..*len],
            Content::Crowd(bodies) => bodies,
        };
        for &(id, other) in bodies {
            if is_near(at, other, reach) {
                found(id);
            }
        }
    }
}

fn is_near(one: Point, other: Point, reach: f32) -> bool {
    let [x, y] = [0, 1].map(|axis| one[axis] - other[axis]);
    x * x + y * y < reach * reach
}

/// Degrees: real places, so that the tree is as clustered as real data.
const CITIES: &str = include_str!("data/cities.csv");
const REACH: f32 = 0.1;

fn cities() -> Vec<Point> {
    let degrees = |field: &str| field.parse().expect("degrees");
    let lines = CITIES.lines().skip(1).map(|line| line.split_once(',').expect("two columns"));
    lines.map(|(longitude, latitude)| [degrees(longitude), degrees(latitude)]).collect()
}

/// Moves each body a little, the same way in every run.
fn drift(bodies: &mut [Point], frame: u32) {
    for (body, id) in bodies.iter_mut().zip(0_u32..) {
        let random = (id ^ frame << 16).wrapping_mul(0x9e37_79b9);
        body[0] += (random >> 16 & 0xff) as f32 / 2560.0 - 0.05;
        body[1] += (random >> 24) as f32 / 2560.0 - 0.05;
    }
}

/// One body in so many looks for others near it.
const LOOKS: usize = 20;

/// Builds a tree, counts what is near to those that look, and drops it.
fn frame<B: Backend>(bodies: &[Point]) -> usize {
    let mut tree = QuadTreeNode::<B>::empty([0.0; 2], 256.0);
    for (&body, id) in bodies.iter().zip(0..) {
        tree.insert(id, body);
    }
    let mut found = 0;
    for (&body, id) in bodies.iter().zip(0..).step_by(LOOKS) {
        tree.near(body, REACH, &mut |other| found += usize::from(other != id));
    }
    found
}

fn timed(work: impl FnOnce() -> usize) -> (Duration, usize) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}

fn main() {
    let frames: u32 = env::args().nth(1).map_or(200, |frames| frames.parse().expect("a number"));
    let mut bodies = cities();
    let (mut pool, mut heap, mut near) = (Duration::ZERO, Duration::ZERO, 0);
    for number in 0..frames {
        let (time, found) = timed(|| frame::<InPool>(&bodies));
        pool += time;
        let (time, expected) = timed(|| frame::<InHeap>(&bodies));
        heap += time;
        assert_eq!(found, expected);
        near += found;
        drift(&mut bodies, number);
    }
    println!("{} bodies, {frames} frames, {near} found", bodies.len());
    println!(
        "a frame with its nodes in a pool: {:.1?}; in boxes: {:.1?}",
        pool / frames,
        heap / frames
    );
    println!("the pool: {}", QuadTreeNode::<InPool>::pool_stats());
}

#[test]
fn finds_every_neighbour() {
    let clusters = (0..600_u16).map(|n| [f32::from(n % 7) * 1e-5, f32::from(n % 11) / 9.0]);
    for bodies in [cities()[..2000].to_vec(), clusters.collect(), vec![[1.0, -3.0]; 50]] {
        let all = 0..bodies.len();
        let pairs =
            all.clone().step_by(LOOKS).flat_map(|one| all.clone().map(move |other| (one, other)));
        let expected = pairs
            .filter(|&(one, other)| one != other && is_near(bodies[one], bodies[other], REACH));
        assert_eq!(frame::<InPool>(&bodies), expected.count());
        assert_eq!(frame::<InHeap>(&bodies), frame::<InPool>(&bodies));
    }
    assert_eq!(QuadTreeNode::<InPool>::pool_stats().live, 0);
}
