//! A pool for every shape of type.

#![allow(dead_code, reason = "it is about the declarations")]

use typed_pool::{PoolBox, Pooled};

/// Allocates and frees, and sees to it that the type's own pool is the one that is used.
fn assert_pooled<T: Pooled>(value: impl Fn() -> T) {
    let before = T::pool_stats().live;
    let boxes: Vec<PoolBox<T>> = (0..100).map(|_| T::pool_alloc_with(&value)).collect();
    let stats = T::pool_stats();
    assert_eq!(stats.live, before + 100);
    assert_eq!(stats.slot_bytes, size_of::<T>().max(size_of::<usize>()));
    assert!(boxes.iter().all(|b| PoolBox::as_ptr(b).is_aligned()));
    boxes.into_iter().for_each(T::pool_free);
    assert_eq!(T::pool_stats().live, before);
}

#[test]
fn named() {
    #[derive(Pooled)]
    struct Node {
        bounds: [f32; 4],
        items: Vec<u32>,
        children: [Option<PoolBox<Node>>; 4],
    }

    let node = || Node { bounds: [0.5; 4], items: vec![1, 2], children: Default::default() };
    assert_pooled(node);
}

#[test]
fn unit() {
    #[derive(Pooled, Default)]
    #[pool(pad)]
    struct Unit;

    #[derive(Pooled, Default)]
    #[pool(pad)]
    struct Braces {}

    #[derive(Pooled, Default)]
    #[pool(pad)]
    struct Parentheses();

    assert_pooled(Unit::default);
    assert_pooled(Braces::default);
    assert_pooled(Parentheses::default);
    let (a, b) = (Unit::pool_alloc(), Unit::pool_alloc());
    assert_ne!(PoolBox::as_ptr(&a), PoolBox::as_ptr(&b));
}

#[test]
fn enumeration() {
    #[derive(Pooled)]
    enum Shape {
        Circle { radius: f64 },
        Polygon(Vec<[f32; 2]>),
        Nothing,
    }

    assert_pooled(|| Shape::Circle { radius: 1.0 });
    assert_pooled(|| Shape::Polygon(vec![[0.0; 2]; 3]));
    assert_pooled(|| Shape::Nothing);
}

#[test]
fn without_values() {
    #[derive(Pooled)]
    #[pool(pad)]
    enum Never {}

    assert_eq!(Never::pool_stats().live, 0);
}

#[test]
fn small_and_overaligned() {
    #[derive(Pooled)]
    #[pool(pad)]
    struct Spark(u8);

    #[derive(Pooled)]
    #[repr(align(64))]
    struct CacheLine(u8);

    #[derive(Pooled)]
    #[repr(C, packed)]
    struct Packed(u8, u64);

    /// As small as it is.
    #[derive(Pooled)]
    #[pool(strategy = pointer_stack)]
    struct Dust(u8);

    assert_pooled(|| Spark(1));
    assert_pooled(|| CacheLine(2));
    assert_eq!((Dust::pool_alloc_with(|| Dust(1)).0, Dust::pool_stats().slot_bytes), (1, 1));
    assert_eq!(Spark::pool_alloc_with(|| Spark(3)).0, 3);
    assert_eq!(CacheLine::pool_alloc_with(|| CacheLine(4)).0, 4);
    let packed = Packed::pool_alloc_with(|| Packed(5, 6));
    assert_eq!((packed.0, { packed.1 }), (5, 6));
}

#[test]
fn page_aligned_and_larger_than_a_chunk() {
    #[derive(Pooled)]
    #[repr(align(4096))]
    struct Page(u8);

    /// An element of eight times the bytes that a first chunk has otherwise.
    #[derive(Pooled)]
    struct Map([u64; 8192]);

    #[derive(Pooled)]
    #[pool(capacity = 3)]
    struct Level([u64; 8192]);

    assert_pooled(|| Page(1));
    assert_pooled(|| Map([2; 8192]));
    assert_eq!(Map::pool_alloc_with(|| Map([2; 8192])).0[8191], 2);
    let pages = [3, 4].map(|i| Page::pool_alloc_with(|| Page(i)));
    assert_eq!((pages[0].0, pages[1].0), (3, 4));
    let levels = [5, 6, 7].map(|i| Level::pool_alloc_with(|| Level([i; 8192])));
    assert_eq!([0, 1, 2].map(|i| levels[i].0[8191]), [5, 6, 7]);
    assert_eq!(Level::pool_stats().chunks, 1);
    assert!(Level::pool_try_alloc_with(|| Level([8; 8192])).is_err());
}

#[test]
fn generic() {
    #[derive(Pooled, Default)]
    #[pool(chunk = 32, instances(Node<f32>, Node<Vec<u8>, 2>, Node<Option<Box<dyn Fn()>>>))]
    struct Node<T, const N: usize = 4>
    where
        [T; N]: Default,
    {
        bounds: [T; N],
    }

    let node = Node::<f32>::pool_alloc();
    assert_eq!(Node::<f32>::pool_stats().capacity, 32);
    drop(node);
    assert_pooled(Node::<f32>::default);
    assert_pooled(Node::<Vec<u8>, 2>::default);
    let function = Node::<Option<Box<dyn Fn()>>>::pool_alloc();
    assert!(function.bounds[0].is_none());
    assert_eq!(Node::<Option<Box<dyn Fn()>>>::pool_stats().live, 1);
    assert_eq!(Node::<Vec<u8>, 2>::pool_stats().live, 0);
}

#[test]
fn raw_identifiers() {
    #[derive(Pooled)]
    #[allow(non_camel_case_types)]
    #[pool(capacity = r#const::r#FOR)]
    struct r#type {
        r#struct: u64,
    }

    mod r#const {
        pub(super) const r#FOR: usize = 128;
    }

    assert_pooled(|| r#type { r#struct: 1 });
    assert_eq!(r#type::pool_alloc_with(|| r#type { r#struct: 2 }).r#struct, 2);
    assert_eq!(r#type::pool_stats().limit, Some(128));
}

#[test]
fn conditional_fields_and_attributes() {
    #[derive(Pooled)]
    #[cfg_attr(test, pool(capacity = 100))]
    #[cfg_attr(not(test), pool(unknown = 1))]
    struct Monster {
        #[cfg(not(test))]
        missing: NoSuchType,
        #[cfg(test)]
        health: i64,
    }

    assert_pooled(|| Monster { health: 1 });
    assert_eq!(Monster::pool_alloc_with(|| Monster { health: 2 }).health, 2);
    assert_eq!(Monster::pool_stats().limit, Some(100));
}

#[test]
fn attributes_of_others() {
    /// Documented.
    #[derive(Clone, Debug, PartialEq, Default, Pooled)]
    #[must_use]
    #[pool(chunk = 16)]
    #[repr(C)]
    #[pool(max = 200)]
    struct Monster {
        /// In points.
        #[cfg_attr(test, doc = "More is better.")]
        health: i64,
    }

    assert_pooled(Monster::default);
    let stats = Monster::pool_stats();
    assert_eq!(stats.limit, Some(200));
    assert_eq!(*Monster::pool_alloc(), Monster { health: 0 });
}

#[test]
fn numbers_are_expressions() {
    mod limits {
        pub(super) const BULLETS: usize = 64;
        pub(super) const fn of<A, B>() -> usize {
            size_of::<A>() + size_of::<B>()
        }
    }
    trait Limit {
        const SLOTS: usize;
    }
    impl Limit for u32 {
        const SLOTS: usize = 48;
    }

    macro_rules! assert_capacity {
        ($capacity:literal, $($expression:tt)*) => {{
            #[derive(Pooled)]
            #[pool(capacity = $($expression)*, thread_local)]
            struct Bullet(#[allow(dead_code)] u64);
            assert_eq!(Bullet::pool_stats().capacity, $capacity);
        }};
    }
    assert_capacity!(64, 64);
    assert_capacity!(64, 0x40usize);
    assert_capacity!(1_000, 1_000);
    assert_capacity!(4096, 4 * 1024);
    assert_capacity!(64, limits::BULLETS);
    assert_capacity!(65, { limits::BULLETS + 1 });
    assert_capacity!(66, (limits::BULLETS + 2));
    assert_capacity!(9, limits::of::<u8, u64>());
    assert_capacity!(48, <u32 as Limit>::SLOTS);
    assert_capacity!(2, size_of::<&'static mut dyn Limit2>() / size_of::<usize>());
    assert_capacity!(2, if cfg!(test) { 2 } else { 3 });
    assert_capacity!(3, [1, 3][1]);
    assert_capacity!(
        5,
        match limits::BULLETS {
            64 => 5,
            n => n,
        }
    );
    assert_capacity!(255, u8::MAX as usize);

    trait Limit2 {}
}
