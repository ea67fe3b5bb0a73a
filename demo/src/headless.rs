//! The same game in both kinds of memory, without a window.

use typed_pool::Pooled;

use crate::film::Film;
use crate::history::{History, PARTS};
use crate::memory::{Heap, Memory, Pools};
use crate::tree::Node;
use crate::world::{Bullet, Spark, World};

/// Plays the frames and prints times.
///
/// # Panics
///
/// If the games differ, also after half a second was wound back and played again, or something leaks.
pub fn run(frames: u32) {
    let mut history = History::default();
    let mut in_pools = World::<Pools>::new();
    let mut in_heap = World::<Heap>::new();
    let mut film = Film::default();
    for frame in 0..frames {
        history.record(true, in_pools.step(None));
        history.record(false, in_heap.step(None));
        assert_eq!(in_pools.checksum(), in_heap.checksum(), "the games differ in frame {frame}");
        film.record(&in_pools);
    }
    let (again, end) = (frames.saturating_sub(1).min(30), in_pools.checksum());
    (0..again).for_each(|_| film.wind_back(&mut in_pools));
    (0..again).for_each(|_| _ = in_pools.step(None));
    assert_eq!(in_pools.checksum(), end, "what was wound back was not the same");
    println!("{frames} frames, {} bullets, {} hits", in_pools.bullets.len(), in_pools.hits);
    println!("checksum {:016x}, in {} and in {}\n", in_pools.checksum(), Pools::NAME, Heap::NAME);
    if let [Some(pools), Some(heap)] = history.means() {
        println!("{:24}{:>8}{:>8}", "microseconds a frame", Pools::NAME, Heap::NAME);
        for ((name, pools), heap) in PARTS.into_iter().zip(pools.parts()).zip(heap.parts()) {
            println!("{name:24}{:8.0}{:8.0}", pools * 1e6, heap * 1e6);
        }
        println!("{:24}{:8.0}{:8.0}\n", "together", pools.total() * 1e6, heap.total() * 1e6);
    }
    println!("{}", typed_pool::report());
    drop(in_pools);
    let live =
        [Bullet::pool_stats().live, Spark::pool_stats().live, Node::<Pools>::pool_stats().live];
    assert_eq!(live, [0; 3], "what has no world has leaked");
}
