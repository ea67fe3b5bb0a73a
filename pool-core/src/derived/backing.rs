//! The names by which the derive calls the pool behind each kind of boxes. With `passthrough`, all are blocks of the heap.

// `InBss` is the key of a pool with a capacity, which lies in a static unless it is of blocks.
#[cfg(not(feature = "passthrough"))]
pub use crate::derived::{
    fixed::{FixedList, FixedStack},
    storage::InStatic as InBss,
};
#[cfg(all(feature = "alloc", not(feature = "passthrough")))]
pub use crate::pool::typed::{FreeList, PointerStack};
#[cfg(all(feature = "any", not(feature = "passthrough")))]
pub(crate) use crate::strategy::InFreeList as ClassStrategy;

#[cfg(all(feature = "any", feature = "passthrough"))]
pub(crate) use blocks::ClassStrategy;
#[cfg(feature = "passthrough")]
pub use {
    crate::derived::magazines::StaticPool as InBss,
    blocks::{FixedList, FixedStack, FreeList, PointerStack},
};

#[cfg(feature = "passthrough")]
mod blocks {
    use crate::base::config::Config;
    use crate::derived::magazines::cache::{ListCache, Shareable};
    use crate::pool::typed::TypedPool;
    use crate::strategy::blocks::InBlocks;
    use crate::strategy::{InFreeList, InPointerStack, Strategy};

    pub(crate) type ClassStrategy = InBlocks<InFreeList>;

    /// Of a pool with the strategy `free_list`.
    pub type FreeList<T> = TypedPool<T, ClassStrategy>;
    /// Of a pool with the strategy `pointer_stack`.
    pub type PointerStack<T> = TypedPool<T, InBlocks<InPointerStack>>;
    /// With a capacity: a limited pool takes the place of an array of slots.
    pub type FixedList<T, const N: usize> = TypedPool<T, InBlocks<InFreeList, N>>;
    /// With a capacity, and the strategy `pointer_stack`.
    pub type FixedStack<T, const N: usize> = TypedPool<T, InBlocks<InPointerStack, N>>;

    impl<T, S: Strategy, const CAPACITY: usize> TypedPool<T, InBlocks<S, CAPACITY>> {
        /// How a pool with a capacity grows.
        pub const CONFIG: Config = Config::new().capacity(CAPACITY);
    }

    impl<S: Strategy, const CAPACITY: usize> Shareable for InBlocks<S, CAPACITY> {
        type Cache = ListCache;
    }
}

/// The key of a pool with a capacity, which would lie in a static without the feature.
#[cfg(feature = "passthrough")]
#[doc(hidden)]
#[macro_export]
macro_rules! __static_slots {
    ($pool:ty) => {
        $crate::__static_pool!($pool, <$pool>::CONFIG)
    };
}
