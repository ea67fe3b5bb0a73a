//! The tree.

use core::array;

use typed_pool::Pooled;

use super::{Child, Nursery};
use crate::points::Point;

/// A leaf splits when one more would come.
const FULL: usize = 8;

/// A leaf this deep does not split.
const DEEPEST: u32 = 16;

/// The room of a leaf that cannot split; further bodies in the same spot are not listed.
const ROOM: usize = 11;

/// A rectangle, with its lower and without its upper edges.
#[derive(Clone, Copy)]
pub struct Area {
    /// The corner with the lowest coordinates.
    pub low: Point,
    /// The corner with the highest coordinates.
    pub high: Point,
}

impl Area {
    fn centre(&self) -> Point {
        array::from_fn(|axis| (self.low[axis] + self.high[axis]) * 0.5)
    }

    /// Returns the quarter of the point: a bit for each axis.
    fn quarter_of(&self, [x, y]: Point) -> usize {
        let [middle_x, middle_y] = self.centre();
        usize::from(x >= middle_x) | usize::from(y >= middle_y) << 1
    }

    fn quarter(&self, number: usize) -> Self {
        let centre = self.centre();
        let is_upper = |axis: usize| number >> axis & 1 == 1;
        Self {
            low: array::from_fn(|axis| if is_upper(axis) { centre[axis] } else { self.low[axis] }),
            high: array::from_fn(
                |axis| if is_upper(axis) { self.high[axis] } else { centre[axis] },
            ),
        }
    }

    fn contains(&self, [x, y]: Point) -> bool {
        x >= self.low[0] && x < self.high[0] && y >= self.low[1] && y < self.high[1]
    }

    fn meets(&self, other: &Self) -> bool {
        self.low[0] < other.high[0]
            && self.high[0] >= other.low[0]
            && self.low[1] < other.high[1]
            && self.high[1] >= other.low[1]
    }
}

/// A node of 96 bytes: a leaf with the numbers of its bodies, or four children.
#[derive(Pooled)]
pub struct Node {
    area: Area,
    children: Option<[Child; 4]>,
    items: [u32; ROOM],
    len: u32,
}

const _: () = assert!(size_of::<Node>() == 96);

impl Node {
    pub(super) fn new(area: Area) -> Self {
        Self { area, children: None, items: [0; ROOM], len: 0 }
    }

    #[inline(never)]
    pub(super) fn insert(&mut self, nursery: Nursery, body: u32, places: &[Point], depth: u32) {
        let len = self.len as usize;
        if self.children.is_none() {
            if len < FULL || depth == DEEPEST {
                if len < ROOM {
                    self.items[len] = body;
                    self.len += 1;
                }
                return;
            }
            self.split(nursery, places, depth);
        }
        self.pass_down(nursery, body, places, depth);
    }

    fn split(&mut self, nursery: Nursery, places: &[Point], depth: u32) {
        self.children = Some(array::from_fn(|number| nursery.node(self.area.quarter(number))));
        let items = self.items;
        for &body in &items[..self.len as usize] {
            self.pass_down(nursery, body, places, depth);
        }
        self.len = 0;
    }

    fn pass_down(&mut self, nursery: Nursery, body: u32, places: &[Point], depth: u32) {
        let quarter = self.area.quarter_of(places[body as usize]);
        if let Some(children) = &mut self.children {
            children[quarter].insert(nursery, body, places, depth + 1);
        }
    }

    #[inline(never)]
    pub(super) fn count_in(&self, wanted: &Area, places: &[Point]) -> u64 {
        if !self.area.meets(wanted) {
            return 0;
        }
        let own = self.items[..self.len as usize].iter();
        let own = own.filter(|&&body| wanted.contains(places[body as usize])).count() as u64;
        let children = self.children.iter().flatten();
        own + children.map(|child| child.count_in(wanted, places)).sum::<u64>()
    }
}
