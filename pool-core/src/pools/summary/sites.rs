//! The feature `sites`: how lines are shown.

use alloc::vec::Vec;
use core::fmt;
use core::panic::Location;

use crate::base::watch::sites::lines::Site;
use crate::pools::info::{Identity, identified};
use crate::pools::source::{SHOWN, Source, write_made_at};

/// The sites of each row, in the order of what they are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowSites(Vec<(Identity, Vec<Site>)>);

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

    /// Where those were made that a row has more than before.
    pub(crate) fn write_gain(
        &self,
        before: &Self,
        key: Identity,
        f: &mut impl fmt::Write,
    ) -> fmt::Result {
        let gained = SiteChange::between(before, self, key);
        let gained: Vec<_> = gained.into_iter().filter(|change| change.live > 0).collect();
        write_made_at(',', gained.iter().map(|gain| (gain.location, gain.live as usize)), f)
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

impl SiteChange {
    /// Of one row: the biggest gain first.
    fn between(before: &RowSites, now: &RowSites, key: Identity) -> Vec<Self> {
        let change = |site: &Site, sign: isize| Self {
            identity: key,
            location: site.location,
            live: sign * site.live as isize,
            bytes: sign * site.bytes as isize,
        };
        let now = now.of_row(key).iter().map(|site| change(site, 1));
        let before = before.of_row(key).iter().map(|site| change(site, -1));
        let mut changes: Vec<_> = now.chain(before).collect();
        changes.sort_by_key(|change| change.location);
        changes.dedup_by(|change, first| {
            let is_same = change.location == first.location;
            if is_same {
                first.live += change.live;
                first.bytes += change.bytes;
            }
            is_same
        });
        changes.retain(|change| change.live != 0);
        changes.sort_by_key(|change| core::cmp::Reverse(change.live));
        changes
    }
}

impl fmt::Display for SiteChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { location, live, bytes, .. } = self;
        write!(f, "{location}: {live:+} live, {bytes:+} bytes")
    }
}

/// What has changed by site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SiteChanges {
    by_row: Vec<(Identity, Vec<SiteChange>)>,
    /// The biggest gain first.
    pub(crate) all: Vec<SiteChange>,
}

impl SiteChanges {
    pub(crate) fn between(before: &RowSites, now: &RowSites) -> Self {
        let mut keys: Vec<_> = now.0.iter().chain(&before.0).map(|(key, _)| *key).collect();
        keys.sort();
        keys.dedup();
        let changes = |key| (key, SiteChange::between(before, now, key));
        let by_row: Vec<_> = keys.into_iter().map(changes).collect();
        let mut all: Vec<_> = by_row.iter().flat_map(|(_, changes)| changes).copied().collect();
        all.sort_by_key(|change| core::cmp::Reverse(change.live));
        Self { by_row, all }
    }

    /// Writes the biggest of a row, each as a line behind it.
    pub(crate) fn write(&self, key: Identity, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.by_row.binary_search_by_key(&key, |(other, _)| *other);
        let changes = found.map_or(&[][..], |at| &self.by_row[at].1);
        changes.iter().take(SHOWN).try_for_each(|change| write!(f, "\n  {change}"))?;
        match changes.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n  .. {more} more lines"),
        }
    }
}

#[cfg(feature = "serde")]
mod json {
    use serde::ser::{Serialize, SerializeStruct as _, Serializer};

    use crate::base::watch::sites::lines::Site;
    use crate::pools::info::Identity;
    use crate::pools::summary::sites::RowSites;

    /// A site, and the row that it is of.
    struct Line(Identity, Site);

    impl Serialize for Line {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let Self(Identity { type_name, name, .. }, Site { location, live, bytes }) = self;
            let mut line = serializer.serialize_struct("Site", 7)?;
            line.serialize_field("type_name", type_name)?;
            line.serialize_field("name", name)?;
            line.serialize_field("file", location.file())?;
            line.serialize_field("line", &location.line())?;
            line.serialize_field("column", &location.column())?;
            line.serialize_field("live", live)?;
            line.serialize_field("bytes", bytes)?;
            line.end()
        }
    }

    impl Serialize for RowSites {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let lines =
                self.0.iter().flat_map(|(key, sites)| sites.iter().map(|site| Line(*key, *site)));
            serializer.collect_seq(lines)
        }
    }
}
