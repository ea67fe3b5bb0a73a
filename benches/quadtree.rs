//! What does a frame cost? A quad-tree over drifting bodies, built, asked and dropped.
//!
//! Twice: with one copy of the tree's code for all, which compares allocators, and with a tree
//! compiled for each, which is what a game would run.

use core::hint::black_box;
use core::time::Duration;
use std::time::Instant;

use criterion::measurement::WallTime;
use criterion::{Bencher, BenchmarkGroup, Criterion};
use typed_pool_benches::Contestant;
use typed_pool_benches::contestants::roll::{
    VisitNursery, VisitSwitched, nursery_peers, switched_peers,
};
use typed_pool_benches::points::Bodies;
use typed_pool_benches::workloads::quadtree::{Node, Nursery, Switch, Switchable, frame};

/// A group of benchmarks, one for each contestant.
struct Frames<'c>(BenchmarkGroup<'c, WallTime>);

/// Lets the bodies drift, and times a frame.
fn frames<N: Nursery>(bencher: &mut Bencher<'_>, nursery: N) {
    let mut bodies = Bodies::load();
    bencher.iter_custom(|count| {
        let mut spent = Duration::ZERO;
        for _ in 0..count {
            bodies.advance();
            let start = Instant::now();
            black_box(frame(nursery, bodies.places()));
            spent += start.elapsed();
        }
        spent
    });
}

impl VisitSwitched for Frames<'_> {
    fn visit<C: Switchable>(&mut self) {
        let contestant: &'static C = Box::leak(Box::new(C::enter()));
        // SAFETY: each frame drops its tree, so none is alive.
        let switch = unsafe { Switch::connect(contestant) };
        self.0.bench_function(C::NAME, |bencher| frames(bencher, switch));
    }
}

impl VisitNursery for Frames<'_> {
    fn visit<C: Nursery + Contestant<Node<C>>>(&mut self) {
        let contestant = C::enter();
        self.0.bench_function(C::NAME, |bencher| frames(bencher, contestant));
    }
}

fn one_copy(criterion: &mut Criterion) {
    switched_peers(&mut Frames(criterion.benchmark_group("frame/one copy of the tree")));
}

fn own_copies(criterion: &mut Criterion) {
    nursery_peers(&mut Frames(criterion.benchmark_group("frame/a tree for each")));
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    one_copy(&mut criterion);
    own_copies(&mut criterion);
    criterion.final_summary();
}
