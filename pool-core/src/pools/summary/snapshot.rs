//! The pools of one moment, and what has changed since.

use alloc::vec::Vec;
use core::fmt;

use crate::base::stats::OneLine;
use crate::pools::info::{Identity, identified};
use crate::pools::summary::report::{Index, Report, Row, report};
#[cfg(feature = "sites")]
use crate::pools::summary::sites::SiteChange;
use crate::pools::summary::sites::SiteChanges;

/// The figures of all pools at one moment.
///
/// # Examples
///
/// ```
/// use typed_pool::pools::Snapshot;
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// #[pool(name = "bullets")]
/// struct Bullet([f32; 4]);
///
/// let before = Snapshot::take();
/// let kept: Vec<_> = (0..3).map(|_| PoolBox::new(Bullet([0.0; 4]))).collect();
/// let changes = Snapshot::take().diff(&before);
/// assert_eq!((changes.iter().len(), changes.iter().next().unwrap().live), (1, 3));
/// assert!(changes.to_string().starts_with("bullets: +3 live"));
/// # drop(kept);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    report: Report,
}

impl Snapshot {
    /// The figures of this moment.
    #[must_use]
    pub fn take() -> Self {
        Self { report: report() }
    }

    /// The figures as a table.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::pools::Snapshot;
    ///
    /// let snapshot = Snapshot::take();
    /// assert_eq!(snapshot.to_string(), snapshot.report().to_string());
    /// ```
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// What has changed since an earlier moment, by type: those that have gained the most bytes first.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::pools::Snapshot;
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// struct Bullet([f32; 4]);
    ///
    /// let before = Snapshot::take();
    /// let bullet = PoolBox::new(Bullet([0.0; 4]));
    /// println!("{}", Snapshot::take().diff(&before)); // "game::Bullet: +1 live, .."
    /// # assert_eq!(Snapshot::take().diff(&before).iter().next().unwrap().live, 1);
    /// # drop(bullet);
    /// ```
    #[must_use]
    pub fn diff(&self, earlier: &Self) -> Changes {
        let [now, before] = [&self.report, &earlier.report];
        let [index, index_before] = [now, before].map(Index::of);
        let gone = before.rows().iter().filter(|row| index.find(row.identity).is_none());
        let rows = now.rows().iter().map(|row| (index_before.find(row.identity), Some(row)));
        let rows = rows.chain(gone.map(|row| (Some(row), None)));
        let changes = rows.filter_map(|(before, now)| Change::between(before, now));
        let mut changes: Vec<_> = changes.filter(Change::is_any).collect();
        changes.sort_by_key(|change| (-change.bytes, -change.live, change.identity));
        let sites = SiteChanges::between(&earlier.report.sites, &self.report.sites);
        Changes { changes, sites }
    }
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.fmt(f)
    }
}

/// What has changed in the pools of one type.
///
/// # Examples
///
/// ```
/// use typed_pool::pools::Snapshot;
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// #[pool(name = "bullets")]
/// struct Bullet([f32; 4]);
///
/// let bullets: Vec<_> = (0..3).map(|_| PoolBox::new(Bullet([0.0; 4]))).collect();
/// let before = Snapshot::take();
/// drop(bullets);
/// let changes = Snapshot::take().diff(&before);
/// let change = changes.iter().find(|change| change.name == Some("bullets")).unwrap();
/// assert_eq!(change.live, -3);
/// # #[cfg(not(feature = "passthrough"))]
/// assert_eq!(change.bytes, 0, "the pool keeps its memory");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// Which pools they are. Its fields are read as this one's: `change.type_name`.
    pub identity: Identity,
    /// How many more elements are live or detached; less than 0 if it is fewer, here and below.
    pub live: isize,
    /// How many more slots there are.
    pub capacity: isize,
    /// How many more chunks.
    pub chunks: isize,
    /// How many more bytes of memory are held.
    pub bytes: isize,
    /// How many more requests could not be met.
    pub failures: isize,
    /// Whether the figures of both moments are exact ([`Row::is_exact`]). If not, `Display` writes a `~` before `live`.
    pub is_exact: bool,
}

identified!(Change);

impl Change {
    fn between(before: Option<&Row>, now: Option<&Row>) -> Option<Self> {
        let gain = |figure: fn(&Row) -> usize| {
            now.map_or(0, figure).wrapping_sub(before.map_or(0, figure)) as isize
        };
        Some(Self {
            identity: now.or(before)?.identity,
            live: gain(|row| row.live + row.detached),
            capacity: gain(|row| row.capacity),
            chunks: gain(|row| row.chunks),
            bytes: gain(|row| row.bytes),
            failures: gain(|row| row.failures),
            is_exact: [before, now].into_iter().flatten().all(|row| row.is_exact),
        })
    }

    fn is_any(&self) -> bool {
        let Self { live, capacity, chunks, bytes, failures, .. } = *self;
        [live, capacity, chunks, bytes, failures] != [0; 5]
    }
}

/// What a noun ends in after such a number.
fn plural(number: isize) -> &'static str {
    if number.abs() == 1 { "" } else { "s" }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { identity, live, capacity, chunks, bytes, failures, is_exact } = self;
        write!(
            f,
            "{}: {}{live:+} live, {capacity:+} slot{}, {bytes:+} bytes in {chunks:+} chunk{}",
            OneLine(identity.title()),
            if *is_exact { "" } else { "~" },
            plural(*capacity),
            plural(*chunks)
        )?;
        if *failures != 0 {
            write!(f, ", {failures:+} failure{}", plural(*failures))?;
        }
        Ok(())
    }
}

/// What [`Snapshot::diff`] has found.
///
/// `Display` writes a line for each type; with the feature `sites`, under it, one for each line of code.
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
/// let scorch = PoolBox::new(Scorch([0.0; 4]));
/// let changes = Snapshot::take().diff(&before);
/// for change in &changes {
///     assert!(change.type_name.ends_with("Scorch"));
/// }
/// println!("{changes}");
/// # assert_eq!(changes.iter().len(), 1);
/// # drop(scorch);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    changes: Vec<Change>,
    pub(super) sites: SiteChanges,
}

impl Changes {
    /// Each type whose pools have changed: the biggest gain of bytes first.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::pools::Snapshot;
    ///
    /// let before = Snapshot::take();
    /// let after = Snapshot::take();
    /// // A test that a level leaves no pool larger than it was:
    /// assert!(after.diff(&before).iter().all(|change| change.bytes <= 0));
    /// ```
    pub fn iter(&self) -> core::slice::Iter<'_, Change> {
        self.changes.iter()
    }

    /// What has changed by line, of those pools where lines are known
    /// ([`PoolInfo::sites`](crate::pools::PoolInfo::sites)): the biggest gain first.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::pools::Snapshot;
    /// use typed_pool::Pooled;
    ///
    /// #[derive(Pooled)]
    /// #[pool(strategy = roster)]
    /// struct Monster { health: i32 }
    ///
    /// let before = Snapshot::take();
    /// Monster::pool_insert(Monster { health: 40 });
    /// let changes = Snapshot::take().diff(&before);
    /// assert_eq!((changes.sites()[0].location.file(), changes.sites()[0].live), (file!(), 1));
    /// ```
    #[cfg(feature = "sites")]
    pub fn sites(&self) -> &[SiteChange] {
        &self.sites.all
    }

    /// Whether nothing has changed.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::pools::Snapshot;
    ///
    /// let before = Snapshot::take();
    /// let changes = Snapshot::take().diff(&before);
    /// assert!(changes.is_empty());
    /// assert_eq!(changes.to_string(), "nothing has changed");
    /// ```
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

impl<'a> IntoIterator for &'a Changes {
    type Item = &'a Change;
    type IntoIter = core::slice::Iter<'a, Change>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Changes {
    /// A line for each, without an end of line behind the last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("nothing has changed");
        }
        for (at, change) in self.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { "\n" })?;
            write!(f, "{change}")?;
            self.sites.write(change.identity, f)?;
        }
        Ok(())
    }
}
