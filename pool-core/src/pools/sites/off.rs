//! In place of `on.rs` in a program without the feature: all of it is empty.

use core::fmt;

use crate::base::ledger::Facts;
#[cfg(feature = "alloc")]
use crate::pools::sites::RowKey;

/// Nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source;

impl Source {
    pub(crate) const NONE: Self = Self;

    pub(crate) fn at_hand(_: &'static Facts) -> Self {
        Self
    }

    #[cfg(feature = "std")]
    pub(crate) fn left_by(_: &crate::base::ledger::account::Entered) -> Self {
        Self
    }

    pub(crate) fn write(self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

/// None.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowSites;

#[cfg(feature = "alloc")]
impl RowSites {
    pub(crate) fn of(_: impl Iterator<Item = (RowKey, Source, usize)>) -> Self {
        Self
    }

    pub(crate) fn write(&self, _: RowKey, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }

    pub(crate) fn write_gain(&self, _: &Self, _: RowKey, _: &mut impl fmt::Write) -> fmt::Result {
        Ok(())
    }
}

/// None.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SiteChanges;

#[cfg(feature = "alloc")]
impl SiteChanges {
    pub(crate) fn between(_: &RowSites, _: &RowSites) -> Self {
        Self
    }

    pub(crate) fn write(&self, _: RowKey, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
