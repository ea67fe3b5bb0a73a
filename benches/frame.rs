//! What does memory cost that dies together? Objects of a frame, made and taken back at once, beside
//! bumpalo, a `Vec` of bytes by hand, and the heap; what a block costs that is freed from the top; what a
//! reset costs; and what it costs to count every byte.

use core::hint::black_box;
use core::ptr::NonNull;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use criterion::{Criterion, Throughput};
use typed_pool::{FrameBox, FrameStack, LocalFrameStack, Tracked};
use typed_pool_benches::objects::{Obj16, Obj64, Payload};

/// Objects in a frame, half of them of 16 bytes and half of 64.
const OBJECTS: u64 = 10_000;

/// Memory that is taken back at the end of the frame.
trait Arena {
    const NAME: &'static str;

    fn new() -> Self;

    /// Moves the value in. It is not dropped.
    fn put<T>(&self, value: T) -> NonNull<T>;

    fn reset(&mut self);
}

impl Arena for LocalFrameStack {
    const NAME: &'static str = "LocalFrameStack";

    fn new() -> Self {
        Self::new()
    }

    #[inline(always)]
    fn put<T>(&self, value: T) -> NonNull<T> {
        NonNull::from(FrameBox::leak(self.alloc(value)))
    }

    fn reset(&mut self) {
        self.reset();
    }
}

impl Arena for FrameStack {
    const NAME: &'static str = "FrameStack";

    fn new() -> Self {
        Self::new()
    }

    #[inline(always)]
    fn put<T>(&self, value: T) -> NonNull<T> {
        NonNull::from(FrameBox::leak(self.alloc(value)))
    }

    fn reset(&mut self) {
        self.reset();
    }
}

impl Arena for bumpalo::Bump {
    const NAME: &'static str = "bumpalo";

    fn new() -> Self {
        Self::new()
    }

    #[inline(always)]
    fn put<T>(&self, value: T) -> NonNull<T> {
        NonNull::from(self.alloc(value))
    }

    fn reset(&mut self) {
        self.reset();
    }
}

/// A megabyte and an offset, for one thread: what is left to reach.
struct ByHand {
    bytes: core::cell::UnsafeCell<Vec<u8>>,
    used: core::cell::Cell<usize>,
}

impl Arena for ByHand {
    const NAME: &'static str = "Vec<u8> by hand";

    fn new() -> Self {
        Self { bytes: vec![0; 1 << 20].into(), used: 0.into() }
    }

    #[inline(always)]
    fn put<T>(&self, value: T) -> NonNull<T> {
        // SAFETY: one thread, and nothing else refers to the vector itself.
        let bytes = unsafe { &mut *self.bytes.get() };
        let end = bytes.as_mut_ptr().wrapping_add(self.used.get());
        let padding = end.addr().wrapping_neg() & (align_of::<T>() - 1);
        let used = self.used.get() + padding + size_of::<T>();
        assert!(used <= bytes.len(), "the frame is larger than the vector");
        self.used.set(used);
        let place: *mut T = end.wrapping_add(padding).cast();
        // SAFETY: within the vector, aligned, and behind all that was put there.
        unsafe { place.write(value) };
        // SAFETY: as above.
        unsafe { NonNull::new_unchecked(place) }
    }

    fn reset(&mut self) {
        self.used.set(0);
    }
}

/// bumpalo behind a lock, as threads would have to share it.
struct Locked(Mutex<bumpalo::Bump>);

impl Arena for Locked {
    const NAME: &'static str = "bumpalo in a Mutex";

    fn new() -> Self {
        Self(Mutex::default())
    }

    #[inline(always)]
    fn put<T>(&self, value: T) -> NonNull<T> {
        NonNull::from(self.0.lock().unwrap().alloc(value))
    }

    fn reset(&mut self) {
        self.0.get_mut().unwrap().reset();
    }
}

/// Half a frame's objects of each size.
#[inline(always)]
fn fill(arena: &impl Arena, objects: u64) {
    for seed in 0..objects / 2 {
        black_box(arena.put(Obj16::written(seed)));
        black_box(arena.put(Obj64::written(seed)));
    }
}

fn frames(criterion: &mut Criterion) {
    fn of<A: Arena>(group: &mut criterion::BenchmarkGroup<'_, criterion::measurement::WallTime>) {
        let mut arena = A::new();
        group.bench_function(A::NAME, |bencher| {
            bencher.iter(|| {
                fill(&arena, OBJECTS);
                arena.reset();
            });
        });
    }
    let mut group = criterion.benchmark_group("frame/10,000 objects and a reset");
    group.throughput(Throughput::Elements(OBJECTS));
    of::<LocalFrameStack>(&mut group);
    of::<FrameStack>(&mut group);
    of::<bumpalo::Bump>(&mut group);
    of::<ByHand>(&mut group);
    group.bench_function("Box (system)", |bencher| {
        let mut small = Vec::with_capacity(OBJECTS as usize);
        let mut large = Vec::with_capacity(OBJECTS as usize);
        bencher.iter(|| {
            for seed in 0..OBJECTS / 2 {
                small.push(Box::new(Obj16::written(seed)));
                large.push(Box::new(Obj64::written(seed)));
            }
            small.clear();
            large.clear();
        });
    });
}

fn shared(criterion: &mut Criterion) {
    fn of<A: Arena + Sync>(
        group: &mut criterion::BenchmarkGroup<'_, criterion::measurement::WallTime>,
    ) {
        let mut arena = A::new();
        group.bench_function(A::NAME, |bencher| {
            bencher.iter(|| {
                thread::scope(|threads| {
                    threads.spawn(|| fill(&arena, 10 * OBJECTS));
                    fill(&arena, 10 * OBJECTS);
                });
                arena.reset();
            });
        });
    }
    let mut group = criterion.benchmark_group("frame/two threads, 100,000 objects each");
    group.throughput(Throughput::Elements(20 * OBJECTS));
    of::<FrameStack>(&mut group);
    of::<Locked>(&mut group);
}

fn from_the_top(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("frame/alloc and free of the last");
    let (local, shared) = (LocalFrameStack::new(), FrameStack::new());
    group.bench_function("LocalFrameStack", |bencher| {
        bencher.iter(|| local.free(black_box(local.alloc(Obj64::written(1)))));
    });
    group.bench_function("FrameStack", |bencher| {
        bencher.iter(|| shared.free(black_box(shared.alloc(Obj64::written(1)))));
    });
    group.bench_function("Box (system)", |bencher| {
        bencher.iter(|| drop(black_box(Box::new(Obj64::written(1)))));
    });
}

fn resets(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("frame/reset");
    for chunks in [1_usize, 8] {
        let mut stack = FrameStack::with_capacity(1024);
        for _ in 0..chunks {
            // One more than there is room for.
            let _ = stack.alloc_slice_with(stack.capacity() - stack.used() + 1, |_| 0_u8);
        }
        group.bench_function(format!("{chunks} chunks"), |bencher| {
            bencher.iter(|| {
                black_box(stack.alloc(1_u8));
                stack.reset();
            });
        });
    }
}

fn counted(criterion: &mut Criterion) {
    fn pair(heap: &impl GlobalAlloc) {
        let layout = Layout::new::<Obj64>();
        // SAFETY: the layout is not zero in size.
        let block = black_box(unsafe { heap.alloc(layout) });
        // SAFETY: the block is from this heap and of this layout.
        unsafe { heap.dealloc(block, layout) };
    }
    let mut group = criterion.benchmark_group("tracked/pair, 64 bytes");
    group.bench_function("System", |bencher| bencher.iter(|| pair(&System)));
    let heap = Tracked::new(System);
    group.bench_function("Tracked<System>", |bencher| bencher.iter(|| pair(&heap)));
    group.bench_function("Tracked<System>, beside another thread", |bencher| {
        bencher.iter_custom(|pairs| {
            thread::scope(|threads| {
                threads.spawn(|| (0..pairs).for_each(|_| pair(&heap)));
                let start = Instant::now();
                (0..pairs).for_each(|_| pair(&heap));
                start.elapsed()
            })
        });
    });
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    frames(&mut criterion);
    shared(&mut criterion);
    from_the_top(&mut criterion);
    resets(&mut criterion);
    counted(&mut criterion);
    criterion.final_summary();
}
