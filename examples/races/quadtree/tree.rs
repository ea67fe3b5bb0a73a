//! The quad-tree: one implementation, wherever its nodes live.

use core::ops::DerefMut;

use typed_pool::{PoolBox, Pooled};

/// Where the nodes of a tree live. Only this comparison needs it: in a program of your own, write
/// `PoolBox<QuadTreeNode>` where this file says `B::Box`, and leave out `B` and `instances`.
pub(crate) trait Backend: Sized + 'static {
    /// Owns one node, and frees its memory when dropped.
    type Box: DerefMut<Target = QuadTreeNode<Self>>;

    /// Puts a new node into memory of its own; a function makes it, so that it is built in place.
    fn place(node: impl FnOnce() -> QuadTreeNode<Self>) -> Self::Box;
}

/// Nodes live in the pool of their type.
pub(crate) struct Pool;

impl Backend for Pool {
    type Box = PoolBox<QuadTreeNode<Self>>;

    fn place(node: impl FnOnce() -> QuadTreeNode<Self>) -> Self::Box {
        QuadTreeNode::pool_alloc_with(node)
    }
}

/// A point of the tree. It carries its coordinates, so that a query reads only nodes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Item {
    pub(crate) id: u32,
    pub(crate) x: f32,
    pub(crate) y: f32,
}

/// A part of the plane, and the items in it.
#[derive(Pooled)]
#[pool(instances(QuadTreeNode<Pool>))]
pub(crate) struct QuadTreeNode<B: Backend> {
    // Corners rather than center and width: a border has the same bits on both sides, so rounding
    // moves no item across it.
    low: [f32; 2],
    high: [f32; 2],
    content: Content<B>,
}

enum Content<B: Backend> {
    /// Up to [`LEAF`] items, inside the node itself.
    Leaf { len: u8, items: [Item; LEAF] },
    /// A node for each quarter: lower left, lower right, upper left, upper right.
    Quarters([B::Box; 4]),
    /// More than [`LEAF`] items at the greatest depth. Items that share one spot end up here: no split
    /// can separate them.
    Crowd(Vec<Item>),
}

/// Fills the node up to 96 bytes.
const LEAF: usize = 6;

/// The sides of the smallest node are 1/65,536 of the root's.
const DEEPEST: u32 = 16;

impl<B: Backend> QuadTreeNode<B> {
    /// An empty tree for items from the origin to `size`.
    pub(crate) fn root(size: [f32; 2]) -> B::Box {
        B::place(|| Self::leaf([0.0; 2], size))
    }

    fn leaf(low: [f32; 2], high: [f32; 2]) -> Self {
        Self { low, high, content: Content::Leaf { len: 0, items: [Item::default(); LEAF] } }
    }

    /// Adds an item to the tree with this root.
    pub(crate) fn insert(&mut self, item: Item) {
        self.insert_at(0, item);
    }

    fn insert_at(&mut self, depth: u32, item: Item) {
        let [x, y] = self.center();
        match &mut self.content {
            Content::Quarters(quarters) => {
                let quarter = usize::from(item.x >= x) + 2 * usize::from(item.y >= y);
                quarters[quarter].insert_at(depth + 1, item);
            }
            Content::Leaf { len, items } if usize::from(*len) < LEAF => {
                items[usize::from(*len)] = item;
                *len += 1;
            }
            Content::Leaf { items, .. } if depth < DEEPEST => {
                let items = *items;
                self.content = self.quarters();
                for item in items.into_iter().chain([item]) {
                    self.insert_at(depth, item);
                }
            }
            Content::Leaf { items, .. } => {
                let mut crowd = items.to_vec();
                crowd.push(item);
                self.content = Content::Crowd(crowd);
            }
            Content::Crowd(items) => items.push(item),
        }
    }

    fn center(&self) -> [f32; 2] {
        [0, 1].map(|axis| (self.low[axis] + self.high[axis]) / 2.0)
    }

    fn quarters(&self) -> Content<B> {
        let ([left, lower], [x, y], [right, upper]) = (self.low, self.center(), self.high);
        Content::Quarters([
            B::place(|| Self::leaf([left, lower], [x, y])),
            B::place(|| Self::leaf([x, lower], [right, y])),
            B::place(|| Self::leaf([left, y], [x, upper])),
            B::place(|| Self::leaf([x, y], [right, upper])),
        ])
    }

    /// Calls `found` once for each pair of items that are closer than `reach`.
    pub(crate) fn pairs(&self, reach: f32, found: &mut impl FnMut(u32, u32)) {
        match self.view() {
            View::Quarters([a, b, c, d]) => {
                for quarter in [a, b, c, d] {
                    quarter.pairs(reach, found);
                }
                for (one, other) in [(a, b), (c, d), (a, c), (b, d), (a, d), (b, c)] {
                    one.pairs_across(other, reach, found);
                }
            }
            View::Items(items) => {
                for (number, one) in items.iter().enumerate() {
                    one.pairs_among(&items[number + 1..], reach, found);
                }
            }
        }
    }

    /// The pairs of an item in this node with an item in another, disjoint one.
    fn pairs_across(&self, other: &Self, reach: f32, found: &mut impl FnMut(u32, u32)) {
        if (0..2).any(|axis| {
            self.low[axis] - other.high[axis] >= reach || other.low[axis] - self.high[axis] >= reach
        }) {
            return;
        }
        match (self.view(), other.view()) {
            (View::Quarters(quarters), _) => {
                for quarter in quarters {
                    quarter.pairs_across(other, reach, found);
                }
            }
            (_, View::Quarters(quarters)) => {
                for quarter in quarters {
                    self.pairs_across(quarter, reach, found);
                }
            }
            (View::Items(ours), View::Items(theirs)) => {
                for one in ours {
                    one.pairs_among(theirs, reach, found);
                }
            }
        }
    }

    fn view(&self) -> View<'_, B> {
        match &self.content {
            Content::Leaf { len, items } => View::Items(&items[..usize::from(*len)]),
            Content::Crowd(items) => View::Items(items),
            Content::Quarters(quarters) => View::Quarters(quarters),
        }
    }
}

/// A node's content without the difference between leaf and crowd.
enum View<'a, B: Backend> {
    Items(&'a [Item]),
    Quarters(&'a [B::Box; 4]),
}

impl Item {
    fn pairs_among(self, others: &[Item], reach: f32, found: &mut impl FnMut(u32, u32)) {
        for other in others {
            let (dx, dy) = (self.x - other.x, self.y - other.y);
            if dx * dx + dy * dy < reach * reach {
                found(self.id, other.id);
            }
        }
    }
}
