//! What takes the heap: reports, snapshots, and (below) maps, lines, watches, and JSON.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;

use crate::base::ledger::Strategy;
use crate::base::stats::OneLine;
use crate::pools::info::{Figure, Identity, PoolInfo, identified};
use crate::pools::summary::sites::{RowSites, SiteChanges};

mod map;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "sites")]
pub(super) mod sites;
#[cfg(feature = "std")]
pub(super) mod watch;

pub use crate::base::map::{MapChunk, PoolMap, SlotUse};

/// The pools of the process at one moment, by type: those with the most bytes first.
///
/// `Display` writes a table for a terminal, in which a `~` stands before `live`, `high` and `use` where they are not exact
/// ([`publish`](crate::pools::publish) makes them so). With the feature `serde`
/// it is serialised.
///
/// The columns are the fields of a [`Row`]: `high` is `high_water`, `use` is [`Row::use_percent`], `slot` is
/// `slot_bytes`. Pools of the same type in several threads are one row; [`pools()`](fn@crate::pools::pools) has each.
/// In the line of totals, `live` counts elements, not the bytes of frame stacks.
///
/// # JSON
///
/// An object with the totals `live`, `chunks`, `bytes` and `failures`, with `is_exact` of them, and an array `pools` of objects, one for each row,
/// with the names of [`Row`]'s fields. `strategy` and `storage` are the words that they display as; `name` may be null.
/// These names stay.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// #[pool(capacity = 8)]
/// struct Bullet([f32; 4]);
///
/// let bullets: Vec<_> = (0..6).map(|_| PoolBox::new(Bullet([0.0; 4]))).collect();
/// let report = typed_pool::report();
/// let row = report.rows().iter().find(|row| row.type_name.ends_with("Bullet")).unwrap();
/// assert_eq!((row.live, row.capacity, row.use_percent()), (6, 8, 75));
/// println!("{report}");
/// # drop(bullets);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    rows: Vec<Row>,
    sites: RowSites,
}

/// All pools of one type: a line of a [`Report`].
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// #[pool(name = "bullets", max = 2)]
/// struct Bullet([f32; 4]);
///
/// let bullets = [0.0, 1.0].map(|x| PoolBox::new(Bullet([x; 4])));
/// assert!(PoolBox::try_new(Bullet([2.0; 4])).is_err());
/// let report = typed_pool::report();
/// let row = report.rows().iter().find(|row| row.name == Some("bullets")).unwrap();
/// assert_eq!((row.pools, row.live, row.high_water, row.failures), (1, 2, 2, 1));
/// # drop(bullets);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// Which pools they are. Its fields are read as this one's: `row.type_name`.
    pub identity: Identity,
    /// How many there are. Pools of threads that have ended and left nothing do not count.
    pub pools: usize,
    /// Elements that are live.
    pub live: usize,
    /// Slots that are occupied without a live element.
    pub detached: usize,
    /// Slots of rosters that are worn out ([`Roster::renew`](crate::Roster::renew)).
    pub retired: usize,
    /// The sum of their marks ([`PoolStats::high_water`](crate::PoolStats::high_water)); or the mark of a thread that has ended, if
    /// that was higher.
    pub high_water: usize,
    /// Slots that can be occupied without growth.
    pub capacity: usize,
    /// Bytes of one slot.
    pub slot_bytes: usize,
    /// Blocks of memory that the slots lie in.
    pub chunks: usize,
    /// Bytes of memory held.
    pub bytes: usize,
    /// How many of these are in logs ([`PoolStats::log_bytes`](crate::PoolStats::log_bytes)).
    pub log_bytes: usize,
    /// How often a request could not be met.
    pub failures: usize,
    /// How often a chunk was added.
    pub grown: usize,
    /// Whether all of it is exact ([`PoolInfo::is_exact`]).
    pub is_exact: bool,
}

identified!(Row);

impl Row {
    fn new(info: &PoolInfo) -> Self {
        let PoolInfo { identity, ref stats, failures, grown, is_exact, .. } = *info;
        let is_total = info.thread.is_some_and(|thread| thread.id == 0 && thread.has_ended);
        Self {
            identity,
            pools: usize::from(!is_total),
            live: stats.live,
            detached: stats.detached,
            retired: stats.retired,
            high_water: stats.high_water,
            capacity: stats.capacity,
            slot_bytes: stats.slot_bytes,
            chunks: stats.chunks,
            bytes: stats.bytes,
            log_bytes: stats.log_bytes,
            failures,
            grown,
            is_exact,
        }
    }

    /// Adds others of the same. Totals of ended threads come last, and are compared with what is there.
    #[inline]
    fn add(&mut self, other: &Self) {
        self.high_water = match other.pools {
            0 => self.high_water.max(other.high_water),
            _ => self.high_water + other.high_water,
        };
        self.slot_bytes = self.slot_bytes.max(other.slot_bytes);
        macro_rules! add {
            ($($field:ident)*) => {{ $(self.$field += other.$field;)* }};
        }
        add!(pools live detached retired capacity chunks bytes log_bytes failures grown);
        self.is_exact &= other.is_exact;
    }

    /// How much of the capacity is in use, in percent.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(capacity = 4)]
    /// struct Bullet([f32; 4]);
    ///
    /// let bullet = PoolBox::new(Bullet([0.0; 4]));
    /// for row in typed_pool::report().rows() {
    ///     println!("{}: {}%", row.type_name, row.use_percent()); // "game::Bullet: 25%"
    /// }
    /// # assert_eq!(typed_pool::report().rows()[0].use_percent(), 25);
    /// # drop(bullet);
    /// ```
    pub fn use_percent(&self) -> usize {
        match self.capacity {
            0 => 0,
            capacity => (self.live + self.detached).saturating_mul(100) / capacity,
        }
    }

    /// How many elements are in the pools. (Bytes in a frame stack are nothing.)
    pub(super) fn occupied(&self) -> usize {
        match self.strategy {
            Strategy::FRAME_STACK => 0,
            _ => self.live + self.detached,
        }
    }
}

/// One row for each identity, in their order. O(rows log rows).
#[inline]
fn merged(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by_key(|row| row.identity);
    rows.dedup_by(|row, first| {
        let is_same = row.identity == first.identity;
        if is_same {
            first.add(row);
        }
        is_same
    });
    rows
}

/// Rows, to be found by what they are of. O(log rows).
pub(super) struct Index<'a>(Vec<&'a Row>);

impl<'a> Index<'a> {
    #[inline]
    pub(super) fn of(report: &'a Report) -> Self {
        let mut rows: Vec<_> = report.rows.iter().collect();
        rows.sort_by_key(|row| row.identity);
        Self(rows)
    }

    #[inline]
    pub(super) fn find(&self, identity: Identity) -> Option<&'a Row> {
        let found = self.0.binary_search_by_key(&identity, |row| row.identity);
        found.ok().map(|at| self.0[at])
    }
}

/// The pools of the process, as a table by type.
///
/// See the [module](mod@crate::pools) for what is exact.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// struct Spark([f32; 4]);
///
/// let spark = PoolBox::new(Spark([0.0; 4]));
/// assert!(typed_pool::report().to_string().contains("Spark"));
/// # drop(spark);
/// ```
#[inline]
pub fn report() -> Report {
    Report::of(|_| true)
}

impl Report {
    /// A report on the pools that are meant.
    #[inline]
    pub(super) fn of(is_meant: fn(&PoolInfo) -> bool) -> Self {
        let pools = || crate::pools::infos(false).filter(is_meant);
        let mut rows = merged(pools().map(|info| Row::new(&info)).collect());
        // Those with as many bytes stay in their order.
        rows.sort_by_key(|row| Reverse(row.bytes));
        Self { rows, sites: RowSites::of(pools().map(|info| info.sited())) }
    }

    /// Whether the totals are exact. (Frame stacks are not in the sum of `live`.)
    #[inline]
    pub(super) fn is_exact(&self) -> bool {
        let mut summed = self.rows.iter().filter(|row| row.strategy != Strategy::FRAME_STACK);
        summed.all(|row| row.is_exact)
    }

    /// A line for each type, those with the most bytes first.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// struct Spark([f32; 4]);
    ///
    /// let spark = PoolBox::new(Spark([0.0; 4]));
    /// let report = typed_pool::report();
    /// let names: Vec<_> = report.rows().iter().map(|row| row.type_name).collect();
    /// assert!(names[0].ends_with("Spark"));
    /// # drop(spark);
    /// ```
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The lines that have made the elements of a row, the biggest count first: of those pools where that is known
    /// ([`PoolInfo::sites`]).
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
    /// let report = typed_pool::report();
    /// let row = report.rows().iter().find(|row| row.type_name.ends_with("Monster")).unwrap();
    /// assert_eq!(report.sites(row), Monster::pool_sites());
    /// ```
    #[cfg(feature = "sites")]
    pub fn sites(&self, row: &Row) -> &[crate::base::watch::sites::lines::Site] {
        self.sites.of_row(row.identity)
    }

    /// Live elements, chunks, bytes and failures of all rows.
    #[inline]
    pub(super) fn totals(&self) -> [usize; 4] {
        let figures = |row: &Row| {
            let is_frames = row.strategy == Strategy::FRAME_STACK;
            [if is_frames { 0 } else { row.live }, row.chunks, row.bytes, row.failures]
        };
        self.rows
            .iter()
            .map(figures)
            .fold([0; 4], |sum, row| [0, 1, 2, 3].map(|at| sum[at] + row[at]))
    }
}

/// The widest name in the table.
const WIDEST: usize = 40;

/// A name that is too long, first without the modules in it, then without its end.
#[inline]
fn shortened(name: &str) -> String {
    let is_short = |name: &str| name.chars().count() <= WIDEST;
    if is_short(name) {
        return name.into();
    }
    let mut short = String::new();
    let is_in_path = |c: char| c.is_alphanumeric() || "_:{}".contains(c);
    for part in name.split_inclusive(|c| !is_in_path(c)) {
        // The colons of a module come before what is in it; others, such as those behind a name's first word, stay.
        short.push_str(part.rsplit_once("::").map_or(part, |(_, last)| last));
    }
    if is_short(&short) {
        return short;
    }
    short.chars().take(WIDEST - 1).chain(['…']).collect()
}

impl fmt::Display for Report {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |row: &Row| alloc::format!("{}", OneLine(&shortened(row.title())));
        let names: Vec<_> = self.rows.iter().map(name).collect();
        let widths = names.iter().map(|name| name.chars().count());
        let width = widths.max().unwrap_or(0).max("total".len());
        let largest = self.rows.iter().map(|row| row.slot_bytes).max().unwrap_or(0);
        let slot = (largest.max(1).ilog10() as usize + 1).max(6);
        writeln!(
            f,
            "{:width$} strategy      storage      pools       live       high   capacity   use {:>slot$} chunks        bytes \
             failures",
            "pool", "slot"
        )?;
        for (row, name) in self.rows.iter().zip(&names) {
            let Row { identity: Identity { strategy, storage, .. }, pools, capacity, .. } = row;
            let Row { slot_bytes, chunks, bytes, failures, .. } = row;
            let figures = [row.live, row.high_water, row.use_percent()];
            let [live, high_water, used] =
                figures.map(|figure| alloc::format!("{}", Figure(figure, row.is_exact)));
            let used = alloc::format!("{used}%");
            write!(
                f,
                "{name:width$} {strategy:13} {storage:12} {pools:>5} {live:>10} {high_water:>10} {capacity:>10} \
                 {used:>5} {slot_bytes:>slot$} {chunks:>6} {bytes:>12} {failures:>8}",
            )?;
            if row.log_bytes > 0 {
                write!(f, "  {} bytes in a log", row.log_bytes)?;
            }
            writeln!(f)?;
            self.sites.write(row.identity, f)?;
        }
        let [live, chunks, bytes, failures] = self.totals();
        let live = alloc::format!("{}", Figure(live, self.is_exact()));
        let pools: usize = self.rows.iter().map(|row| row.pools).sum();
        write!(
            f,
            "{:width$} {:13} {:12} {pools:>5} {live:>10} {:>10} {:>10} {:>5} {:>slot$} {chunks:>6} {bytes:>12} {failures:>8}",
            "total", "", "", "", "", "", ""
        )
    }
}

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
    #[inline]
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
    #[inline]
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
    #[inline]
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
    #[inline]
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
    #[inline]
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
    #[inline]
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
    sites: SiteChanges,
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
    pub fn sites(&self) -> &[sites::SiteChange] {
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
    #[inline]
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

/// In place of the file of this name in a program without the feature: all of it is empty.
#[cfg(not(feature = "sites"))]
mod sites {
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
}
