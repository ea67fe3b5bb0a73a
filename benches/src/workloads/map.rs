//! W11: a generic map, as a library has it: a treap of boxed nodes, which no derive knows all types of.

use core::cmp::Ordering;
use core::mem;
use core::ops::DerefMut;

use typed_pool::Pooled;

use crate::contestant::Contestant;
use crate::contestants::Derived;
use crate::random::Random;

/// A contestant whose objects are owned as `Box` owns.
pub trait Boxes<N>: Contestant<N, Object: DerefMut<Target = N>> {}

impl<N, C: Contestant<N, Object: DerefMut<Target = N>>> Boxes<N> for C {}

/// A node of 40 bytes, where key and value are words.
#[derive(Pooled)]
#[pool(instances(Node<u64, u64, Derived>))]
pub struct Node<K, V, C: Contestant<Node<K, V, C>>> {
    key: K,
    value: V,
    /// No node's is above its parent's.
    priority: u64,
    left: Option<C::Object>,
    right: Option<C::Object>,
}

type Link<K, V, C> = Option<<C as Contestant<Node<K, V, C>>>::Object>;

/// A map in the order of its keys.
pub struct Map<K, V, C: Boxes<Node<K, V, C>>> {
    contestant: C,
    root: Link<K, V, C>,
    random: Random,
}

impl<K: Ord, V, C: Boxes<Node<K, V, C>>> Map<K, V, C> {
    /// Without nodes.
    pub fn new(contestant: C) -> Self {
        Self { contestant, root: None, random: Random::new(5) }
    }

    /// Puts a value in. The value that was there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        if let Some(found) = self.get_mut(&key) {
            return Some(mem::replace(found, value));
        }
        let priority = self.random.bits();
        Self::put(&mut self.root, priority, key, |key, left, right| {
            self.contestant.alloc(|| Node { key, value, priority, left, right })
        });
        None
    }

    /// Takes a key out, with its node.
    pub fn remove(&mut self, key: &K) -> bool {
        Self::take(&mut self.root, key).map(|node| self.contestant.free(node)).is_some()
    }

    /// The value.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let mut node = self.root.as_mut()?;
        loop {
            node = match key.cmp(&node.key) {
                Ordering::Less => node.left.as_mut()?,
                Ordering::Greater => node.right.as_mut()?,
                Ordering::Equal => return Some(&mut node.value),
            };
        }
    }

    /// Puts a new node where its priority belongs.
    fn put(
        link: &mut Link<K, V, C>,
        priority: u64,
        key: K,
        node: impl FnOnce(K, Link<K, V, C>, Link<K, V, C>) -> C::Object,
    ) {
        match link {
            Some(above) if above.priority >= priority => {
                let below = if key < above.key { &mut above.left } else { &mut above.right };
                Self::put(below, priority, key, node);
            }
            _ => {
                let (left, right) = Self::split(link.take(), &key);
                *link = Some(node(key, left, right));
            }
        }
    }

    /// Takes a node out, without those below it.
    fn take(link: &mut Link<K, V, C>, key: &K) -> Link<K, V, C> {
        let node = link.as_mut()?;
        match key.cmp(&node.key) {
            Ordering::Less => Self::take(&mut node.left, key),
            Ordering::Greater => Self::take(&mut node.right, key),
            Ordering::Equal => {
                let below = Self::merge(node.left.take(), node.right.take());
                mem::replace(link, below)
            }
        }
    }

    /// Splits a tree into the nodes below the key and those above.
    fn split(link: Link<K, V, C>, key: &K) -> (Link<K, V, C>, Link<K, V, C>) {
        let Some(mut node) = link else { return (None, None) };
        if *key < node.key {
            let (left, right) = Self::split(node.left.take(), key);
            node.left = right;
            (left, Some(node))
        } else {
            let (left, right) = Self::split(node.right.take(), key);
            node.right = left;
            (Some(node), right)
        }
    }

    /// Both, where all keys of the one are below those of the other.
    fn merge(left: Link<K, V, C>, right: Link<K, V, C>) -> Link<K, V, C> {
        let (mut left, mut right) = match (left, right) {
            (Some(left), Some(right)) => (left, right),
            (one, other) => return one.or(other),
        };
        if left.priority > right.priority {
            left.right = Self::merge(left.right.take(), Some(right));
            Some(left)
        } else {
            right.left = Self::merge(Some(left), right.left.take());
            Some(right)
        }
    }
}

/// Spreads keys, and never makes one of two.
fn scattered(number: u64) -> u64 {
    number.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Fills a map.
#[inline(never)]
pub fn fill<C: Boxes<Node<u64, u64, C>>>(contestant: C, count: u64) -> Map<u64, u64, C> {
    let mut map = Map::new(contestant);
    for number in 0..count {
        map.insert(scattered(number), number);
    }
    map
}

/// Again and again the oldest key goes, and a new one comes. The map has the keys from `first` on, `count` of them.
#[inline(never)]
pub fn churn<C: Boxes<Node<u64, u64, C>>>(
    map: &mut Map<u64, u64, C>,
    first: u64,
    count: u64,
    steps: u64,
) -> u64 {
    let mut removed = 0;
    for number in first..first + steps {
        removed += u64::from(map.remove(&scattered(number)));
        map.insert(scattered(number + count), number);
    }
    removed
}
