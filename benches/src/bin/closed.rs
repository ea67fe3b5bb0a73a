//! Times a pool whose thread has ended: a thread-local that was used before the pool is destroyed after the pool was closed,
//! and frees its boxes then.
//!
//! ```sh
//! cargo run --profile measured --manifest-path benches/Cargo.toml --bin closed
//! cargo run --manifest-path benches/Cargo.toml --bin closed
//! ```
//!
//! Nanoseconds an object of 64 bytes, medians: freed before the end; freed after it, and made and freed after it, with as many
//! others alive.

use std::cell::RefCell;
use std::hint::black_box;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

use typed_pool::{PoolBox, Pooled};

const ROUNDS: usize = 15;

type Words = [u64; 8];

/// Something that is made as often as wanted, and freed by dropping it.
trait Kind: 'static {
    type Object;
    const NAME: &'static str;
    fn make() -> Self::Object;

    fn cache(use_it: impl FnOnce(&RefCell<Cache<Self>>));
}

/// Boxes that a thread keeps to its end.
struct Cache<K: Kind + ?Sized> {
    objects: Vec<K::Object>,
    times: Option<Sender<[f64; 2]>>,
}

impl<K: Kind + ?Sized> Drop for Cache<K> {
    fn drop(&mut self) {
        let Some(times) = self.times.take() else { return };
        let pairs = timed(self.objects.len(), || {
            (0..self.objects.len()).for_each(|_| drop(black_box(K::make())));
        });
        let frees = free(std::mem::take(&mut self.objects));
        times.send([frees, pairs]).expect("somebody waits");
    }
}

fn timed(count: usize, work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64() * 1e9 / count as f64
}

fn free<O>(objects: Vec<O>) -> f64 {
    timed(objects.len(), || drop(black_box(objects)))
}

fn made<K: Kind>(count: usize) -> Vec<K::Object> {
    (0..count).map(|_| K::make()).collect()
}

/// Before the end and after it.
fn measure<K: Kind>(count: usize) -> [f64; 3] {
    let (send, receive) = channel();
    let thread = thread::spawn(move || {
        // Before the pool, so it is destroyed after the pool was closed.
        K::cache(|_| ());
        let before = free(made::<K>(count));
        K::cache(|cache| {
            *cache.borrow_mut() = Cache { objects: made::<K>(count), times: Some(send) };
        });
        before
    });
    let before = thread.join().expect("no panic");
    let [frees, pairs] = receive.recv().expect("the cache was destroyed");
    [before, frees, pairs]
}

fn row<K: Kind>(count: usize) {
    let rounds: Vec<_> = (0..ROUNDS).map(|_| measure::<K>(count)).collect();
    let median = |at: usize| {
        let mut times: Vec<_> = rounds.iter().map(|round| round[at]).collect();
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    };
    let [before, frees, pairs] = [0, 1, 2].map(median);
    println!("| {} | {count} | {before:.1} | {frees:.1} | {pairs:.1} |", K::NAME);
}

macro_rules! kinds {
    ($($Kind:ident $name:literal $Object:ty, $make:expr;)*) => {
        $(
            struct $Kind;

            impl Kind for $Kind {
                type Object = $Object;
                const NAME: &'static str = $name;

                fn make() -> $Object {
                    $make
                }

                fn cache(use_it: impl FnOnce(&RefCell<Cache<Self>>)) {
                    thread_local! {
                        static CACHE: RefCell<Cache<$Kind>> =
                            const { RefCell::new(Cache { objects: Vec::new(), times: None }) };
                    }
                    CACHE.with(use_it);
                }
            }
        )*

        fn rows() {
            for count in [1000, 100_000] {
                $(row::<$Kind>(count);)*
            }
        }
    };
}

macro_rules! pooled {
    ($($Object:ident $pool:tt)*) => {$(
        #[derive(Pooled)]
        #[pool $pool]
        struct $Object(#[allow(dead_code)] Words);
    )*};
}

pooled! { Listed(strategy = free_list) Stacked(strategy = pointer_stack) Shared(static) }

kinds! {
    List "free_list" PoolBox<Listed>, PoolBox::new(Listed([1; 8]));
    Stack "pointer_stack" PoolBox<Stacked>, PoolBox::new(Stacked([1; 8]));
    Static "static" PoolBox<Shared>, PoolBox::new(Shared([1; 8]));
    Heap "Box (system)" Box<Words>, Box::new([1; 8]);
}

fn main() {
    println!(
        "| pool | objects | free, open | free, closed | pair, closed |\n|---|--:|--:|--:|--:|"
    );
    rows();
}
