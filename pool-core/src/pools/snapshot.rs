//! The statistics of two moments, and the difference.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use crate::base::stats::OneLine;
use crate::pools::PoolInfo;
use crate::pools::report::{Report, report};

/// The statistics of all pools at one moment.
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
/// assert_eq!((changes.len(), changes[0].live), (1, Some(3)));
/// assert!(changes.to_string().starts_with("bullets: +3 live"));
/// # drop(kept);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    pub(super) report: Report,
}

impl Snapshot {
    /// Takes a snapshot of the present statistics. O(types²).
    #[must_use]
    #[inline]
    pub fn take() -> Self {
        Self { report: report() }
    }

    /// Returns the changes since an earlier snapshot, the biggest gain of bytes first. O(types²).
    #[must_use]
    #[inline]
    pub fn diff(&self, earlier: &Self) -> Changes {
        let mut changes = Vec::new();
        for row in self.report.rows() {
            let before = earlier.report.rows().iter().find(|before| before.key() == row.key());
            let change = Change::of(row, before);
            if change.is_any() {
                let key = |change: &Change| (-change.bytes, change.live.map(|live| -live));
                changes.insert(changes.partition_point(|other| key(other) <= key(&change)), change);
            }
        }
        Changes(changes)
    }
}

/// The gain of one type's pools since an earlier [`Snapshot`]; negative numbers are losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The pools as they are in the later snapshot.
    pub info: PoolInfo,
    /// Live elements, if both snapshots know them: [`PoolInfo::live`].
    pub live: Option<isize>,
    /// Slots.
    pub capacity: isize,
    /// Chunks.
    pub chunks: isize,
    /// Bytes of memory.
    pub bytes: isize,
    /// Requests that were not met.
    pub failures: isize,
}

impl Change {
    #[inline]
    fn of(now: &PoolInfo, before: Option<&PoolInfo>) -> Self {
        let gain = |figure: fn(&PoolInfo) -> usize| {
            figure(now).wrapping_sub(before.map_or(0, figure)) as isize
        };
        // A pool that was not there had nothing.
        let live_before = before.map_or(Some(0), |before| before.live);
        Self {
            info: *now,
            live: now.live.zip(live_before).map(|(now, before)| now.wrapping_sub(before) as isize),
            capacity: gain(|info| info.capacity),
            chunks: gain(|info| info.chunks),
            bytes: gain(|info| info.bytes),
            failures: gain(|info| info.failures),
        }
    }

    #[inline]
    fn is_any(&self) -> bool {
        let Self { live, capacity, chunks, bytes, failures, .. } = *self;
        [live.unwrap_or(0), capacity, chunks, bytes, failures] != [0; 5]
    }
}

#[inline]
fn plural(number: isize) -> &'static str {
    if number.abs() == 1 { "" } else { "s" }
}

impl fmt::Display for Change {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { info, live, capacity, chunks, bytes, failures } = self;
        write!(f, "{}: ", OneLine(info.title()))?;
        if let Some(live) = live {
            write!(f, "{live:+} live, ")?;
        }
        let (slots, more) = (plural(*capacity), plural(*chunks));
        write!(f, "{capacity:+} slot{slots}, {bytes:+} bytes in {chunks:+} chunk{more}")?;
        match failures {
            0 => Ok(()),
            _ => write!(f, ", {failures:+} failure{}", plural(*failures)),
        }
    }
}

/// The differences of two snapshots, by type: a slice, from [`Snapshot::diff`]. `Display` writes a line for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes(Vec<Change>);

impl Deref for Changes {
    type Target = [Change];

    #[inline]
    fn deref(&self) -> &[Change] {
        &self.0
    }
}

impl<'a> IntoIterator for &'a Changes {
    type Item = &'a Change;
    type IntoIter = core::slice::Iter<'a, Change>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Changes {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("nothing has changed");
        }
        for (at, change) in self.iter().enumerate() {
            write!(f, "{}{change}", if at == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}
