//! The lines that have made what is live, for reports and leaks: the feature `sites`.

use crate::base::ledger::{Storage, Strategy};

#[cfg_attr(feature = "sites", path = "sites/on.rs")]
#[cfg_attr(not(feature = "sites"), path = "sites/off.rs")]
mod kept;

#[cfg(feature = "sites")]
pub use kept::SiteChange;
pub(super) use kept::Source;
#[cfg(feature = "alloc")]
pub(super) use kept::{RowSites, SiteChanges};

/// What tells one row of a report from another.
pub(super) type RowKey = (&'static str, Option<&'static str>, Strategy, Storage);
