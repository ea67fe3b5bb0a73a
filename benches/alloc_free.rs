//! What does an object cost that is made and destroyed? Pairs, bursts and churn of plain objects.
//!
//! Criterion runs contestants one after the other, so its figures drift; for ratios see
//! `src/bin/side_by_side.rs`.

use std::time::Instant;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use typed_pool_benches::Contestant;
use typed_pool_benches::contestants::roll::{Flat, VisitFlat, flat_peers};
use typed_pool_benches::objects::{Obj16, Obj64, Obj256, Obj1024};
use typed_pool_benches::workloads::burst::{Bursts, Order, Permutation};
use typed_pool_benches::workloads::churn::Crowd;
use typed_pool_benches::workloads::{Blind, pair};

/// A group of benchmarks, one for each contestant.
type Group<'c> = BenchmarkGroup<'c, WallTime>;

/// Made and destroyed at once.
struct Pairs<'g, 'c>(&'g mut Group<'c>);

impl<T: Flat> VisitFlat<T> for Pairs<'_, '_> {
    fn visit<C: Contestant<T>>(&mut self) {
        let contestant = C::enter();
        self.0.bench_function(C::NAME, |bencher| {
            bencher.iter_custom(|pairs| {
                let start = Instant::now();
                pair::run::<0, _, _>(contestant, pairs, &mut Blind);
                start.elapsed()
            });
        });
    }
}

fn pairs(criterion: &mut Criterion) {
    fn of<T: Flat>(criterion: &mut Criterion) {
        let mut group = criterion.benchmark_group(format!("pair/{}", size_of::<T>()));
        flat_peers::<T>(&mut Pairs(&mut group));
    }
    of::<Obj16>(criterion);
    of::<Obj64>(criterion);
    of::<Obj256>(criterion);
    of::<Obj1024>(criterion);
}

/// Many made, then all destroyed.
struct Burst<'g, 'c>(&'g mut Group<'c>, Permutation);

impl<T: Flat> VisitFlat<T> for Burst<'_, '_> {
    fn visit<C: Contestant<T>>(&mut self) {
        let mut bursts = Bursts::<T, C>::new(self.1.clone());
        self.0.bench_function(C::NAME, |bencher| {
            bencher.iter(|| bursts.run::<0>(1, &mut Blind));
        });
    }
}

fn bursts(criterion: &mut Criterion) {
    for count in [1_000, 100_000] {
        for order in [Order::Same, Order::Reverse, Order::Shuffled] {
            let mut group = criterion.benchmark_group(format!("burst/{count} {order:?}"));
            group.throughput(Throughput::Elements(u64::from(count)));
            flat_peers::<Obj64>(&mut Burst(&mut group, order.of(count)));
        }
    }
}

/// A crowd in which one object dies and one is born.
struct Churn<'g, 'c>(&'g mut Group<'c>, u32);

impl<T: Flat> VisitFlat<T> for Churn<'_, '_> {
    fn visit<C: Contestant<T>>(&mut self) {
        if !C::FREES {
            return;
        }
        let mut crowd = Crowd::<T, C>::gather(C::enter(), self.1);
        crowd.churn::<0>(u64::from(self.1));
        self.0.bench_function(C::NAME, |bencher| {
            bencher.iter_custom(|steps| {
                let start = Instant::now();
                crowd.churn::<0>(steps);
                start.elapsed()
            });
        });
    }
}

fn churns(criterion: &mut Criterion) {
    for count in [10_000, 1_000_000] {
        let mut group = criterion.benchmark_group(format!("churn/{count} live"));
        flat_peers::<Obj64>(&mut Churn(&mut group, count));
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    pairs(&mut criterion);
    bursts(&mut criterion);
    churns(&mut criterion);
    criterion.final_summary();
}
