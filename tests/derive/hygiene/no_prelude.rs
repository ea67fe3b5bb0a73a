//! Without the prelude, a name is only what it is imported as.

#![no_implicit_prelude]

use ::typed_pool::Pooled;

#[derive(Pooled)]
#[pool(chunk = 4, max = 8, name = "bullets")]
struct Bullet(u64);

#[derive(Pooled)]
#[pool(pad, capacity = 4)]
struct Marker;

#[derive(Pooled)]
#[pool(instances(Node<u64>, Node<[u32; 4]>))]
struct Node<T>(T);

#[derive(Pooled)]
#[pool(static, capacity = 4, name = "shared", instances(Pair<u64>, Pair<u8>))]
struct Pair<T>(T, T);

#[derive(::typed_pool::Zeroable)]
struct Zeros<T>(u8, ::core::option::Option<::std::boxed::Box<T>>);

#[::core::prelude::v1::test]
fn zeroes() {
    let pool = ::typed_pool::FreeList::<Zeros<u8>>::new();
    let ::core::result::Result::Ok(zeros) =
        pool.init(::typed_pool::init!(Zeros { 0: 1, ..::typed_pool::init::zeroed() }));
    ::core::assert_eq!((zeros.0, &zeros.1), (1, &::core::option::Option::None));
}

#[::core::prelude::v1::test]
fn allocates() {
    ::core::assert_eq!(Pair::<u8>::pool_alloc_with(|| Pair(1, 2)).1, 2);
    let bullet = Bullet::pool_alloc_with(|| Bullet(1));
    let marker = Marker::pool_alloc_with(|| Marker);
    let nodes = (
        Node::<u64>::pool_alloc_with(|| Node(1)),
        Node::<[u32; 4]>::pool_alloc_with(|| Node([0; 4])),
    );
    ::core::assert_eq!((bullet.0, nodes.0.0, nodes.1.0[0]), (1, 1, 0));
    Marker::pool_free(marker);
}
