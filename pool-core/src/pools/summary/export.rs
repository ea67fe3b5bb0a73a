//! A report for exporters: text for Prometheus, and metrics of the crate `metrics`.

use alloc::string::String;
use core::fmt::Write as _;

use crate::pools::info::Identity;
use crate::pools::summary::{Report, Row};

/// The name, which ends in `_total` if it is a counter, what it says, and its value.
type Metric = (&'static str, &'static str, fn(&Row) -> usize);

/// What a report is exported as, whatever the exporter.
const METRICS: [Metric; 14] = [
    ("typed_pool_pools", "Pools.", |row| row.pools),
    ("typed_pool_live", "Elements that are live.", |row| row.live),
    ("typed_pool_weak", "Slots that are held by weak pointers alone.", |row| row.weak),
    ("typed_pool_detached", "Slots that are occupied without a live element.", |row| row.detached),
    ("typed_pool_retired", "Slots of rosters that are worn out.", |row| row.retired),
    (
        "typed_pool_high_water",
        "The most slots that were ever occupied at once; in a growing static pool, those in threads' magazines included.",
        |row| row.high_water,
    ),
    (
        "typed_pool_is_exact",
        "1 if all figures are of this moment; 0 if some are of the last growth, trim or `publish` of a thread.",
        |row| usize::from(row.is_exact),
    ),
    ("typed_pool_capacity", "Slots.", |row| row.capacity),
    ("typed_pool_slot_bytes", "Bytes of one slot.", |row| row.slot_bytes),
    ("typed_pool_chunks", "Blocks of memory that the slots lie in.", |row| row.chunks),
    ("typed_pool_bytes", "Bytes of memory held.", |row| row.bytes),
    ("typed_pool_log_bytes", "How many of these are in logs.", |row| row.log_bytes),
    ("typed_pool_failures_total", "Requests that could not be met.", |row| row.failures),
    ("typed_pool_growths_total", "Chunks that were added.", |row| row.grown),
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
    #[inline]
    pub fn to_prometheus(&self) -> String {
        let (rows, mut text) = (self.rows_by_label(), String::new());
        for (metric, help, value) in METRICS {
            // Writing to a `String` does not fail.
            let kind = if is_counter(metric) { "counter" } else { "gauge" };
            let _ = writeln!(text, "# HELP {metric} {help}\n# TYPE {metric} {kind}");
            for row in &rows {
                let mut before = '{';
                let _ = write!(text, "{metric}");
                for (key, label) in labels(row) {
                    let label =
                        label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
                    let _ = write!(text, "{before}{key}=\"{label}\"");
                    before = ',';
                }
                let _ = writeln!(text, "}} {}", value(row));
            }
        }
        text
    }
}

fn is_counter(metric: &str) -> bool {
    metric.ends_with("_total")
}

/// What tells a row from others.
fn labels(row: &Row) -> impl Iterator<Item = (&'static str, &'static str)> {
    let Identity { type_name, name, strategy, storage, .. } = row.identity;
    let labels = [
        ("type", Some(type_name)),
        ("name", name),
        ("strategy", Some(strategy.as_str())),
        ("storage", Some(storage.as_str())),
    ];
    labels.into_iter().filter_map(|(key, label)| Some((key, label?)))
}

/// Sets the gauges and counters of all pools in the recorder of the crate `metrics` that the program has installed, by type. Call it
/// once a second or so, or before the exporter is read.
///
/// Names and labels are as in [`Report::to_prometheus`](crate::pools::Report::to_prometheus). Without a recorder it does nothing.
/// What was set stays until it is set again: the last values of a pool that is a value stay when it is gone, unless the exporter
/// forgets what is idle.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled, pools};
///
/// #[derive(Pooled)]
/// #[pool(name = "bullets")]
/// struct Bullet([f32; 4]);
///
/// // At the start, for instance: metrics_exporter_prometheus::PrometheusBuilder::new().install()?;
/// let bullet = PoolBox::new(Bullet([0.0; 4]));
/// pools::record_metrics(); // typed_pool_live{type="game::Bullet",name="bullets",..} is 1
/// # drop(bullet);
/// ```
#[cfg(feature = "metrics")]
pub fn record_metrics() {
    for (metric, help, _) in METRICS {
        match is_counter(metric) {
            true => metrics::describe_counter!(metric, help),
            false => metrics::describe_gauge!(metric, help),
        }
    }
    for row in &crate::pools::report().rows_by_label() {
        let label = |(key, label)| metrics::Label::from_static_parts(key, label);
        let labels: Vec<_> = labels(row).map(label).collect();
        for (metric, _, value) in METRICS {
            let value = value(row);
            match is_counter(metric) {
                true => metrics::counter!(metric, labels.iter()).absolute(value as u64),
                false => metrics::gauge!(metric, labels.iter()).set(value as f64),
            }
        }
    }
}
