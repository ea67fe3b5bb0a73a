//! In place of `sites.rs` in a program without the feature: all of it is empty.

use core::fmt;

use crate::pools::info::{Identity, Source};

/// None.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowSites;

/// None.
pub(crate) type SiteChanges = RowSites;

impl RowSites {
    pub(crate) fn of(_: impl Iterator<Item = (Identity, Source, usize)>) -> Self {
        Self
    }

    pub(crate) fn between(_: &Self, _: &Self) -> Self {
        Self
    }

    pub(crate) fn write(&self, _: Identity, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }

    pub(crate) fn write_gain(&self, _: Identity, _: &mut impl fmt::Write) -> fmt::Result {
        Ok(())
    }
}

impl fmt::Display for Source {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
