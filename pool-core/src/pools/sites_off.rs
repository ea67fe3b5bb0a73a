//! In place of `sites.rs` in a program without the feature: all of it is empty.

use core::fmt;

use crate::base::ledger::Facts;
use crate::pools::info::PoolInfo;
use crate::pools::leak::Leak;
#[cfg(feature = "alloc")]
use crate::pools::report::{Row, RowKey};

/// Nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source;

impl Source {
    pub(super) const NONE: Self = Self;

    pub(super) fn at_hand(_: &'static Facts) -> Self {
        Self
    }

    #[cfg(feature = "std")]
    pub(super) fn left_by(_: &crate::base::ledger::Entered) -> Self {
        Self
    }

    pub(super) fn write(self, _: &Leak, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

/// None.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowSites;

#[cfg(feature = "alloc")]
impl RowSites {
    pub(super) fn of(_: impl Iterator<Item = PoolInfo>) -> Self {
        Self
    }

    pub(super) fn write(&self, _: &Row, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }

    pub(super) fn write_gain(&self, _: &Self, _: &Row, _: &mut impl fmt::Write) -> fmt::Result {
        Ok(())
    }
}

/// None.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SiteChanges;

#[cfg(feature = "alloc")]
impl SiteChanges {
    pub(super) fn between(_: &RowSites, _: &RowSites) -> Self {
        Self
    }

    pub(super) fn write(&self, _: RowKey, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
