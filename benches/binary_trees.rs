//! What does a node cost in a deep, regular tree? Depth 16, built, walked and dropped.

use core::hint::black_box;
use core::ops::Deref;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use typed_pool_benches::Contestant;
use typed_pool_benches::contestants::roll::{VisitTwigs, twig_peers};
use typed_pool_benches::workloads::binary_trees::{DEPTH, Twig, nodes, tree};

/// A group of benchmarks, one for each contestant.
struct Trees<'c>(BenchmarkGroup<'c, WallTime>);

impl VisitTwigs for Trees<'_> {
    fn visit<C: Contestant<Twig<C>, Object: Deref<Target = Twig<C>>>>(&mut self) {
        let contestant = C::enter();
        self.0.bench_function(C::NAME, |bencher| {
            bencher.iter(|| black_box(tree(contestant, black_box(DEPTH))));
        });
    }
}

fn trees(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("binary trees");
    group.throughput(Throughput::Elements(nodes(DEPTH)));
    twig_peers(&mut Trees(group));
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    trees(&mut criterion);
    criterion.final_summary();
}
