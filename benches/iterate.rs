//! What does it cost to visit all that is live? And a frame of bullets, which does so and
//! removes some on the way.
//!
//! Criterion runs contestants one after the other, so its figures drift; for ratios see
//! `src/bin/side_by_side.rs`.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use typed_pool_benches::contestants::stores::{VisitKeyed, VisitStore, keyed_peers, stores};
use typed_pool_benches::objects::Obj64;
use typed_pool_benches::workloads::frame::{Barrage, Bullet};
use typed_pool_benches::workloads::iterate::Ruin;
use typed_pool_benches::workloads::{OCCUPANCIES, slots_to_measure};
use typed_pool_benches::{Keyed, Store};

/// A group of benchmarks, one for each contestant.
type Group<'c> = BenchmarkGroup<'c, WallTime>;

/// Reads every live value.
struct Iterate<'g, 'c>(&'g mut Group<'c>, u32, u32);

impl VisitKeyed for Iterate<'_, '_> {
    fn visit<M: Keyed<Obj64>>(&mut self) {
        let Self(group, slots, percent) = self;
        // Made when it is asked for: a filter may leave most out.
        let mut ruin = None;
        group.bench_function(M::name(), |bencher| {
            let ruin = ruin.get_or_insert_with(|| Ruin::<M>::new(*slots, *percent));
            bencher.iter(|| ruin.sum::<0>());
        });
    }
}

fn iterate(criterion: &mut Criterion) {
    for &slots in slots_to_measure() {
        for percent in OCCUPANCIES {
            let mut group = criterion.benchmark_group(format!("iterate/{percent}% of {slots}"));
            let live = u64::from(slots) * u64::from(percent) / 100;
            group.sample_size(20).throughput(Throughput::Elements(live));
            keyed_peers(&mut Iterate(&mut group, slots, percent));
        }
    }
}

/// Moves all bullets, drops the expired ones, and fires new ones in their place.
struct Frames<'g, 'c>(&'g mut Group<'c>, u32);

impl VisitStore for Frames<'_, '_> {
    fn visit<S: Store<Bullet>>(&mut self) {
        let Self(group, count) = self;
        let mut barrage = None;
        group.bench_function(S::name(), |bencher| {
            let barrage = barrage.get_or_insert_with(|| Barrage::<S>::new(*count));
            bencher.iter(|| barrage.frames::<0>(1));
        });
    }
}

fn frames(criterion: &mut Criterion) {
    for &count in slots_to_measure() {
        let mut group = criterion.benchmark_group(format!("bullets/{count}"));
        group.sample_size(20).throughput(Throughput::Elements(u64::from(count)));
        stores(&mut Frames(&mut group, count));
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    iterate(&mut criterion);
    frames(&mut criterion);
    criterion.final_summary();
}
