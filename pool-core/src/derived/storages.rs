//! The storages of boxes, which the derive names. With the feature `passthrough` that file has others under the same
//! names, in its place.

#[cfg(feature = "std")]
pub use crate::__static_pool;
pub use crate::derived::fixed::{Fixed, FixedList, FixedStack};
#[cfg(feature = "std")]
pub use crate::derived::local::LocalPool;
#[cfg(feature = "std")]
pub use crate::derived::magazines::{StaticPool, depot::Depot, magazine::Magazine};
