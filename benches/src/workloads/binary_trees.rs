//! W8: a full binary tree, built, walked and dropped.

use core::ops::Deref;

use typed_pool::Pooled;

use crate::contestant::Contestant;
use crate::contestants::Derived;

/// How deep the tree is.
pub const DEPTH: u32 = 16;

/// A node with up to two below it, 24 bytes.
#[derive(Pooled)]
#[pool(instances(Twig<Derived>))]
pub struct Twig<C: Contestant<Twig<C>>> {
    left: Option<C::Object>,
    right: Option<C::Object>,
    height: u64,
}

/// How many nodes a full tree has.
pub const fn nodes(depth: u32) -> u64 {
    (2 << depth) - 1
}

/// Builds a tree, adds up its heights, drops it.
#[inline(never)]
pub fn tree<C>(contestant: C, depth: u32) -> u64
where
    C: Contestant<Twig<C>, Object: Deref<Target = Twig<C>>>,
{
    let root = grow(contestant, depth);
    let sum = weigh(&root);
    contestant.free(root);
    // SAFETY: the whole tree is gone.
    unsafe { contestant.reset() };
    sum
}

#[inline(never)]
fn grow<C: Contestant<Twig<C>>>(contestant: C, depth: u32) -> C::Object {
    let [left, right] = match depth.checked_sub(1) {
        Some(below) => [Some(grow(contestant, below)), Some(grow(contestant, below))],
        None => [None, None],
    };
    contestant.alloc(|| Twig { left, right, height: u64::from(depth) })
}

#[inline(never)]
fn weigh<C>(twig: &Twig<C>) -> u64
where
    C: Contestant<Twig<C>, Object: Deref<Target = Twig<C>>>,
{
    let below = |side: &Option<C::Object>| side.as_deref().map_or(0, weigh);
    twig.height + below(&twig.left) + below(&twig.right)
}
