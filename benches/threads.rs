//! What does an object cost where two threads share an allocator? Each frees what is its own, or what
//! is the other's.
//!
//! Criterion runs contestants one after the other, so its figures drift; for ratios see
//! `src/bin/side_by_side.rs`.

use std::sync::Arc;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use typed_pool_benches::Contestant;
use typed_pool_benches::contestants::shared::{VisitShared, shared_peers};
use typed_pool_benches::crew::{Crew, Job};
use typed_pool_benches::objects::Payload;
use typed_pool_benches::workloads::threads::{PORTION, Which};

/// A group of benchmarks, one for each contestant.
struct Group<'g, 'c> {
    group: BenchmarkGroup<'g, WallTime>,
    crew: &'c Crew,
    which: Which,
}

impl VisitShared for Group<'_, '_> {
    fn visit<T: Payload, C: Contestant<T, Object: Send> + Send + Sync>(&mut self) {
        let workload = self.which.of::<T, C>(C::enter());
        self.group.bench_function(C::NAME, |bencher| {
            bencher.iter_custom(|portions| {
                let workload = Arc::clone(&workload);
                let job: Job = Arc::new(move |side| {
                    workload.work(side, portions);
                    0
                });
                self.crew.run(&job).0
            });
        });
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let crew = Crew::gather();
    for which in
        [Which::OwnPair, Which::OwnBurst, Which::HandOff, Which::HandOffRead, Which::Larson]
    {
        let mut group = criterion.benchmark_group(format!("two threads/{which:?}"));
        group.throughput(Throughput::Elements(u64::from(PORTION)));
        shared_peers(&mut Group { group, crew: &crew, which });
    }
    criterion.final_summary();
}
