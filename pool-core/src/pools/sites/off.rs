//! In place of `on.rs` in a program without the feature: all of it is empty.

use core::fmt;

use crate::base::ledger::Facts;
#[cfg(feature = "alloc")]
use crate::pools::sites::RowKey;

/// Nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pools) struct Source;

impl Source {
    pub(in crate::pools) const NONE: Self = Self;

    pub(in crate::pools) fn at_hand(_: &'static Facts) -> Self {
        Self
    }

    #[cfg(feature = "std")]
    pub(in crate::pools) fn left_by(_: &crate::base::ledger::Entered) -> Self {
        Self
    }

    pub(in crate::pools) fn write(self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

/// None.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::pools) struct RowSites;

#[cfg(feature = "alloc")]
impl RowSites {
    pub(in crate::pools) fn of(_: impl Iterator<Item = (RowKey, Source, usize)>) -> Self {
        Self
    }

    pub(in crate::pools) fn write(&self, _: RowKey, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }

    pub(in crate::pools) fn write_gain(
        &self,
        _: &Self,
        _: RowKey,
        _: &mut impl fmt::Write,
    ) -> fmt::Result {
        Ok(())
    }
}

/// None.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::pools) struct SiteChanges;

#[cfg(feature = "alloc")]
impl SiteChanges {
    pub(in crate::pools) fn between(_: &RowSites, _: &RowSites) -> Self {
        Self
    }

    pub(in crate::pools) fn write(&self, _: RowKey, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
