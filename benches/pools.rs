//! Times and their spread, by criterion: pools beside `Box` and the best peers, in the workloads of the tables.
//!
//! ```sh
//! cargo bench --manifest-path benches/Cargo.toml --bench pools -- handles
//! ```
//!
//! Criterion runs one contestant after the other, so its figures drift; for ratios see `src/race`.

use core::hint::black_box;
use core::time::Duration;
use std::time::Instant;

use bumpalo::Bump;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use mimalloc::MiMalloc;
use slab::Slab;
use slotmap::{DefaultKey, DenseSlotMap, SlotMap};
use tikv_jemallocator::Jemalloc;
use typed_pool::{FrameBox, FrameStack, LocalFrameStack, Roster};
use typed_pool_benches::contestants::{
    AnyBox, Derived, DerivedStack, SharedPool, Slabs, Slots, SystemBox,
};
use typed_pool_benches::objects::{Obj64, Payload};
use typed_pool_benches::workloads::burst::{Bursts, Order};
use typed_pool_benches::workloads::handles::{Phase, Register};
use typed_pool_benches::workloads::{Blind, pair};
use typed_pool_benches::{Contestant, Keyed};

type Group<'c> = BenchmarkGroup<'c, WallTime>;

/// Calls a function for each contestant of boxes.
macro_rules! boxes {
    ($function:ident($($argument:expr),*)) => {
        boxes!(@ $function($($argument),*)
            Derived, DerivedStack, AnyBox, SystemBox, Slots<MiMalloc>, Slots<Jemalloc>, Slabs<Obj64>, SharedPool<Obj64>)
    };
    (@ $function:ident $arguments:tt $($Contestant:ty),*) => {
        $($function::<$Contestant> $arguments;)*
    };
}

/// Made and freed at once.
fn pairs<C: Contestant<Obj64>>(group: &mut Group<'_>) {
    let contestant = C::enter();
    group.bench_function(C::NAME, |bencher| {
        bencher.iter_custom(|pairs| {
            let start = Instant::now();
            pair::run::<0, _, _>(contestant, pairs, &mut Blind);
            start.elapsed()
        });
    });
}

/// Many made, then all freed.
fn bursts<C: Contestant<Obj64>>(group: &mut Group<'_>, count: u32, order: Order) {
    let mut bursts = Bursts::<Obj64, C>::new(order.of(count));
    group.bench_function(C::NAME, |bencher| bencher.iter(|| bursts.run::<0>(1, &mut Blind)));
}

/// One phase of a map that is filled and emptied.
fn cycles<M: Keyed<Obj64>>(group: &mut Group<'_>, count: u32, phase: Phase) {
    let mut register = Register::<M>::new(count);
    group.bench_function(M::name(), |bencher| {
        bencher.iter_custom(|cycles| {
            (0..cycles).map(|_| register.cycle::<0>(phase).0).sum::<Duration>()
        });
    });
}

/// A frame's objects, and a reset.
fn frames(group: &mut Group<'_>, count: u64) {
    macro_rules! frame {
        ($($Frame:ty, |$frame:ident, $value:ident| $put:expr;)*) => {$(
            let mut $frame = <$Frame>::new();
            group.bench_function(stringify!($Frame), |bencher| bencher.iter(|| {
                for seed in 0..count {
                    let $value = Obj64::written(seed);
                    black_box($put);
                }
                $frame.reset();
            }));
        )*};
    }
    frame! {
        LocalFrameStack, |frame, value| FrameBox::leak(frame.alloc(value));
        FrameStack, |frame, value| FrameBox::leak(frame.alloc(value));
        Bump, |frame, value| frame.alloc(value);
    }
    let mut boxes = Vec::with_capacity(count as usize);
    group.bench_function("Box (system)", |bencher| {
        bencher.iter(|| {
            boxes.extend((0..count).map(|seed| Box::new(Obj64::written(seed))));
            black_box(&mut boxes).clear();
        });
    });
}

fn main() {
    const COUNT: u32 = 10_000;

    let mut criterion = Criterion::default().configure_from_args();
    boxes!(pairs(&mut criterion.benchmark_group("pair")));
    for order in [Order::Same, Order::Reverse, Order::Shuffled] {
        let mut group = criterion.benchmark_group(format!("burst/{order:?}"));
        group.throughput(Throughput::Elements(COUNT.into()));
        boxes!(bursts(&mut group, COUNT, order));
    }
    for phase in [Phase::Insert, Phase::Get, Phase::Remove] {
        let mut group = criterion.benchmark_group(format!("handles/{phase:?}"));
        group.throughput(Throughput::Elements(COUNT.into()));
        cycles::<Roster<Obj64>>(&mut group, COUNT, phase);
        cycles::<SlotMap<DefaultKey, Obj64>>(&mut group, COUNT, phase);
        cycles::<DenseSlotMap<DefaultKey, Obj64>>(&mut group, COUNT, phase);
        cycles::<Slab<Obj64>>(&mut group, COUNT, phase);
    }
    let mut group = criterion.benchmark_group("frames");
    group.throughput(Throughput::Elements(COUNT.into()));
    frames(&mut group, COUNT.into());
    group.finish();
    criterion.final_summary();
}
