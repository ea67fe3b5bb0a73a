//! A report in the text format of Prometheus.

use alloc::string::String;
use core::fmt::Write as _;

use crate::pools::summary::report::{Report, Row};

/// A metric: its name, its kind, what it says, and its value.
type Metric = (&'static str, Kind, &'static str, fn(&Row) -> usize);

#[derive(Clone, Copy)]
pub(super) enum Kind {
    Gauge,
    Counter,
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Gauge => "gauge",
            Self::Counter => "counter",
        }
    }
}

/// What a report is exported as, whatever the exporter.
pub(super) const METRICS: [Metric; 14] = [
    ("typed_pool_pools", Kind::Gauge, "Pools.", |row| row.pools),
    ("typed_pool_live", Kind::Gauge, "Elements that are live.", |row| row.live),
    ("typed_pool_weak", Kind::Gauge, "Slots that are held by weak pointers alone.", |row| row.weak),
    (
        "typed_pool_detached",
        Kind::Gauge,
        "Slots that are occupied without a live element.",
        |row| row.detached,
    ),
    ("typed_pool_retired", Kind::Gauge, "Slots of rosters that are worn out.", |row| row.retired),
    (
        "typed_pool_high_water",
        Kind::Gauge,
        "The most slots that were ever occupied at once; in a growing static pool, those in threads' magazines included.",
        |row| row.high_water,
    ),
    (
        "typed_pool_is_exact",
        Kind::Gauge,
        "1 if all figures are of this moment; 0 if some are of the last growth, trim or `publish` of a thread.",
        |row| usize::from(row.is_exact),
    ),
    ("typed_pool_capacity", Kind::Gauge, "Slots.", |row| row.capacity),
    ("typed_pool_slot_bytes", Kind::Gauge, "Bytes of one slot.", |row| row.slot_bytes),
    ("typed_pool_chunks", Kind::Gauge, "Blocks of memory that the slots lie in.", |row| row.chunks),
    ("typed_pool_bytes", Kind::Gauge, "Bytes of memory held.", |row| row.bytes),
    ("typed_pool_log_bytes", Kind::Gauge, "How many of these are in logs.", |row| row.log_bytes),
    ("typed_pool_failures_total", Kind::Counter, "Requests that could not be met.", |row| {
        row.failures
    }),
    ("typed_pool_growths_total", Kind::Counter, "Chunks that were added.", |row| row.grown),
];

impl Report {
    /// The report in the text exposition format of Prometheus, for an endpoint that it scrapes.
    ///
    /// Each row has the labels `type`, `strategy` and `storage`, and `name` if it has one. The metrics are
    /// `typed_pool_pools`, `_live`, `_weak`, `_detached`, `_retired`, `_high_water`, `_is_exact` (1 or 0), `_capacity`, `_slot_bytes`, `_chunks`, `_bytes` and `_log_bytes`,
    /// which are gauges, and the counters `typed_pool_failures_total` and `typed_pool_growths_total`. A pool that is a
    /// value takes its counts along when it is dropped.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(name = "bullets")]
    /// struct Bullet([f32; 4]);
    ///
    /// let bullet = PoolBox::new(Bullet([0.0; 4]));
    /// let text = typed_pool::report().to_prometheus();
    /// assert!(text.contains("# TYPE typed_pool_live gauge\n"));
    /// assert!(text.contains("name=\"bullets\",strategy=\"free_list\",storage=\"thread_local\"} 1\n"));
    /// # drop(bullet);
    /// ```
    pub fn to_prometheus(&self) -> String {
        let (rows, mut text) = (self.rows_by_label(), String::new());
        for (metric, kind, help, value) in METRICS {
            // Writing to a `String` does not fail.
            let kind = kind.as_str();
            let _ = writeln!(text, "# HELP {metric} {help}\n# TYPE {metric} {kind}");
            for row in &rows {
                let _ = write!(text, "{metric}{{type=\"{}\",", escaped(row.type_name));
                if let Some(name) = row.name {
                    let _ = write!(text, "name=\"{}\",", escaped(name));
                }
                let (strategy, storage, value) = (row.strategy, row.storage, value(row));
                let _ = writeln!(text, "strategy=\"{strategy}\",storage=\"{storage}\"}} {value}");
            }
        }
        text
    }
}

/// A label's value.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
