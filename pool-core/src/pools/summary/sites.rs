//! The feature `sites`: how lines are shown.

use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;
use core::panic::Location;

use crate::base::watch::sites::lines::Site;
use crate::pools::info::{Identity, SHOWN, Source, identified, write_made_at};

/// The sites of each row, in the order of what they are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowSites(pub(super) Vec<(Identity, Vec<Site>)>);

impl RowSites {
    /// The sites of pools by row. Of each pool: the row to which it belongs, where its sites come from, and the bytes of a slot.
    pub(crate) fn of(pools: impl Iterator<Item = (Identity, Source, usize)>) -> Self {
        let listed = |(key, source, bytes): (_, Source, _)| (key, source.list(bytes));
        let mut rows: Vec<_> = pools.map(listed).collect();
        rows.sort_by_key(|(key, _)| *key);
        let merge = |same: &[(Identity, Vec<Site>)]| {
            (same[0].0, Site::merge(same.iter().flat_map(|(_, sites)| sites).copied()))
        };
        Self(rows.chunk_by(|(one, _), (other, _)| one == other).map(merge).collect())
    }

    pub(crate) fn of_row(&self, key: Identity) -> &[Site] {
        let found = self.0.binary_search_by_key(&key, |(other, _)| *other);
        found.map_or(&[], |at| &self.0[at].1)
    }

    /// Writes the biggest of a row, each as a line.
    pub(crate) fn write(&self, key: Identity, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sites = self.of_row(key);
        for Site { location, live, bytes } in sites.iter().take(SHOWN) {
            writeln!(f, "  {live:>8} live, {bytes:>10} bytes: {location}")?;
        }
        match sites.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => writeln!(f, "  .. {more} more lines"),
        }
    }
}

/// How much a line has more or less than before, as [`Changes::sites`](crate::pools::Changes::sites) says.
///
/// # Examples
///
/// ```
/// use typed_pool::pools::Snapshot;
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// struct Scorch([f32; 4]);
///
/// let before = Snapshot::take();
/// let scorches = [0.0, 1.0].map(|x| PoolBox::new(Scorch([x; 4])));
/// let changes = Snapshot::take().diff(&before);
/// # #[cfg(not(feature = "passthrough"))] {
/// let site = changes.sites()[0];
/// println!("{} has {:+} live", site.location, site.live); // "src/main.rs:8:39 has +2 live"
/// assert_eq!((site.live, site.bytes), (2, 32));
/// # }
/// # drop(scorches);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SiteChange {
    /// Which pools it is of. Its fields are read as this one's: `change.type_name`.
    pub identity: Identity,
    /// The line.
    pub location: &'static Location<'static>,
    /// How many more of its elements are live; less than 0 if it is fewer.
    pub live: isize,
    /// How many more bytes their slots have.
    pub bytes: isize,
}

identified!(SiteChange);

impl fmt::Display for SiteChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { location, live, bytes, .. } = self;
        write!(f, "{location}: {live:+} live, {bytes:+} bytes")
    }
}

/// What has changed by site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SiteChanges {
    /// By row, and of each the biggest gain first.
    by_row: Vec<SiteChange>,
    /// The biggest gain first.
    pub(crate) all: Vec<SiteChange>,
}

impl SiteChanges {
    pub(crate) fn between(before: &RowSites, now: &RowSites) -> Self {
        let mut by_row = Vec::new();
        for (rows, sign) in [(now, 1), (before, -1)] {
            by_row.extend(rows.0.iter().flat_map(|&(identity, ref sites)| {
                sites.iter().map(move |&Site { location, live, bytes }| {
                    let [live, bytes] = [live, bytes].map(|count| sign * count as isize);
                    SiteChange { identity, location, live, bytes }
                })
            }));
        }
        by_row.sort_by_key(|change| (change.identity, change.location));
        by_row.dedup_by(|change, first| {
            let is_same = (change.identity, change.location) == (first.identity, first.location);
            if is_same {
                first.live += change.live;
                first.bytes += change.bytes;
            }
            is_same
        });
        by_row.retain(|change| change.live != 0);
        by_row.sort_by_key(|change| (change.identity, Reverse(change.live)));
        let mut all = by_row.clone();
        all.sort_by_key(|change| Reverse(change.live));
        Self { by_row, all }
    }

    fn of_row(&self, key: Identity) -> &[SiteChange] {
        let first = self.by_row.partition_point(|change| change.identity < key);
        let count = self.by_row[first..].partition_point(|change| change.identity == key);
        &self.by_row[first..first + count]
    }

    /// Writes the biggest of a row, each as a line behind it.
    pub(crate) fn write(&self, key: Identity, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changes = self.of_row(key);
        changes.iter().take(SHOWN).try_for_each(|change| write!(f, "\n  {change}"))?;
        match changes.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n  .. {more} more lines"),
        }
    }

    /// Writes where those were made that a row has more than before.
    pub(crate) fn write_gain(&self, key: Identity, f: &mut impl fmt::Write) -> fmt::Result {
        let changes = self.of_row(key);
        let gained = &changes[..changes.partition_point(|change| change.live > 0)];
        write_made_at(',', gained.iter().map(|gain| (gain.location, gain.live as usize)), f)
    }
}
