//! The table of all pools.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;

use crate::base::ledger::records;
use crate::base::stats::{OneLine, PoolStats};
use crate::base::watch::sites::list::Sites;
use crate::pools::PoolInfo;

/// The pools of the process at one moment, a row for each type: those with the most bytes first.
///
/// `Display` writes a table for a terminal, with a legend. A `-` in the table stands for a number that is not known. The columns
/// are fields of [`PoolInfo`]; `high` is `high_water`. With the feature `serde` a report is serialised.
///
/// # JSON
///
/// An object with the totals `chunks`, `bytes` and `failures`, and an array `pools` of objects, one for each row, with the names of
/// [`PoolInfo`]'s fields. `strategy` and `storage` are the words that they display as; `name` and `live` may be null.
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
/// assert_eq!((row.live, row.capacity), (Some(6), 8));
/// println!("{report}");
/// # drop(bullets);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    rows: Vec<PoolInfo>,
    /// In the order of the rows; without the feature `sites`, nothing.
    pub(super) sites: Vec<Sites>,
}

/// Returns a table of all types with pools.
///
/// O(types²). See the [module](mod@crate::pools) for what is exact.
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
#[must_use]
pub fn report() -> Report {
    let mut report = Report { rows: Vec::new(), sites: Vec::new() };
    for record in records().iter() {
        if let Some(row) = PoolInfo::of(record) {
            report.insert(row, Sites::of(|| record.facts()?.ops.map(false).ok()));
        }
    }
    report
}

impl Report {
    /// Inserts a row in its place. (Types are few, and a sort is much code in a debug build: `docs/decisions/derive.md`.)
    #[inline]
    fn insert(&mut self, row: PoolInfo, sites: Sites) {
        let key = |row: &PoolInfo| (Reverse(row.bytes), row.title());
        let at = self.rows.partition_point(|before| key(before) <= key(&row));
        self.rows.insert(at, row);
        self.sites.insert(at, sites);
    }

    /// Adds a row for a pool that is a value, from its statistics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    /// use typed_pool::pools::Storage;
    ///
    /// let mut orcs = Roster::new().with_name("orcs");
    /// orcs.insert([0_u8; 4]);
    /// let report = typed_pool::report().with(orcs.stats());
    /// let row = report.rows().iter().find(|row| row.type_name == "orcs").unwrap();
    /// assert_eq!((row.live, row.storage), (Some(1), Storage::Owned));
    /// ```
    #[must_use]
    #[inline]
    pub fn with(mut self, stats: PoolStats) -> Self {
        self.insert(PoolInfo::of_value(&stats), Sites::NONE);
        self
    }

    /// Returns the rows, those with the most bytes first.
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
    #[must_use]
    #[inline]
    pub fn rows(&self) -> &[PoolInfo] {
        &self.rows
    }

    /// Chunks, bytes and failures of all rows.
    #[inline]
    pub(super) fn totals(&self) -> [usize; 3] {
        self.rows.iter().fold([0; 3], |[chunks, bytes, failures], row| {
            [chunks + row.chunks, bytes + row.bytes, failures + row.failures]
        })
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
    let is_in_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '{' | '}');
    for part in name.split_inclusive(|c| !is_in_path(c)) {
        // The colons of a module come before what is in it; others, such as those behind a name's first word, stay.
        short.push_str(part.rsplit_once("::").map_or(part, |(_, last)| last));
    }
    if is_short(&short) {
        return short;
    }
    short.chars().take(WIDEST - 1).chain(['…']).collect()
}

const LEGEND: &str = "lists the types whose pools have been used; a pool that is a value is added by `report().with(pool.stats())`\n\
                      threads: with a thread-local pool; live: in this thread's pool or the static pool, - if only other threads have one, or it is borrowed\n\
                      high: the most slots in use in one pool, - if threads take slots ahead; capacity, chunks, bytes: of all threads together";

impl fmt::Display for Report {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |row: &PoolInfo| OneLine(&shortened(row.title())).to_string();
        let names: Vec<_> = self.rows.iter().map(name).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
        writeln!(
            f,
            "{:width$} strategy      storage      threads       live       high   capacity chunks        bytes failures",
            "pool"
        )?;
        for ((row, name), sites) in self.rows.iter().zip(&names).zip(&self.sites) {
            let PoolInfo { strategy, storage, threads, high_water, capacity, .. } = row;
            let PoolInfo { chunks, bytes, failures, .. } = row;
            let shown =
                |figure: Option<usize>| figure.map_or("-".into(), |known| known.to_string());
            let live = shown(row.live);
            let is_known = !row.is_taken_ahead && (row.live.is_some() || *high_water > 0);
            let high = shown(is_known.then_some(*high_water));
            writeln!(
                f,
                "{name:width$} {strategy:13} {storage:12} {threads:>7} {live:>10} {high:>10} {capacity:>10} {chunks:>6} \
                 {bytes:>12} {failures:>8}"
            )?;
            sites.write_lines(f)?;
        }
        let [chunks, bytes, failures] = self.totals();
        let blank = 13 + 12 + 7 + 3 * 10 + 5;
        writeln!(f, "{:width$} {:blank$} {chunks:>6} {bytes:>12} {failures:>8}", "total", "")?;
        f.write_str(LEGEND)
    }
}
