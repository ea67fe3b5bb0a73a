//! What is exported to the crate `metrics` is what the pools say.

#![cfg(feature = "metrics")]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use metrics::{
    Counter, CounterFn, Gauge, GaugeFn, Histogram, Key, KeyName, Metadata, Recorder, SharedString,
    Unit,
};
use typed_pool::{FreeList, PoolBox, PoolStats, Pooled, pools};

/// An exporter: what was set, by name and labels as Prometheus writes them.
#[derive(Default)]
struct Exporter {
    values: Mutex<BTreeMap<String, Arc<Value>>>,
    help: Mutex<BTreeMap<String, String>>,
}

/// The bits of a gauge's number, or a counter's.
#[derive(Default)]
struct Value(AtomicU64);

impl GaugeFn for Value {
    fn increment(&self, _: f64) {
        panic!("gauges are set");
    }

    fn decrement(&self, _: f64) {
        panic!("gauges are set");
    }

    fn set(&self, value: f64) {
        assert_eq!(value.fract(), 0.0);
        self.0.store(value as u64, Ordering::Relaxed);
    }
}

impl CounterFn for Value {
    fn increment(&self, _: u64) {
        panic!("counters are set");
    }

    fn absolute(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }
}

impl Exporter {
    fn value(&self, key: &Key) -> Arc<Value> {
        let labels = key.labels().map(|label| format!("{}=\"{}\"", label.key(), label.value()));
        let name = format!("{}{{{}}}", key.name(), labels.collect::<Vec<_>>().join(","));
        self.values.lock().unwrap().entry(name).or_default().clone()
    }

    fn describe(&self, kind: &str, key: KeyName, description: SharedString) {
        let name = key.as_str().to_owned();
        self.help.lock().unwrap().insert(name, format!("{kind}: {description}"));
    }

    /// All that was set, in the text format of Prometheus.
    fn lines(&self) -> Vec<String> {
        let values = self.values.lock().unwrap();
        let line = |(name, value): (&String, &Arc<Value>)| {
            format!("{name} {}", value.0.load(Ordering::Relaxed))
        };
        values.iter().map(line).collect()
    }

    fn get(&self, metric: &str, name: &str) -> Option<u64> {
        let values = self.values.lock().unwrap();
        let label = format!("name=\"{name}\"");
        let is_it = |key: &str| key.starts_with(&format!("{metric}{{")) && key.contains(&label);
        let found = values.iter().find(|(key, _)| is_it(key));
        found.map(|(_, value)| value.0.load(Ordering::Relaxed))
    }
}

impl Recorder for Exporter {
    fn describe_counter(&self, key: KeyName, _: Option<Unit>, description: SharedString) {
        self.describe("counter", key, description);
    }

    fn describe_gauge(&self, key: KeyName, _: Option<Unit>, description: SharedString) {
        self.describe("gauge", key, description);
    }

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {
        panic!("there is none");
    }

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.value(key))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(self.value(key))
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        panic!("there is none");
    }
}

#[derive(Pooled)]
#[pool(name = "bullets")]
#[allow(dead_code, reason = "it takes room")]
struct Bullet([u64; 4]);

#[derive(Pooled)]
#[pool(static, capacity = 2, name = "jobs")]
#[allow(dead_code, reason = "it takes room")]
struct Job([u64; 2]);

#[derive(Pooled)]
#[pool(strategy = roster, name = "monsters")]
#[allow(dead_code, reason = "it takes room")]
struct Monster([u64; 2]);

// One test: the recorder is told of every pool of the process.
#[test]
fn what_is_exported_is_what_the_pools_say() {
    let exporter = Exporter::default();
    let record = || metrics::with_local_recorder(&exporter, pools::record_metrics);

    // Nobody listens.
    pools::record_metrics();
    record();
    assert_eq!(exporter.get("typed_pool_live", "bullets"), None, "it was never used");

    let mut bullets: Vec<_> = (0..100).map(|n| PoolBox::new(Bullet([n; 4]))).collect();
    let jobs = [1, 2].map(|n| PoolBox::new(Job([n; 2])));
    assert!(PoolBox::try_new(Job([3; 2])).is_err());
    let monsters = [1, 2, 3].map(|n| Monster::pool_insert(Monster([n; 2])));
    let sparks = FreeList::<[u64; 3]>::named("sparks");
    let spark = sparks.alloc([0; 3]);
    let check = |name: &str, stats: PoolStats, failures: u64| {
        record();
        let expected = [
            ("live", stats.live),
            ("high_water", stats.high_water),
            ("capacity", stats.capacity),
            ("slot_bytes", stats.slot_bytes),
            ("chunks", stats.chunks),
            ("bytes", stats.bytes),
        ];
        for (metric, value) in expected {
            let exported = exporter.get(&format!("typed_pool_{metric}"), name);
            assert_eq!(exported, Some(value as u64), "{metric} of {name}");
        }
        assert_eq!(exporter.get("typed_pool_failures_total", name), Some(failures), "{name}");
        assert!(exporter.get("typed_pool_growths_total", name) >= Some(1), "{name}");
    };
    check("bullets", Bullet::pool_stats(), 0);
    check("jobs", Job::pool_stats(), 1);
    check("monsters", Monster::pool_stats(), 0);
    check("sparks", sparks.stats(), 0);

    // Gauges fall, too.
    bullets.truncate(7);
    Monster::pool_remove(monsters[0]);
    check("bullets", Bullet::pool_stats(), 0);
    check("monsters", Monster::pool_stats(), 0);
    assert_eq!(exporter.get("typed_pool_live", "bullets"), Some(7));
    assert_eq!(exporter.get("typed_pool_high_water", "bullets"), Some(100));

    // The same names, labels, figures and explanations as in the text for Prometheus.
    let text = typed_pool::report().to_prometheus();
    let mut lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    lines.sort_unstable();
    assert_eq!(exporter.lines(), lines);
    let help = exporter.help.lock().unwrap();
    for (metric, help) in &*help {
        let (kind, help) = help.split_once(": ").unwrap();
        let head = format!("# HELP {metric} {help}\n# TYPE {metric} {kind}\n");
        assert!(text.contains(&head), "{head}");
    }
    assert_eq!(help.len(), text.matches("# HELP").count());
    drop((bullets, jobs, spark));
}
