//! A document of shared nodes that know their parents, built, laid out, edited at random and dropped.

use std::cell::{Cell, RefCell};
use std::hint::black_box;

use typed_pool::Pooled;

use super::pointers::{Rc, Weak};
use crate::clock::{Clock, Phases};
use crate::random::Random;

const NODES: usize = 100_000;
const EDITS: usize = 20_000;
const DOCUMENTS: usize = 7;

#[derive(Pooled)]
#[pool(rc)]
struct Node {
    name: u32,
    width: Cell<u32>,
    /// Numbers of names and values in tables, as documents keep them.
    attributes: [u32; 16],
    parent: RefCell<Weak<Node>>,
    children: RefCell<Vec<Rc<Node>>>,
}

fn node(name: u32) -> Rc<Node> {
    Rc::new(Node {
        name,
        width: Cell::new(0),
        attributes: [name; 16],
        parent: RefCell::default(),
        children: RefCell::default(),
    })
}

fn append(parent: &Rc<Node>, child: Rc<Node>) {
    *child.parent.borrow_mut() = Rc::downgrade(parent);
    parent.children.borrow_mut().push(child);
}

fn build() -> Rc<Node> {
    let root = node(0);
    let mut random = Random::new();
    // The path from the root to where the parser is.
    let mut path = vec![root.clone()];
    for name in 1..NODES as u32 {
        let child = node(name);
        append(path.last().expect("the root stays"), child.clone());
        match random.below(3) {
            0 if path.len() > 1 => {
                path.pop();
            }
            1 if path.len() < 20 => path.push(child),
            _ => {}
        }
    }
    root
}

fn lay_out(node: &Node) -> u32 {
    let width = node
        .children
        .borrow()
        .iter()
        .map(|child| lay_out(child))
        .fold(node.attributes[node.name as usize % 16], u32::wrapping_add);
    node.width.set(width);
    width
}

fn all(node: &Rc<Node>, nodes: &mut Vec<Rc<Node>>) {
    nodes.push(node.clone());
    node.children.borrow().iter().for_each(|child| all(child, nodes));
}

/// Replaces leaves by new ones.
fn edit(nodes: &mut [Rc<Node>], random: &mut Random) {
    for name in 0..EDITS as u32 {
        let at = random.below(nodes.len());
        let old = &nodes[at];
        let Some(parent) = old.parent.borrow().upgrade() else { continue };
        if !old.children.borrow().is_empty() {
            continue;
        }
        let new = node(name);
        *new.parent.borrow_mut() = Rc::downgrade(&parent);
        if let Some(place) =
            parent.children.borrow_mut().iter_mut().find(|child| Rc::ptr_eq(child, old))
        {
            *place = new.clone();
        }
        nodes[at] = new;
    }
}

pub(crate) fn run() -> Phases {
    let mut clock = Clock::start();
    let mut random = Random::new();
    for _ in 0..DOCUMENTS {
        let root = clock.phase("DOM: build, a node", NODES, build);
        clock.phase("DOM: lay out, a node", NODES, || black_box(lay_out(&root)));
        let mut nodes = Vec::with_capacity(NODES);
        all(&root, &mut nodes);
        clock.phase("DOM: replace random leaves, each", EDITS, || edit(&mut nodes, &mut random));
        drop(nodes);
        clock.phase("DOM: drop, a node", NODES, || drop(root));
    }
    clock.stop()
}
