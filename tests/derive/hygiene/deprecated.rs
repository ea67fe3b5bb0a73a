//! Deprecated types, and parameters of every kind: a constant one with the name of a type in scope among them.

#![allow(dead_code, reason = "it is about the declarations")]

use typed_pool::{Pooled, Rewind, Rewindable, Zeroable};

#[deprecated]
#[derive(Pooled, Zeroable)]
struct Old(u64);

#[derive(Pooled)]
#[allow(deprecated)]
#[pool(static, instances(Of<Old>))]
struct Of<T>(T);

#[derive(Pooled)]
#[allow(deprecated)]
#[pool(strategy = roster)]
struct Handled(Old);

type N = u64;

#[derive(Pooled, Zeroable)]
#[pool(instances(Block<N, 3>))]
struct Block<T, const N: usize>([T; N]);

#[derive(Zeroable)]
struct Borrows<'a, 'b, T: Clone, const N: usize> {
    numbers: [T; N],
    text: Option<&'a &'b T>,
}

#[derive(Rewindable)]
struct World<T: Clone, const N: usize> {
    things: Rewind<[T; N]>,
}

#[test]
fn they_have_pools() {
    assert_eq!(Block::pool_alloc_with(|| Block([7_u64; 3])).0, [7; 3]);
}
