//! A report as metrics of the crate `metrics`, for whatever exporter the program has.

use alloc::vec::Vec;

use metrics::{Label, counter, describe_counter, describe_gauge, gauge};

use crate::pools::info::Identity;
use crate::pools::summary::prometheus::{Kind, METRICS};
use crate::pools::summary::report::{Row, report};

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
pub fn record_metrics() {
    for (metric, kind, help, _) in METRICS {
        match kind {
            Kind::Gauge => describe_gauge!(metric, help),
            Kind::Counter => describe_counter!(metric, help),
        }
    }
    for row in &report().rows_by_label() {
        let labels: Vec<_> = labels(row).collect();
        for (metric, kind, _, value) in METRICS {
            let value = value(row);
            match kind {
                Kind::Gauge => gauge!(metric, labels.iter()).set(value as f64),
                Kind::Counter => counter!(metric, labels.iter()).absolute(value as u64),
            }
        }
    }
}

fn labels(row: &Row) -> impl Iterator<Item = Label> {
    let Identity { type_name, name, strategy, storage, .. } = row.identity;
    let labels = [
        ("type", Some(type_name)),
        ("name", name),
        ("strategy", Some(strategy.as_str())),
        ("storage", Some(storage.as_str())),
    ];
    let label = |(key, value): (_, Option<_>)| Some(Label::from_static_parts(key, value?));
    labels.into_iter().filter_map(label)
}
