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

    let relative = Relative::pool_alloc_with(|| Relative(1));
    let absolute = Absolute::pool_alloc_with(|| Absolute(2));
    let parent = inner::Super::pool_alloc_with(|| inner::Super(3));
    let in_function = InFunction::pool_alloc_with(|| InFunction(4));
    let by_macro = ByMacro::pool_alloc_with(|| ByMacro(5));
    let nodes = (
        Node::<u32>::pool_alloc_with(|| Node([6; 2])),
        Node::<u64>::pool_alloc_with(|| Node([7; 2])),
    );
    let values = [relative.0, absolute.0, parent.0, in_function.0, by_macro.0, nodes.1.0[0]];
    assert_eq!(values, [1, 2, 3, 4, 5, 7]);
    drop(nodes.0);
}
