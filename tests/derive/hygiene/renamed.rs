//! The library is known by another path.

use super::fragments;

mod engine {
    pub(crate) use ::typed_pool as pools;
}

#[derive(engine::pools::Pooled)]
#[pool(crate = engine::pools, capacity = 4)]
struct Relative(u64);

#[derive(engine::pools::Pooled)]
#[pool(crate = crate::hygiene::renamed::engine::pools, chunk = 4)]
struct Absolute(u64);

#[derive(engine::pools::Pooled)]
#[pool(crate = ::typed_pool, instances(Node<u32>, Node<u64>))]
struct Node<T>([T; 2]);

mod inner {
    #[derive(super::engine::pools::Pooled)]
    #[pool(crate = super::engine::pools)]
    pub(super) struct Super(pub(super) u64);
}

fragments::pooled_by_other_crate!(ByMacro);
fragments::zeroable_by_other_crate!(ZeroedByMacro);

#[derive(engine::pools::Zeroable)]
#[zeroable(crate = engine::pools)]
struct Zeros<T, const N: usize>([T; N]);

#[test]
fn allocates() {
    use engine::pools::{FreeList, Pooled, init};

    #[derive(Pooled)]
    #[pool(crate = engine::pools)]
    struct InFunction(u64);

    const SLOTS: usize = 4;

    #[derive(Pooled)]
    #[pool(static, capacity = SLOTS, crate = engine::pools)]
    struct Shared(u64);

    assert_eq!(Shared::pool_alloc_with(|| Shared(1)).0, 1);

    let pool = FreeList::<(Zeros<u32, 2>, ZeroedByMacro)>::new();
    let Ok(zeros) = pool.init(init::zeroed());
    assert_eq!((zeros.0.0, zeros.1.0), ([0; 2], 0));

    assert_eq!(Relative::pool_alloc_with(|| Relative(1)).0, 1);
    assert_eq!(Absolute::pool_alloc_with(|| Absolute(2)).0, 2);
    assert_eq!(inner::Super::pool_alloc_with(|| inner::Super(3)).0, 3);
    assert_eq!(InFunction::pool_alloc_with(|| InFunction(4)).0, 4);
    assert_eq!(ByMacro::pool_alloc_with(|| ByMacro(5)).0, 5);
    assert_eq!(Node::pool_alloc_with(|| Node([6_u32; 2])).0, [6; 2]);
}
