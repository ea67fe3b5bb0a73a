//! A type's own pool: the trait, its storages, checks, and the end of a thread.

#[cfg(pool_addresses)]
mod addresses;
/// Where thread-locals are found without them.
#[cfg(all(feature = "std", not(pool_addresses)))]
mod addresses {
    use core::ptr::NonNull;

    #[derive(Debug)]
    pub(super) struct Addresses;

    impl Addresses {
        pub(super) const NONE: Self = Self;

        #[inline(always)]
        pub(super) fn find(&self) -> Option<NonNull<()>> {
            None
        }

        pub(super) fn enter(&self, _: NonNull<()>) {}

        pub(super) fn remove(&self) {}
    }
}
#[cfg(feature = "any")]
pub mod any;
pub(crate) mod boxes;
#[cfg(feature = "any")]
pub(crate) mod by_layout;
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
#[cfg(feature = "std")]
pub(crate) mod thread_exit;
#[cfg(feature = "std")]
#[allow(private_bounds, private_interfaces, reason = "hidden, for the derive")]
#[allow(missing_debug_implementations, unnameable_types, reason = "hidden, for the derive")]
pub(crate) mod thread_local;
#[allow(private_bounds, private_interfaces, reason = "hidden, for the derive")]
#[allow(missing_debug_implementations, unnameable_types, reason = "hidden, for the derive")]
pub(crate) mod with_counts;
