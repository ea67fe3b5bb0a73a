//! Random programs over all strategies and storages, in threads that come and go, with a heap that refuses at random.
//!
//! Every thread keeps books of what it has, and compares. From time to time all threads end: then nothing may be alive, no pool
//! may say otherwise, and resident memory must not grow from one round to the next.
//!
//! ```sh
//! cargo run --release --manifest-path fuzz/Cargo.toml --bin soak -- --minutes 10
//! ```

mod heap;
mod subjects;

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use lexopt::Arg::Long;
use lexopt::ValueExt as _;
use typed_pool::pools::{self, PoolInfo, Storage};

use heap::{HELD, REFUSALS, resident};
use subjects::ALIVE;

struct Asked {
    minutes: f64,
    seed: u64,
    threads: usize,
    /// The life of one thread alone, to see again what has failed.
    life: Option<u64>,
}

static OPERATIONS: AtomicU64 = AtomicU64::new(0);
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// How long a round lasts, after which all threads have ended.
const ROUND: Duration = Duration::from_secs(5);
/// Rounds until every pool has been as large as it gets, more or less.
const UNTIL_STEADY: usize = 4;
/// Bytes that a process may gain without a leak.
const PLAY: usize = 16 << 20;

/// Runs one thread's life.
fn life(seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut subjects: Vec<_> =
        (0..random.usize(1..4)).map(|_| subjects::some(&mut random)).collect();
    for step in 0..random.usize(50..6000) {
        random.choice(&mut subjects).expect("there is one").step(&mut random);
        if step % 256 == 0 {
            subjects.iter().for_each(|subject| subject.check());
            script(&mut random);
        }
        OPERATIONS.fetch_add(1, Ordering::Relaxed);
    }
    subjects.iter().for_each(|subject| subject.check());
    // Some are dropped here, others by thread-locals or another thread.
    for subject in subjects {
        if random.bool() { subject.end() } else { subject.leave() }
    }
}

/// A program of one of the fuzz targets, which have models of their own.
fn script(random: &mut fastrand::Rng) {
    use typed_pool_fuzz as targets;
    let run = [
        targets::free_list::run_bytes,
        targets::pointer_stack::run_bytes,
        targets::raw_pools::run_bytes,
        targets::roster::run_bytes,
        targets::secondary_map::run_bytes,
        targets::frame::run_bytes,
    ];
    let bytes: Vec<u8> = (0..random.usize(16..800)).map(|_| random.u8(..)).collect();
    run[random.usize(..run.len())](&bytes);
}

fn asked() -> Result<Asked, lexopt::Error> {
    let mut asked = Asked { minutes: 1.0, seed: fastrand::u64(..), threads: 8, life: None };
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("minutes") => asked.minutes = arguments.value()?.parse()?,
            Long("seed") => asked.seed = arguments.value()?.parse()?,
            Long("threads") => asked.threads = arguments.value()?.parse()?,
            Long("life") => asked.life = Some(arguments.value()?.parse()?),
            _ => return Err(argument.unexpected()),
        }
    }
    Ok(asked)
}

/// Returns the faults that show while no thread works.
fn faults_at_rest() -> Vec<String> {
    let mut faults = Vec::new();
    let alive = ALIVE.load(Ordering::Relaxed);
    if alive != 0 {
        faults.push(format!("{alive} elements are alive that nobody has"));
    }
    let is_left = |pool: &PoolInfo| match pool.storage {
        Storage::ThreadLocal => pool.threads == 0 && pool.bytes > 0,
        _ => pool.live > Some(0),
    };
    faults.extend(pools::pools().filter(is_left).map(|pool| format!("left: {pool:?}")));
    faults
}

fn main() -> ExitCode {
    let Asked { minutes, seed, threads, life: one } = match asked() {
        Ok(asked) => asked,
        Err(error) => {
            eprintln!("{error}\nusage: soak [--minutes N] [--seed N] [--threads N] [--life SEED]");
            return ExitCode::FAILURE;
        }
    };
    if let Some(one) = one {
        life(one);
        return ExitCode::SUCCESS;
    }
    println!("seed {seed}, {threads} threads at a time, {minutes} minutes");
    let end = Instant::now() + Duration::from_secs_f64(minutes * 60.0);
    let (mut faults, mut steady) = (0, None);
    for round in 1.. {
        let round_ends = (Instant::now() + ROUND).min(end);
        let worker = |number: usize| {
            let mut random =
                fastrand::Rng::with_seed(seed ^ ((round * threads + number) as u64) << 16);
            let mut panics = 0;
            while Instant::now() < round_ends {
                THREADS.fetch_add(1, Ordering::Relaxed);
                let seed = random.u64(..);
                if thread::spawn(move || life(seed)).join().is_err() {
                    println!("fault: a thread has panicked; again with --life {seed}");
                    panics += 1;
                }
            }
            panics
        };
        faults += thread::scope(|scope| {
            let workers: Vec<_> =
                (0..threads).map(|number| scope.spawn(move || worker(number))).collect();
            workers.into_iter().map(|worker| worker.join().unwrap_or(1)).sum::<usize>()
        });
        subjects::clear();
        let mut found = faults_at_rest();
        let now = [HELD.load(Ordering::Relaxed), resident()];
        if round == UNTIL_STEADY {
            steady = Some(now);
        }
        if let Some(steady) = steady {
            // What is resident also tells how the heap of the system is scattered.
            for (what, now, most) in
                [("held", now[0], steady[0] + PLAY), ("resident", now[1], 3 * steady[1] + PLAY)]
            {
                if now > most {
                    found.push(format!("{now} bytes are {what}, of at most {most}"));
                }
            }
        }
        println!(
            "round {round}: {} operations, {} threads, {} refusals, {} bytes held, {} resident",
            OPERATIONS.load(Ordering::Relaxed),
            THREADS.load(Ordering::Relaxed),
            REFUSALS.load(Ordering::Relaxed),
            now[0],
            now[1],
        );
        found.iter().for_each(|fault| println!("fault: {fault}"));
        faults += found.len();
        if faults > 0 || Instant::now() >= end {
            break;
        }
    }
    println!("{faults} faults");
    if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
