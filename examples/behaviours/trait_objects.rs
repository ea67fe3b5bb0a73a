//! The tree as trait objects. [`PoolObject`] brings each node's way back to the pool of its own type, in the vtable: a
//! `PoolBox<dyn Node>` is two words, and no slot has a header.

use typed_pool::{PoolBox, PoolObject, Pooled, unsize};

use super::world::{Failure, Running, Status, Success, World};

pub(crate) trait Node: PoolObject {
    fn tick(&mut self, world: &mut World) -> Status;
}

/// All children, one after the other, until one fails.
#[derive(Pooled)]
struct Sequence {
    children: Vec<PoolBox<dyn Node>>,
    current: usize,
}

impl Node for Sequence {
    fn tick(&mut self, world: &mut World) -> Status {
        while let Some(child) = self.children.get_mut(self.current) {
            match child.tick(world) {
                Success => self.current += 1,
                Running => return Running,
                Failure => {
                    self.current = 0;
                    return Failure;
                }
            }
        }
        self.current = 0;
        Success
    }
}

/// The first child that does not fail.
#[derive(Pooled)]
struct Selector {
    children: Vec<PoolBox<dyn Node>>,
}

impl Node for Selector {
    fn tick(&mut self, world: &mut World) -> Status {
        let mut statuses = self.children.iter_mut().map(|child| child.tick(world));
        statuses.find(|&status| status != Failure).unwrap_or(Failure)
    }
}

/// Something to see or to do.
#[derive(Pooled)]
struct Leaf {
    act: fn(&mut World) -> Status,
}

impl Node for Leaf {
    fn tick(&mut self, world: &mut World) -> Status {
        (self.act)(world)
    }
}

/// Takes a few ticks.
#[derive(Pooled)]
struct Nap {
    ticks: u32,
    slept: u32,
}

impl Node for Nap {
    fn tick(&mut self, world: &mut World) -> Status {
        world.rest();
        self.slept += 1;
        if self.slept < self.ticks {
            return Running;
        }
        self.slept = 0;
        Success
    }
}

fn leaf(act: fn(&mut World) -> Status) -> PoolBox<dyn Node> {
    unsize!(PoolBox::new(Leaf { act }) => dyn Node)
}

fn sequence(children: Vec<PoolBox<dyn Node>>) -> PoolBox<dyn Node> {
    unsize!(PoolBox::new(Sequence { children, current: 0 }) => dyn Node)
}

pub(crate) fn guard() -> PoolBox<dyn Node> {
    let nap = unsize!(PoolBox::new(Nap { ticks: 2, slept: 0 }) => dyn Node);
    let children = vec![
        sequence(vec![leaf(World::sees_a_thief), leaf(World::chase), leaf(World::catch)]),
        sequence(vec![leaf(World::is_tired), leaf(World::go_home), nap]),
        leaf(World::patrol),
    ];
    unsize!(PoolBox::new(Selector { children }) => dyn Node)
}

/// Each type has a pool of its own, which counts.
pub(crate) fn pools() -> String {
    let [leaves, sequences] = [Leaf::pool_stats().live, Sequence::pool_stats().live];
    format!("{leaves} leaves and {sequences} sequences in their pools")
}
