//! How long `rpds`' collections take on [`any::Rc`] and [`any::Arc`], beside std's `Rc` and `Arc`: build, edit a copy, drop.
//! All take turns, round by round; ratios are medians over the rounds, to std's `Arc`.
//!
//! ```sh
//! cargo run --release --manifest-path tests/persistent/Cargo.toml                      # the program's heap is the system's
//! cargo run --release --manifest-path tests/persistent/Cargo.toml --features mimalloc  # or mimalloc
//! ```
//!
//! A number behind `--` is the number of rounds. The vector and the hash-trie map take the arrays in their nodes from
//! the program's heap, whatever the pointers are.
//!
//! [`any::Rc`]: typed_pool::any::Rc
//! [`any::Arc`]: typed_pool::any::Arc

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::hash::BuildHasherDefault;
use std::hint::black_box;
use std::time::{Duration, Instant};

use archery::{ArcK, RcK, SharedPointerKind};
use persistent::{ArcPool, RcPool};
use rpds::{HashTrieMap, List, RedBlackTreeMap, Vector};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static HEAP: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ELEMENTS: u64 = 20_000;
const EDITS: u64 = 5_000;
const TASKS: [&str; 3] = ["build", "copy and edit", "drop"];
const POINTERS: [&str; 4] = ["std Arc", "std Rc", "any::Arc", "any::Rc"];

/// The same for all.
type Fixed = BuildHasherDefault<DefaultHasher>;

trait Collection: Clone + Default {
    fn put(&mut self, number: u64);
    fn edit(&mut self, number: u64);
    fn sum(&self) -> u64;
}

/// Far from the last one.
fn scattered(number: u64) -> u64 {
    number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20
}

impl<P: SharedPointerKind> Collection for Vector<u64, P> {
    fn put(&mut self, number: u64) {
        self.push_back_mut(number);
    }

    fn edit(&mut self, number: u64) {
        self.set_mut((scattered(number) % ELEMENTS) as usize, number);
    }

    fn sum(&self) -> u64 {
        self.iter().sum()
    }
}

impl<P: SharedPointerKind> Collection for List<u64, P> {
    fn put(&mut self, number: u64) {
        self.push_front_mut(number);
    }

    /// The use of a list: other elements before the same end.
    fn edit(&mut self, number: u64) {
        if number % 3 == 0 {
            self.drop_first_mut();
        } else {
            self.push_front_mut(number);
        }
    }

    fn sum(&self) -> u64 {
        self.iter().sum()
    }
}

impl<P: SharedPointerKind> Collection for RedBlackTreeMap<u64, u64, P> {
    fn put(&mut self, number: u64) {
        self.insert_mut(scattered(number), number);
    }

    fn edit(&mut self, number: u64) {
        self.remove_mut(&scattered(number));
        self.insert_mut(scattered(number + ELEMENTS), number);
    }

    fn sum(&self) -> u64 {
        self.values().sum()
    }
}

impl<P: SharedPointerKind> Collection for HashTrieMap<u64, u64, P, Fixed> {
    fn put(&mut self, number: u64) {
        self.insert_mut(number, number);
    }

    fn edit(&mut self, number: u64) {
        self.remove_mut(&number);
        self.insert_mut(number + ELEMENTS, number);
    }

    fn sum(&self) -> u64 {
        self.values().sum()
    }
}

/// [`turn`] of a collection.
type Turn = fn() -> ([f64; TASKS.len()], u64);

/// Nanoseconds of each task, an element or an edit; and what was in both versions.
fn turn<C: Collection>() -> ([f64; 3], u64) {
    let start = Instant::now();
    let mut all = C::default();
    (0..ELEMENTS).for_each(|number| all.put(number));
    let built = start.elapsed();
    let mut copy = black_box(&all).clone();
    let start = Instant::now();
    (0..EDITS).for_each(|number| copy.edit(number));
    let edited = start.elapsed();
    let sum = all.sum().rotate_left(7) ^ copy.sum();
    drop(copy);
    let start = Instant::now();
    drop(all);
    let dropped = start.elapsed();
    let each = |time: Duration, count: u64| time.as_nanos() as f64 / count as f64;
    ([each(built, ELEMENTS), each(edited, EDITS), each(dropped, ELEMENTS)], sum)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn race(rounds: usize, collection: &str, turns: [Turn; POINTERS.len()]) {
    let mut times: [Vec<[f64; 3]>; POINTERS.len()] = Default::default();
    for round in 0..=rounds {
        let mut agreed = None;
        for place in 0..turns.len() {
            // Another one begins each round, and the first round is not counted.
            let index = (round + place) % turns.len();
            let (time, sum) = turns[index]();
            assert_eq!(
                sum,
                *agreed.get_or_insert(sum),
                "{collection} on {} miscounts",
                POINTERS[index]
            );
            if round > 0 {
                times[index].push(time);
            }
        }
    }
    for (task, name) in TASKS.into_iter().enumerate() {
        print!(
            "| {collection}, {name} | {:.1} ns |",
            median(times[0].iter().map(|time| time[task]))
        );
        for pointer in &times[1..] {
            let ratios = pointer.iter().zip(&times[0]).map(|(time, std)| time[task] / std[task]);
            print!(" {:.2} |", median(ratios));
        }
        println!();
    }
}

macro_rules! on_all {
    ($collection:ident<$($argument:ty),*> $(, $hasher:ty)?) => {[
        turn::<$collection<$($argument,)* ArcK $(, $hasher)?>>,
        turn::<$collection<$($argument,)* RcK $(, $hasher)?>>,
        turn::<$collection<$($argument,)* ArcPool $(, $hasher)?>>,
        turn::<$collection<$($argument,)* RcPool $(, $hasher)?>>,
    ]};
}

fn main() {
    let rounds = env::args().nth(1).map_or(31, |rounds| rounds.parse().expect("how many rounds"));
    let heap = if cfg!(feature = "mimalloc") { "mimalloc" } else { "the system's heap" };
    println!("| on {heap} | {} |", POINTERS.join(" | "));
    println!("|---|--:|--:|--:|--:|");
    race(rounds, "vector", on_all!(Vector<u64>));
    race(rounds, "list", on_all!(List<u64>));
    race(rounds, "red-black tree map", on_all!(RedBlackTreeMap<u64, u64>));
    race(rounds, "hash-trie map", on_all!(HashTrieMap<u64, u64>, Fixed));
}
