//! What does a handle cost? Insertion, look-up and removal, in maps that are full and maps that are
//! mostly vacant.
//!
//! Criterion runs contestants one after the other, so its figures drift; for ratios see
//! `src/bin/side_by_side.rs`.

use core::time::Duration;
use std::time::Instant;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use typed_pool_benches::Keyed;
use typed_pool_benches::contestants::stores::{VisitKeyed, keyed_peers};
use typed_pool_benches::objects::Obj64;
use typed_pool_benches::workloads::handles::{Phase, Register};
use typed_pool_benches::workloads::iterate::Ruin;
use typed_pool_benches::workloads::{OCCUPANCIES, slots_to_measure};

/// A group of benchmarks, one for each contestant.
type Group<'c> = BenchmarkGroup<'c, WallTime>;

/// One phase of a map that is filled and emptied.
struct Cycles<'g, 'c>(&'g mut Group<'c>, u32, Phase);

impl VisitKeyed for Cycles<'_, '_> {
    fn visit<M: Keyed<Obj64>>(&mut self) {
        let Self(group, count, phase) = self;
        if *phase == Phase::GetStale && !M::KNOWS_STALE {
            return;
        }
        // Made when it is asked for: a filter may leave most out.
        let mut register = None;
        group.bench_function(M::name(), |bencher| {
            let register = register.get_or_insert_with(|| Register::<M>::new(*count));
            bencher.iter_custom(|cycles| {
                (0..cycles).map(|_| register.cycle::<0>(*phase).0).sum::<Duration>()
            });
        });
    }
}

fn cycles(criterion: &mut Criterion) {
    for (name, phase) in [
        ("insert", Phase::Insert),
        ("remove", Phase::Remove),
        ("take", Phase::Take),
        ("stale", Phase::GetStale),
    ] {
        for &slots in slots_to_measure() {
            let mut group = criterion.benchmark_group(format!("{name}/{slots}"));
            group.sample_size(10).throughput(Throughput::Elements(u64::from(slots)));
            keyed_peers(&mut Cycles(&mut group, slots, phase));
        }
    }
}

/// Look-ups in a random order.
struct Gets<'g, 'c>(&'g mut Group<'c>, u32, u32);

impl VisitKeyed for Gets<'_, '_> {
    fn visit<M: Keyed<Obj64>>(&mut self) {
        let Self(group, slots, percent) = self;
        let mut ruin = None;
        group.bench_function(M::name(), |bencher| {
            let ruin = ruin.get_or_insert_with(|| Ruin::<M>::new(*slots, *percent));
            bencher.iter(|| ruin.sum_by_key());
        });
    }
}

/// A random death and a birth.
struct Churn<'g, 'c>(&'g mut Group<'c>, u32, u32);

impl VisitKeyed for Churn<'_, '_> {
    fn visit<M: Keyed<Obj64>>(&mut self) {
        let Self(group, slots, percent) = self;
        let mut ruin = None;
        group.bench_function(M::name(), |bencher| {
            let ruin = ruin.get_or_insert_with(|| Ruin::<M>::new(*slots, *percent));
            bencher.iter_custom(|steps| {
                let start = Instant::now();
                ruin.churn(steps);
                start.elapsed()
            });
        });
    }
}

fn occupancies(criterion: &mut Criterion) {
    for &slots in slots_to_measure() {
        for percent in OCCUPANCIES {
            let of = format!("{percent}% of {slots}");
            let mut group = criterion.benchmark_group(format!("get/{of}"));
            let live = u64::from(slots) * u64::from(percent) / 100;
            group.sample_size(20).throughput(Throughput::Elements(live));
            keyed_peers(&mut Gets(&mut group, slots, percent));
            group.finish();
            let mut group = criterion.benchmark_group(format!("churn/{of}"));
            group.sample_size(20);
            keyed_peers(&mut Churn(&mut group, slots, percent));
        }
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    cycles(&mut criterion);
    occupancies(&mut criterion);
    criterion.final_summary();
}
