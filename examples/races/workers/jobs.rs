//! The jobs, the thread that makes them, and the threads that do them.

use core::time::Duration;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use typed_pool::{PoolBox, PoolStats, Pooled};

/// The most jobs that wait. A thread that makes more waits too, so that memory has a bound.
const WAITING: usize = 256;

/// Points along each side of a tile.
const SIDE: usize = 8;

/// Tiles along each side of a picture.
const TILES: u64 = 64;

/// After this many steps a point counts as one that stays.
const STEPS: u32 = 256;

/// A tile of a picture of the Mandelbrot set. With `static`, all threads share the type's pool, and its
/// boxes may move from one thread to another.
#[derive(Pooled)]
#[pool(static)]
pub(crate) struct Tile {
    number: u64,
    corner: [f64; 2],
    /// From one point to the next.
    step: f64,
    /// How many steps each point takes to escape: what the worker computes.
    depths: [[u32; SIDE]; SIDE],
}

/// The results of a run.
#[derive(Debug)]
pub(crate) struct Results {
    /// Over all points of all tiles: the same whichever worker did which.
    pub(crate) checksum: u64,
    /// How many jobs each worker did.
    pub(crate) done: Vec<u64>,
    pub(crate) time: Duration,
    /// After all threads have ended.
    pub(crate) pool: PoolStats,
}

/// Makes the jobs, and has the workers do them.
pub(crate) fn run(jobs: u64, workers: usize) -> Result<Results, String> {
    let start = Instant::now();
    let (sender, receiver) = sync_channel(WAITING);
    let receiver = Mutex::new(receiver);
    let shares = thread::scope(|scope| {
        let mut threads = Vec::with_capacity(workers);
        for _ in 0..workers {
            let worker = thread::Builder::new().spawn_scoped(scope, || work(&receiver));
            // The workers that were started end when the sender is dropped.
            threads.push(worker.map_err(|error| format!("cannot start a thread: {error}"))?);
        }
        produce(jobs, sender);
        Ok::<_, String>(
            threads.into_iter().map(|worker| worker.join().expect("no panic")).collect::<Vec<_>>(),
        )
    })?;
    Ok(Results {
        checksum: shares.iter().fold(0, |sum, share| sum.wrapping_add(share.checksum)),
        done: shares.iter().map(|share| share.done).collect(),
        time: start.elapsed(),
        pool: Tile::pool_stats(),
    })
}

/// Allocates each job in its slot and sends one word. The sender is dropped at the end, which tells the
/// workers that there are no more.
fn produce(jobs: u64, sender: SyncSender<PoolBox<Tile>>) {
    for number in 0..jobs {
        let tile = Tile::pool_alloc_with(|| Tile::of(number));
        sender.send(tile).expect("workers take jobs until there are no more");
    }
}

/// What a worker adds to the results.
#[derive(Default)]
struct Share {
    checksum: u64,
    done: u64,
}

fn work(receiver: &Mutex<Receiver<PoolBox<Tile>>>) -> Share {
    let mut share = Share::default();
    loop {
        // The lock is released at the end of this statement, before the work begins.
        let job = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(mut tile) = job else { return share };
        tile.draw();
        // A sum does not depend on the order.
        share.checksum = share.checksum.wrapping_add(tile.checksum());
        share.done += 1;
        // The tile is dropped here. Its slot joins this worker's magazine. When that is full, slots go back
        // to the depot as a batch, and the producer takes its next slots from there.
    }
}

impl Tile {
    /// The tiles of a picture row by row, then the tiles of the next picture, twice as near.
    pub(crate) fn of(number: u64) -> Self {
        let (picture, place) = (number / (TILES * TILES), number % (TILES * TILES));
        let width = 3.0 / (1_u64 << (picture % 32)) as f64;
        let tile = width / TILES as f64;
        let [column, row] = [place % TILES, place / TILES].map(|index| index as f64);
        let corner =
            [-0.743_643 - width / 2.0 + column * tile, 0.131_825 - width / 2.0 + row * tile];
        Self { number, corner, step: tile / SIDE as f64, depths: [[0; SIDE]; SIDE] }
    }

    pub(crate) fn draw(&mut self) {
        let [left, top] = self.corner;
        for (row, depths) in self.depths.iter_mut().enumerate() {
            for (column, depth) in depths.iter_mut().enumerate() {
                *depth = steps(left + column as f64 * self.step, top + row as f64 * self.step);
            }
        }
    }

    /// Depends on where in the picture each depth is, so that tiles cannot be swapped unnoticed.
    pub(crate) fn checksum(&self) -> u64 {
        self.depths.as_flattened().iter().fold(self.number, |sum, &depth| {
            (sum ^ u64::from(depth)).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(29)
        })
    }
}

/// How many steps the point takes to escape.
fn steps(x: f64, y: f64) -> u32 {
    let [mut a, mut b] = [0.0, 0.0];
    for step in 0..STEPS {
        if a * a + b * b > 4.0 {
            return step;
        }
        [a, b] = [a * a - b * b + x, 2.0 * a * b + y];
    }
    STEPS
}
