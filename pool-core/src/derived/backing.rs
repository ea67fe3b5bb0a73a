//! What stands behind the boxes of derived pools, under the names that the derive knows. With the feature `passthrough`
//! the file of that name takes the place of this one.

#[cfg(feature = "std")]
pub use crate::__static_pool;
pub use crate::derived::fixed::{Fixed, FixedList, FixedStack};
#[cfg(feature = "std")]
pub use crate::derived::local::LocalPool;
#[cfg(feature = "std")]
pub use crate::derived::magazines::{StaticPool, depot::Depot, magazine::Magazine};
