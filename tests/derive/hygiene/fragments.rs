//! Types made by macros: the parts of a declaration come as fragments, in invisible groups.

/// A macro of a crate that re-exports the library.
macro_rules! pooled_by_other_crate {
    ($name:ident) => {
        #[derive($crate::hygiene::fragments::library::Pooled)]
        #[pool(crate = $crate::hygiene::fragments::library)]
        struct $name(u64);
    };
}
macro_rules! zeroable_by_other_crate {
    ($name:ident) => {
        #[derive($crate::hygiene::fragments::library::Zeroable)]
        #[zeroable(crate = $crate::hygiene::fragments::library)]
        struct $name(u64);
    };
}
pub(crate) use ::typed_pool as library;
pub(crate) use {pooled_by_other_crate, zeroable_by_other_crate};

use library::{FreeList, Pooled, Zeroable, init};

macro_rules! zeroable {
    ($path:path, $name:ident<$lifetime:lifetime, $parameter:ident: $bound:path>, $($field:ident: $ty:ty),*) => {
        #[derive(Zeroable)]
        #[zeroable(crate = $path)]
        struct $name<$lifetime, $parameter: $bound> { $($field: $ty,)* list: Option<&$lifetime [$parameter; 2]> }
    };
}
zeroable!(library, Zeros<'a, T: Clone>, number: u32, array: [[u8; 2]; 3], option: Option<Box<u8>>);

#[test]
fn zeroes() {
    let pool = FreeList::<Zeros<'_, String>>::new();
    let Ok(zeros) = pool.init(init!(Zeros { number: 1, ..init::zeroed() }));
    assert_eq!((zeros.number, zeros.array), (1, [[0; 2]; 3]));
    assert!(zeros.option.is_none() && zeros.list.is_none());
}

macro_rules! pooled {
    ($name:ident, $field:ty, $chunk:expr, $max:literal, $label:literal) => {
        #[derive(Pooled)]
        #[pool(chunk = $chunk, max = $max, name = $label)]
        struct $name($field);
    };
}
pooled!(Bullet, [u32; 4], 2 + 2, 8, "bullets");

macro_rules! pooled_instances {
    ($name:ident<$parameter:ident>, $($instance:ty),+) => {
        #[derive(Pooled)]
        #[pool(instances($($instance),+))]
        struct $name<$parameter>([$parameter; 4]);
    };
}
pooled_instances!(Node<T>, Node<u32>, Node<Vec<u8>>);

macro_rules! pooled_attributes {
    ($($(#[$attribute:meta])* $name:ident)+) => {
        $(#[derive(Pooled)] $(#[$attribute])* struct $name(u8);)+
    };
}
pooled_attributes!(#[pool(pad, capacity = 2)] Spark #[pool(pad)] Ember);

macro_rules! pooled_by_name {
    ($path:path, $block:block, $name:expr) => {
        #[derive(Pooled)]
        #[pool(crate = $path, capacity = $block, name = $name)]
        struct ByName(u64);
    };
}
pooled_by_name!(library, { 1 + 1 }, concat!("by", " ", "name"));

/// The name is the macro's own.
macro_rules! pooled_unnamed {
    ($($tokens:tt)*) => {
        #[derive(Pooled)]
        #[pool($($tokens)*)]
        struct Unnamed(u64);
    };
}
pooled_unnamed!(capacity = 4 / 2, thread_local);

#[test]
fn allocates() {
    let bullet = Bullet::pool_alloc_with(|| Bullet([1; 4]));
    let stats = Bullet::pool_stats();
    assert_eq!((stats.name, stats.capacity, stats.limit), ("bullets", 4, Some(8)));

    let node = Node::<Vec<u8>>::pool_alloc_with(|| Node([const { Vec::new() }; 4]));
    let numbers = Node::<u32>::pool_alloc_with(|| Node([2; 4]));

    let spark = Spark::pool_alloc_with(|| Spark(3));
    let ember = Ember::pool_alloc_with(|| Ember(4));
    assert_eq!((Spark::pool_stats().limit, Ember::pool_stats().limit), (Some(2), None));

    let named = ByName::pool_alloc_with(|| ByName(5));
    assert_eq!((ByName::pool_stats().name, ByName::pool_stats().capacity), ("by name", 2));

    let unnamed = Unnamed::pool_alloc_with(|| Unnamed(6));
    assert_eq!(Unnamed::pool_stats().capacity, 2);

    assert!(node.0[0].is_empty());
    assert_eq!((bullet.0[0], numbers.0[0], spark.0, ember.0), (1, 2, 3, 4));
    assert_eq!((named.0, unnamed.0), (5, 6));
}
