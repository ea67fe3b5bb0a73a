//! What a static pool with a capacity costs, beside a free list under a mutex, the heap, and a
//! thread-local pool, which does not share.
//!
//! `cargo run --profile measured --manifest-path benches/Cargo.toml --bin bounded`: nanoseconds for an object
//! that is allocated and freed; contestants take turns, round by round; the median of the rounds,
//! and the best.

use std::hint::black_box;
use std::ops::Deref;
use std::sync::{Barrier, Mutex, mpsc};
use std::thread;
use std::time::Instant;

use typed_pool::{PoolBox, Pooled};

const ROUNDS: usize = 31;
/// Objects that one thread allocates in a round.
const COUNT: u64 = 200_000;
const BURST: u64 = 1000;
/// How many are handed on at once.
const BATCH: u64 = 256;

type Fields = [u64; 8];

/// Something that owns one object.
trait Bounded: Deref<Target: Sized> + 'static {
    const NAME: &str;

    fn new(fields: Fields) -> Self;
}

macro_rules! pooled {
    ($($Name:ident, $called:literal, #[pool($($attribute:tt)*)])*) => {$(
        #[derive(Pooled)]
        #[pool($($attribute)*)]
        struct $Name(#[allow(dead_code, reason = "written, and no more")] Fields);

        impl Bounded for PoolBox<$Name> {
            const NAME: &str = $called;

            #[inline(always)]
            fn new(fields: Fields) -> Self {
                PoolBox::new($Name(fields))
            }
        }
    )*};
}

pooled! {
    Local, "thread-local pool", #[pool(capacity = 8192)]
    Stacked, "static, pointer_stack", #[pool(static, capacity = 8192)]
    Listed, "static, free_list", #[pool(static, strategy = free_list, capacity = 8192)]
}

impl Bounded for Box<Fields> {
    const NAME: &str = "Box (glibc)";

    #[inline(always)]
    fn new(fields: Fields) -> Self {
        Self::new(fields)
    }
}

/// Unused memory, under a mutex.
#[allow(clippy::vec_box, reason = "objects stay where they are")]
static FREE: Mutex<Vec<Box<Fields>>> = Mutex::new(Vec::new());

/// From a free list under a mutex.
struct Locked(Option<Box<Fields>>);

impl Deref for Locked {
    type Target = Fields;

    fn deref(&self) -> &Fields {
        self.0.as_ref().expect("not dropped yet")
    }
}

impl Bounded for Locked {
    const NAME: &str = "free list under a mutex";

    #[inline(always)]
    fn new(fields: Fields) -> Self {
        let free = FREE.lock().unwrap().pop();
        let mut object = free.unwrap_or_default();
        *object = fields;
        Self(Some(object))
    }
}

impl Drop for Locked {
    #[inline(always)]
    fn drop(&mut self) {
        FREE.lock().unwrap().extend(self.0.take());
    }
}

/// A workload of one thread: how many objects it made.
type Work = fn() -> u64;

fn pairs<B: Bounded>() -> u64 {
    for i in 0..COUNT {
        black_box(&*B::new([i; 8]));
    }
    COUNT
}

fn bursts<B: Bounded>() -> u64 {
    let mut objects = Vec::with_capacity(BURST as usize);
    for _ in 0..COUNT / BURST {
        objects.extend((0..BURST).map(|i| B::new([i; 8])));
        black_box(&mut objects).clear();
    }
    COUNT
}

/// Nanoseconds for each object, when this many threads do the work at once.
fn time(threads: usize, work: Work) -> f64 {
    let start = Barrier::new(threads);
    let times: Vec<f64> = thread::scope(|scope| {
        let one = || {
            start.wait();
            let begun = Instant::now();
            let count = work();
            begun.elapsed().as_nanos() as f64 / count as f64
        };
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    times.iter().sum::<f64>() / threads as f64
}

/// One thread allocates, another frees, in batches.
fn hand_off<B: Bounded + Send>() -> f64 {
    let (send, receive) = mpsc::sync_channel::<Vec<B>>(4);
    let begun = Instant::now();
    thread::scope(|scope| {
        scope.spawn(move || receive.into_iter().for_each(drop));
        for _ in 0..COUNT / BATCH {
            let batch = (0..BATCH).map(|i| B::new([i; 8])).collect();
            send.send(batch).unwrap();
        }
        drop(send);
    });
    begun.elapsed().as_nanos() as f64 / COUNT as f64
}

/// A column of the table: for each contestant its name and how long it took.
fn race(title: &str, contestants: &[(&str, &dyn Fn() -> f64)]) {
    let mut times = vec![Vec::new(); contestants.len()];
    for _ in 0..ROUNDS {
        for (times, (_, run)) in times.iter_mut().zip(contestants) {
            times.push(run());
        }
    }
    println!("{title}");
    for (times, (name, _)) in times.iter_mut().zip(contestants) {
        times.sort_unstable_by(f64::total_cmp);
        println!("  {name:24} {:7.1} {:7.1}", times[ROUNDS / 2], times[0]);
    }
}

macro_rules! own {
    ($title:literal, $threads:literal, $work:ident: $($Contestant:ty),*) => {
        race($title, &[$((<$Contestant>::NAME, &|| time($threads, $work::<$Contestant>))),*]);
    };
}

macro_rules! handed {
    ($($Contestant:ty),*) => {
        race("hand-off of 256", &[$((<$Contestant>::NAME, &hand_off::<$Contestant>)),*]);
    };
}

fn main() {
    println!("ns an object of 64 bytes, allocated and freed: median and best of {ROUNDS} rounds");
    own!("pair, one thread", 1, pairs:
        PoolBox<Local>, PoolBox<Stacked>, PoolBox<Listed>, Locked, Box<Fields>);
    own!("burst of 1,000, one thread", 1, bursts:
        PoolBox<Local>, PoolBox<Stacked>, PoolBox<Listed>, Locked, Box<Fields>);
    own!("pair, two threads", 2, pairs:
        PoolBox<Local>, PoolBox<Stacked>, PoolBox<Listed>, Locked, Box<Fields>);
    own!("burst of 1,000, two threads", 2, bursts:
        PoolBox<Local>, PoolBox<Stacked>, PoolBox<Listed>, Locked, Box<Fields>);
    handed!(PoolBox<Stacked>, PoolBox<Listed>, Locked, Box<Fields>);
}
