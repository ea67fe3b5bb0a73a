//! Static pools that grow: allocated here and freed there, in every strategy that has boxes.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use typed_pool::{PoolBox, PoolStats, Pooled, SharedByLayout, any, flush_thread};

/// How much the threads have to do: less where every step costs fifty.
const ROUNDS: usize = match (cfg!(miri), cfg!(debug_assertions)) {
    (true, _) => 1,
    (_, true) => 20,
    _ => 200,
};

/// An object that knows whether it is whole.
trait Object: Pooled + Send + Sync {
    fn new(id: u64) -> Self;
    fn check(&self) -> u64;
}

fn cookies(id: u64) -> [u64; 5] {
    std::array::from_fn(|i| id.rotate_left(i as u32))
}

macro_rules! object {
    ($($Object:ident $pool:tt;)*) => {$(
        #[derive(Pooled)]
        #[pool $pool]
        struct $Object {
            id: u64,
            cookies: [u64; 5],
        }

        impl Object for $Object {
            fn new(id: u64) -> Self {
                Self { id, cookies: cookies(id) }
            }

            fn check(&self) -> u64 {
                assert_eq!(self.cookies, cookies(self.id), "somebody else wrote here");
                self.id
            }
        }

        impl Drop for $Object {
            fn drop(&mut self) {
                self.check();
                self.cookies = [0; 5];
            }
        }
    )*};
}

/// Runs `f` in a thread, to that thread's very end: its thread-locals are destroyed.
fn in_thread<R: Send + 'static>(f: impl FnOnce() -> R + Send + 'static) -> R {
    thread::spawn(f).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Waits for the very end of each thread. A scope ends a little before its threads have given back what
/// they keep.
fn join<'s>(threads: impl IntoIterator<Item = thread::ScopedJoinHandle<'s, ()>>) {
    for thread in threads {
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
}

fn live<T: Object>() -> usize {
    T::pool_stats().live
}

fn goes_from_thread_to_thread<T: Object>()
where
    PoolBox<T>: Send,
{
    let boxes: Vec<PoolBox<T>> = (0..1000).map(|id| PoolBox::new(T::new(id))).collect();
    assert_eq!(live::<T>(), 1000);
    let boxes = in_thread(move || {
        let kept: Vec<_> = boxes.into_iter().filter(|b| b.check() % 2 == 0).collect();
        assert_eq!(live::<T>(), 500);
        kept
    });
    // What the other thread freed can be had here.
    let before = T::pool_stats();
    let more: Vec<PoolBox<T>> = (0..500).map(|id| PoolBox::new(T::new(id))).collect();
    assert!(T::pool_stats().bytes == before.bytes);
    drop((boxes, more));
    assert_eq!(live::<T>(), 0);
    assert!(T::pool_trim() > 0);
    let stats = T::pool_stats();
    assert_eq!((stats.live, stats.chunks, stats.high_water), (0, 0, stats.high_water.max(1000)));
    assert_eq!(stats.bytes, 0);
}

/// After xmalloc-test: some threads only allocate, others only free.
fn producers_and_releasers<T: Object>()
where
    PoolBox<T>: Send,
{
    let freed = AtomicUsize::new(0);
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for _ in 0..2 {
            let (send, receive) = mpsc::sync_channel::<Vec<PoolBox<T>>>(4);
            threads.push(scope.spawn(move || {
                for round in 0..ROUNDS as u64 {
                    let batch = (0..300).map(|n| PoolBox::new(T::new(round << 32 | n))).collect();
                    send.send(batch).expect("a releaser");
                }
            }));
            let freed = &freed;
            threads.push(scope.spawn(move || {
                for batch in receive {
                    batch.iter().for_each(|b| _ = b.check());
                    freed.fetch_add(batch.len(), Ordering::Relaxed);
                }
            }));
        }
        join(threads);
    });
    assert_eq!(freed.into_inner(), 2 * 300 * ROUNDS);
    assert!(T::pool_stats().capacity < 20_000, "{}", T::pool_stats());
}

/// No two live boxes have one slot.
fn nobody_gets_what_another_has<T: Object>()
where
    PoolBox<T>: Send,
{
    let start = Arc::new(Barrier::new(4));
    let threads: Vec<_> = (0..4_u64)
        .map(|thread| {
            let start = start.clone();
            thread::spawn(move || {
                start.wait();
                let mut kept = Vec::new();
                for n in 0..3000 {
                    let b: PoolBox<T> = PoolBox::new(T::new(thread << 32 | n));
                    if n % 3 == 0 {
                        kept.push(b);
                    }
                    if n % 500 == 499 {
                        kept.truncate(kept.len() / 2);
                    }
                }
                kept
            })
        })
        .collect();
    let kept: Vec<_> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    let slots: BTreeSet<_> = kept.iter().map(|b| PoolBox::as_ptr(b).addr()).collect();
    let ids: BTreeSet<_> = kept.iter().map(|b| b.check()).collect();
    assert_eq!((slots.len(), ids.len()), (kept.len(), kept.len()));
    assert_eq!(live::<T>(), kept.len());
}

/// Has four threads free, here and there, what each has made, and then wait; trims before they have flushed, and after.
fn around_a_flush<B>(make: fn(u64) -> B, trim: impl Fn(), held: impl Fn() -> [usize; 2]) {
    const MADE: usize = 5000;
    let barrier = Barrier::new(5);
    let worker = || {
        let mut boxes: Vec<_> = (0..MADE as u64).map(|n| Some(make(n))).collect();
        barrier.wait();
        (0..MADE).for_each(|n| boxes[n * 1009 % MADE] = None);
        // Others find what this thread has at hand in the middle of each chunk.
        barrier.wait();
        barrier.wait();
        flush_thread();
        flush_thread();
        barrier.wait();
        barrier.wait();
        drop([1, 2, 3].map(make));
    };
    thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(worker));
        barrier.wait();
        barrier.wait();
        trim();
        let before = held();
        barrier.wait();
        barrier.wait();
        trim();
        let after = held();
        barrier.wait();
        join(threads);
        assert_eq!(after, [0; 2], "{before:?} before");
    });
    trim();
}

fn what_a_waiting_thread_has_flushed_goes_back<T: Object>()
where
    PoolBox<T>: Send,
{
    let held = || [T::pool_stats().chunks, T::pool_stats().bytes];
    around_a_flush(|id| PoolBox::new(T::new(id)), || _ = T::pool_trim(), held);
}

#[test]
fn what_a_waiting_thread_has_flushed_of_pools_by_layout_goes_back() {
    // No other test uses its size.
    type Block = [u64; 90];
    let held = || {
        let pool = SharedByLayout::stats().find(|pool| pool.slot_bytes == 768).unwrap();
        [pool.chunks, pool.bytes]
    };
    around_a_flush(|n| any::SendBox::<Block>::new([n; 90]), || _ = SharedByLayout::trim(), held);
}

/// Thread-locals that are destroyed before the magazine's end, and after it.
fn the_end_of_a_thread<T: Object>()
where
    PoolBox<T>: Send,
{
    struct AtExit(RefCell<Vec<Box<dyn FnOnce()>>>);

    impl Drop for AtExit {
        fn drop(&mut self) {
            self.0.take().into_iter().for_each(|f| f());
        }
    }

    thread_local! {
        static EARLIER: AtExit = const { AtExit(RefCell::new(Vec::new())) };
        static LATER: AtExit = const { AtExit(RefCell::new(Vec::new())) };
    }

    for _ in 0..ROUNDS {
        in_thread(|| {
            EARLIER.with(|_| {});
            let boxes: Vec<PoolBox<T>> = (0..300).map(|id| PoolBox::new(T::new(id))).collect();
            LATER.with(|at_exit| at_exit.0.borrow_mut().push(Box::new(|| drop(boxes))));
            let boxes: Vec<PoolBox<T>> = (0..300).map(|id| PoolBox::new(T::new(id))).collect();
            EARLIER.with(|at_exit| {
                at_exit.0.borrow_mut().push(Box::new(|| {
                    drop(boxes);
                    let late: Vec<_> = (0..300).map(|id| PoolBox::new(T::new(id))).collect();
                    late.iter().for_each(|b| _ = b.check());
                }));
            });
        });
    }
    assert!(T::pool_stats().capacity < 4 * 900, "{}", T::pool_stats());
    assert_eq!(live::<T>(), 0);
    assert!(T::pool_trim() > 0);
    assert_eq!(T::pool_stats().chunks, 0);
}

/// The addresses of so many boxes, which are then dropped in any order.
fn shuffled_burst<T: Object>(count: u64) -> Vec<usize>
where
    PoolBox<T>: Send,
{
    let mut boxes: Vec<PoolBox<T>> = (0..count).map(|id| PoolBox::new(T::new(id))).collect();
    let slots = boxes.iter().map(|b| PoolBox::as_ptr(b).addr()).collect();
    fastrand::Rng::with_seed(count).shuffle(&mut boxes);
    slots
}

/// As soon as one thread has freed all slots, in whatever order, they are handed out as they were at first: whatever
/// number of them was in use.
fn order_after_all_are_free<T: Object>()
where
    PoolBox<T>: Send,
{
    in_thread(|| {
        const MOST: u64 = if cfg!(miri) { 1500 } else { 10_000 };
        T::pool_reserve(MOST as usize);
        for count in [MOST, MOST - 1, 300, 1281, MOST / 2, 1280, 257, MOST] {
            let slots = shuffled_burst::<T>(count);
            assert!(slots.is_sorted(), "{count}");
            assert_eq!(live::<T>(), 0);
        }
        // With chunks that lie anywhere.
        T::pool_trim();
        let at_first = shuffled_burst::<T>(MOST);
        assert_eq!(shuffled_burst::<T>(MOST), at_first);
        T::pool_trim();
        assert_eq!(T::pool_stats().bytes, 0);
    });
}

/// Slots that all came back are handed out chunk by chunk, in the order of their addresses, however they came.
fn order_after_all_have_ended<T: Object>()
where
    PoolBox<T>: Send,
{
    in_thread(|| {
        let mut boxes: Vec<PoolBox<T>> = (0..2000).map(|id| PoolBox::new(T::new(id))).collect();
        fastrand::Rng::with_seed(7).shuffle(&mut boxes);
    });
    let stats = T::pool_stats();
    in_thread(move || {
        let boxes: Vec<PoolBox<T>> = (0..2000).map(|id| PoolBox::new(T::new(id))).collect();
        let slots: Vec<_> = boxes.iter().map(|b| PoolBox::as_ptr(b).addr()).collect();
        let is_apart = |pair: &&[usize]| pair[0] + stats.slot_bytes != pair[1];
        assert!(slots.windows(2).filter(is_apart).count() < stats.chunks);
        assert_eq!((T::pool_stats().bytes, T::pool_stats().live), (stats.bytes, 2000));
    });
}

fn trims_while_others_work<T: Object>()
where
    PoolBox<T>: Send,
{
    thread::scope(|scope| {
        let work = |thread: u64| {
            for round in 0..ROUNDS as u64 {
                let all: Vec<PoolBox<T>> = (0..700)
                    .map(|n| PoolBox::new(T::new(thread << 48 | round << 32 | n)))
                    .collect();
                all.iter().for_each(|b| _ = b.check());
            }
        };
        let threads = [0, 1].map(|thread| scope.spawn(move || work(thread)));
        while threads.iter().any(|thread| !thread.is_finished()) {
            T::pool_trim();
            T::pool_prefault();
            let PoolStats { live, capacity, .. } = T::pool_stats();
            assert!(live <= capacity);
            // Or, where threads run in turn as under Valgrind, the others never find the lock free.
            thread::sleep(Duration::from_micros(100));
        }
        join(threads);
    });
}

/// Slots in batches go to their chunks, and all chunks but the one in use back to the heap.
fn trims_around_what_lives<T: Object>()
where
    PoolBox<T>: Send,
{
    T::pool_trim();
    let mut boxes: Vec<PoolBox<T>> = (0..5000).map(|id| PoolBox::new(T::new(id))).collect();
    let kept = boxes.swap_remove(2500);
    drop(boxes);
    let before = T::pool_stats();
    T::pool_trim();
    let after = T::pool_stats();
    assert_eq!((before.live, after.live), (1, 1));
    assert!(after.bytes < before.bytes / 2, "{before}; {after}");
    let others: Vec<PoolBox<T>> = (0..5000).map(|id| PoolBox::new(T::new(id))).collect();
    assert_eq!(kept.check(), 2500);
    assert!(others.iter().zip(0..).all(|(other, id)| other.check() == id));
    drop((others, kept));
    T::pool_trim();
    assert_eq!((T::pool_stats().live, T::pool_stats().bytes), (0, 0));
}

fn reserves<T: Object>()
where
    PoolBox<T>: Send,
{
    T::pool_trim();
    T::pool_reserve(5000);
    let bytes = T::pool_stats().bytes;
    let boxes: Vec<PoolBox<T>> = (0..5000).map(|id| PoolBox::new(T::new(id))).collect();
    assert!(T::pool_stats().bytes == bytes);
    drop(boxes);
}

macro_rules! suite {
    ($($name:ident: $Object:ident $pool:tt;)*) => {
        object!($($Object $pool;)*);
        $(mod $name {
            use super::$Object;

            #[test]
            fn suite() {
                super::goes_from_thread_to_thread::<$Object>();
                super::producers_and_releasers::<$Object>();
                super::nobody_gets_what_another_has::<$Object>();
                super::what_a_waiting_thread_has_flushed_goes_back::<$Object>();
                super::trims_while_others_work::<$Object>();
                super::trims_around_what_lives::<$Object>();
                super::reserves::<$Object>();
            }

        })*
    };
}

suite! {
    no_strategy: Plain(static);
    pointer_stack: Stacked(static, strategy = pointer_stack, chunk = 100);
    free_list: Listed(static, strategy = free_list);
    at_a_limit: Limited(static, max = 100_000, name = "limited");
}

/// No thread keeps slots of a pool with a capacity. (`fixed` is in the name, by which `.ci/deep` chooses it.)
mod fixed {
    use typed_pool::{PoolBox, Pooled};

    use super::{Object, cookies, nobody_gets_what_another_has, producers_and_releasers};

    #[test]
    fn a_capacity_in_the_hands_of_threads() {
        fn check<T: Object>()
        where
            PoolBox<T>: Send,
        {
            producers_and_releasers::<T>();
            nobody_gets_what_another_has::<T>();
        }
        object! {
            Stacked(static, capacity = 16_000);
            Listed(static, strategy = free_list, capacity = 16_000);
        }
        check::<Stacked>();
        check::<Listed>();
    }
}

// By themselves, since they count what threads leave that have ended.
object! {
    Ending(static);
    EndingList(static, strategy = free_list);
    Ordered(static);
    OrderedList(static, strategy = free_list);
    Emptied(static);
    EmptiedList(static, strategy = free_list);
    EmptiedLimited(static, max = 12_000);
    EmptiedLimitedList(static, max = 12_000, strategy = free_list);
}

#[test]
fn slots_come_in_order_again_when_one_thread_has_freed_all() {
    order_after_all_are_free::<Emptied>();
    order_after_all_are_free::<EmptiedList>();
    order_after_all_are_free::<EmptiedLimited>();
    order_after_all_are_free::<EmptiedLimitedList>();
}

#[test]
fn slots_come_in_order_again_when_all_threads_have_ended() {
    order_after_all_have_ended::<Ordered>();
    order_after_all_have_ended::<OrderedList>();
}

#[test]
fn a_thread_that_ends_leaves_nothing() {
    the_end_of_a_thread::<Ending>();
    the_end_of_a_thread::<EndingList>();
}

#[derive(Pooled, Debug)]
#[pool(static, max = 3, name = "three")]
struct Few([u64; 4]);

#[test]
fn a_limit_holds_for_all_threads_together() {
    {
        let first = PoolBox::new(Few([1; 4]));
        let rest = in_thread(|| [2, 3].map(|n| PoolBox::new(Few([n; 4]))));
        let error = PoolBox::try_new(Few([4; 4])).unwrap_err();
        assert_eq!((error.capacity(), error.name()), (3, "three"));
        assert_eq!(error.into_inner().0, [4; 4]);
        in_thread(move || drop(rest));
        let again = [5, 6].map(|n| PoolBox::new(Few([n; 4])));
        assert!(PoolBox::try_new(Few([7; 4])).is_err());
        drop((first, again));
    }
}

#[test]
fn a_reserved_slot_is_sent_as_its_box_is() {
    #[derive(Pooled)]
    #[pool(static)]
    struct Unshared(Cell<u64>);

    let slot = Unshared::pool_vacant();
    let filled = in_thread(move || slot.fill(Unshared(Cell::new(7))));
    assert_eq!(filled.0.get(), 7);
}

#[test]
fn an_idle_thread_hides_nothing_of_a_limited_pool() {
    fn check<T: Object>()
    where
        PoolBox<T>: Send,
    {
        let limit = T::pool_stats().limit.expect("there is one");
        let (idle, go) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
        let (theirs, may_end) = (idle.clone(), go.clone());
        let thread = thread::spawn(move || {
            drop((0..limit as u64).map(|id| PoolBox::new(T::new(id))).collect::<Vec<_>>());
            for _ in 0..2 {
                drop(PoolBox::new(T::new(0)));
                theirs.wait();
                may_end.wait();
            }
        });
        idle.wait();
        let all: Vec<_> =
            (0..).map_while(|id| PoolBox::try_new(T::new(id)).ok()).collect::<Vec<_>>();
        assert_eq!((all.len(), T::pool_stats().live), (limit, limit));
        drop(all);
        go.wait();
        idle.wait();
        T::pool_reserve(limit);
        drop((0..limit as u64).map(|id| PoolBox::new(T::new(id))).collect::<Vec<PoolBox<T>>>());
        assert!(T::pool_trim() > 0);
        assert_eq!((T::pool_stats().live, T::pool_stats().bytes), (0, 0));
        go.wait();
        thread.join().expect("no panic");
    }
    object! {
        Thousand(static, max = 1000);
        ThousandListed(static, strategy = free_list, max = 1000);
        Many(static, max = 6400);
        Few64(static, max = 64);
    }
    check::<Thousand>();
    check::<ThousandListed>();
    check::<Many>();
    check::<Few64>();
}

/// As many threads as there are slots: each takes one and gives it back, over and over, and none is refused.
#[test]
fn a_limit_refuses_nobody_while_a_slot_is_free() {
    fn check<T: Object>()
    where
        PoolBox<T>: Send,
    {
        let limit = T::pool_stats().limit.expect("there is one");
        let mut kept: Vec<PoolBox<T>> =
            (0..limit as u64).map(|id| PoolBox::new(T::new(id))).collect();
        kept.truncate(limit - 4);
        thread::scope(|scope| {
            join([0; 4].map(|_| {
                scope.spawn(|| {
                    for id in 0..100 * ROUNDS as u64 {
                        let boxed =
                            PoolBox::try_new(T::new(id)).expect("three others have one each");
                        boxed.check();
                    }
                })
            }));
        });
        assert_eq!(live::<T>(), limit - 4);
    }
    object! {
        Contended(static, max = 200);
        ContendedListed(static, strategy = free_list, max = 200);
    }
    check::<Contended>();
    check::<ContendedListed>();
}

#[derive(Pooled)]
#[pool(static, max = 8)]
struct Trimmed(#[allow(dead_code)] [u64; 4]);

#[test]
fn at_its_limit_a_pool_is_exhausted_though_others_trim_it_meanwhile() {
    thread::scope(|scope| {
        for thread in 0..3 {
            scope.spawn(move || {
                for _ in 0..500 * ROUNDS {
                    let some = (0..8).map(|n| PoolBox::try_new(Trimmed([n; 4])));
                    drop(some.collect::<Vec<_>>());
                    if thread < 2 {
                        Trimmed::pool_trim();
                    }
                }
            });
        }
    });
}

/// Neighbours share what AddressSanitizer keeps a record of, 8 bytes.
#[test]
fn elements_of_an_odd_size_of_many_threads() {
    #[derive(Pooled)]
    #[pool(static, strategy = pointer_stack)]
    struct Odd([u8; 3]);

    // What a thread leaves here, another one drops: so the slots of one lie between those of others.
    static LEFT: Mutex<Vec<PoolBox<Odd>>> = Mutex::new(Vec::new());

    thread::scope(|scope| {
        for id in 1..=4_u8 {
            scope.spawn(move || {
                for _ in 0..100 * ROUNDS {
                    let mut made: Vec<_> = (0..300).map(|_| PoolBox::new(Odd([id; 3]))).collect();
                    for n in 0..100 {
                        drop(made.swap_remove(n * 7 % made.len()));
                        made.push(PoolBox::new(Odd([id; 3])));
                    }
                    assert!(made.iter().all(|element| element.0 == [id; 3]));
                    let left = made.into_iter().step_by(2).collect();
                    drop(std::mem::replace(&mut *LEFT.lock().unwrap(), left));
                }
            });
        }
    });
    LEFT.lock().unwrap().clear();
}
