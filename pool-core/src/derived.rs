//! A type's own pool: the trait, its storages, and checks.

#[cfg(feature = "any")]
pub mod any;
pub(crate) mod boxes;
#[cfg(feature = "any")]
pub(crate) mod by_layout;
#[allow(missing_debug_implementations, unnameable_types, reason = "hidden, for the derive")]
pub(crate) mod checks;
#[allow(private_bounds, private_interfaces, reason = "hidden, for the derive")]
#[allow(missing_debug_implementations, unnameable_types, reason = "hidden, for the derive")]
pub(crate) mod fixed;
#[cfg(feature = "std")]
#[allow(private_bounds, private_interfaces, reason = "hidden, for the derive")]
#[allow(missing_debug_implementations, unnameable_types, reason = "hidden, for the derive")]
pub(crate) mod local;
#[cfg(feature = "std")]
#[allow(private_bounds, private_interfaces, reason = "hidden, for the derive")]
#[allow(missing_debug_implementations, unnameable_types, reason = "hidden, for the derive")]
pub(crate) mod magazines;
pub(crate) mod pooled;
pub mod rc;
#[cfg(feature = "rosters")]
pub(crate) mod roster_ref;
#[cfg(all(feature = "rosters", feature = "std"))]
pub(crate) mod rosters;
#[allow(private_bounds, private_interfaces, reason = "hidden, for the derive")]
#[allow(missing_debug_implementations, unnameable_types, reason = "hidden, for the derive")]
pub(crate) mod storage;
#[allow(private_bounds, private_interfaces, reason = "hidden, for the derive")]
#[allow(missing_debug_implementations, unnameable_types, reason = "hidden, for the derive")]
pub(crate) mod with_counts;
