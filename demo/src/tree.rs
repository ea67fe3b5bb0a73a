//! The quad-tree over all bullets, built anew in each frame.

use typed_pool::Pooled;

use crate::memory::{Memory, Pools};
use crate::world::{Bullet, Point};

/// A leaf with more bullets is split, unless it is deep.
const MOST: u32 = 6;
const DEEPEST: u32 = 9;
/// The end of a leaf's list.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
pub struct Area {
    pub low: Point,
    pub high: Point,
}

/// A part of the plane: a leaf with a list of bullets, or four quarters.
#[derive(Pooled)]
#[pool(name = "tree nodes", instances(Node<Pools>))]
pub struct Node<M: Memory> {
    count: u32,
    first: u32,
    quarters: Option<[M::Node; 4]>,
}

pub struct Tree<M: Memory> {
    area: Area,
    root: M::Node,
    /// For each bullet, by its index, the next in its leaf.
    next: Vec<u32>,
}

impl Area {
    fn quarter(self, index: usize) -> Self {
        let [x, y] = self.middle();
        let ([left, top], [right, bottom]) = (self.low, self.high);
        let (left, right) = if index & 1 == 0 { (left, x) } else { (x, right) };
        let (top, bottom) = if index & 2 == 0 { (top, y) } else { (y, bottom) };
        Self { low: [left, top], high: [right, bottom] }
    }

    fn middle(self) -> Point {
        [0, 1].map(|axis| (self.low[axis] + self.high[axis]) / 2.0)
    }

    fn index_of(self, at: Point) -> usize {
        let [x, y] = self.middle();
        usize::from(at[0] >= x) + 2 * usize::from(at[1] >= y)
    }

    fn touches(self, at: Point, radius: f32) -> bool {
        (0..2)
            .all(|axis| at[axis] + radius >= self.low[axis] && at[axis] - radius <= self.high[axis])
    }
}

impl<M: Memory> Node<M> {
    fn leaf() -> M::Node {
        M::node(Self { count: 0, first: NONE, quarters: None })
    }

    fn insert(
        &mut self,
        area: Area,
        depth: u32,
        bullet: u32,
        bullets: &[M::Bullet],
        next: &mut [u32],
    ) {
        if let Some(quarters) = &mut self.quarters {
            let index = area.index_of(bullets[bullet as usize].at);
            return quarters[index].insert(area.quarter(index), depth + 1, bullet, bullets, next);
        }
        next[bullet as usize] = self.first;
        self.first = bullet;
        self.count += 1;
        if self.count > MOST && depth < DEEPEST {
            self.quarters = Some([(); 4].map(|()| Self::leaf()));
            while self.first != NONE {
                let bullet = self.first;
                self.first = next[bullet as usize];
                self.insert(area, depth, bullet, bullets, next);
            }
        }
    }

    fn near(&self, area: Area, at: Point, radius: f32, next: &[u32], found: &mut impl FnMut(u32)) {
        if !area.touches(at, radius) {
            return;
        }
        if let Some(quarters) = &self.quarters {
            for (index, quarter) in quarters.iter().enumerate() {
                quarter.near(area.quarter(index), at, radius, next, found);
            }
            return;
        }
        let mut bullet = self.first;
        while bullet != NONE {
            found(bullet);
            bullet = next[bullet as usize];
        }
    }

    fn leaves(&self, area: Area, see: &mut impl FnMut(Area)) {
        match &self.quarters {
            Some(quarters) => {
                for (index, quarter) in quarters.iter().enumerate() {
                    quarter.leaves(area.quarter(index), see);
                }
            }
            None => see(area),
        }
    }
}

impl<M: Memory> Tree<M> {
    pub fn build(area: Area, bullets: &[M::Bullet]) -> Self {
        let mut tree = Self { area, root: Node::<M>::leaf(), next: vec![NONE; bullets.len()] };
        for bullet in 0..bullets.len() as u32 {
            tree.root.insert(area, 0, bullet, bullets, &mut tree.next);
        }
        tree
    }

    /// The indices of bullets near a point.
    pub fn near(
        &self,
        at: Point,
        radius: f32,
        bullets: &[M::Bullet],
        mut found: impl FnMut(usize),
    ) {
        self.root.near(self.area, at, radius, &self.next, &mut |bullet| {
            let Bullet { at: [x, y], .. } = *bullets[bullet as usize];
            if (x - at[0]).powi(2) + (y - at[1]).powi(2) < radius * radius {
                found(bullet as usize);
            }
        });
    }

    pub fn leaves(&self, mut see: impl FnMut(Area)) {
        self.root.leaves(self.area, &mut see);
    }
}
