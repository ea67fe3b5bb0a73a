//! The feature `sites`: the lines that have made what is live, and how they are shown.

use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;
use core::panic::Location;

#[cfg(feature = "std")]
use crate::base::ledger::account::remains;
use crate::base::watch::sites::lines::Site;
use crate::pools::info::{Identity, PoolInfo, Source, identified, this_thread};

/// How many lines are shown of each row, and of each leak.
const SHOWN: usize = 3;

/// Writes the first lines, with how many elements each has made, behind what has `separator` at its end.
fn write_made_at(
    separator: char,
    lines: impl ExactSizeIterator<Item = (&'static Location<'static>, usize)>,
    f: &mut impl fmt::Write,
) -> fmt::Result {
    let more = lines.len().saturating_sub(SHOWN);
    for (at, (location, count)) in lines.take(SHOWN).enumerate() {
        match at {
            0 => write!(f, "{separator} made at {location} ({count})"),
            _ => write!(f, ", {location} ({count})"),
        }?;
    }
    match more {
        0 => Ok(()),
        more => write!(f, " and {more} more lines"),
    }
}

impl Source {
    /// The lines, if a slot has this many bytes: the biggest count first.
    fn list(self, slot_bytes: usize) -> Vec<Site> {
        match self {
            // What was found in one thread may be asked in another, which has a pool of its own.
            Self::Pool(facts, thread) if [0, this_thread()].contains(&thread) => {
                Site::list(slot_bytes, |found| _ = facts.upkeep.show_lines(false, found))
            }
            #[cfg(feature = "std")]
            Self::Remains(account) => Site::list(slot_bytes, |found| remains::show(account, found)),
            _ => Vec::new(),
        }
    }
}

/// Where what is live was made, behind a leak.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sites = self.list(0);
        write_made_at(';', sites.iter().map(|site| (site.location, site.live)), f)
    }
}

impl PoolInfo {
    /// The lines that have made the pool's elements, and how many of them are live at this moment: the biggest count first.
    ///
    /// It is empty for a pool of another thread that still runs, for a pool that is a value, and if another thread asks than the one
    /// that has called [`pools()`](fn@crate::pools::pools). (For a static pool any thread may ask, and for what an ended thread has left.)
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Monster { health: i32 }
    ///
    /// Monster::pool_insert(Monster { health: 40 });
    /// let info = typed_pool::pools().find(|info| info.type_name.ends_with("Monster")).unwrap();
    /// assert_eq!(info.sites(), Monster::pool_sites());
    /// ```
    pub fn sites(&self) -> Vec<Site> {
        self.source.list(self.stats.slot_bytes)
    }
}

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
/// let site = changes.sites()[0];
/// println!("{} has {:+} live", site.location, site.live); // "src/main.rs:8:39 has +2 live"
/// assert_eq!((site.live, site.bytes), (2, 32));
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
