//! Promises of owned pools of either strategy that the model does not check.

use typed_pool::pools::SlotUse;
use typed_pool::{Exhausted, PoolBoxIn};

use super::{KIND, Pool, SMALLEST_SLOT};

/// The addresses of `count` boxes made one after the other, all freed in the given order.
fn addresses_of(pool: &Pool<[u64; 4]>, count: usize) -> Vec<usize> {
    let boxes: Vec<_> = (0..count as u64).map(|n| pool.alloc([n; 4])).collect();
    boxes.iter().map(|b| PoolBoxIn::as_ptr(b).addr()).collect()
}

/// Whether each slot lies behind the one before it, except where a chunk begins.
fn ascends_in_chunks(pool: &Pool<[u64; 4]>, addresses: &[usize]) -> bool {
    let stats = pool.stats();
    let is_apart = |pair: &&[usize]| pair[0] + stats.slot_bytes != pair[1];
    addresses.windows(2).filter(is_apart).count() < stats.chunks
}

fn shuffled(count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    fastrand::Rng::with_seed(7).shuffle(&mut order);
    order
}

#[test]
fn a_new_pool_holds_no_memory() {
    let pool = const { Pool::<u64>::new() };
    let stats = pool.stats();
    assert_eq!((stats.live, stats.capacity, stats.chunks, stats.bytes), (0, 0, 0, 0));
    assert_eq!(Pool::<u64>::default().stats(), stats);
}

#[test]
fn the_slot_freed_last_is_reused_first() {
    let pool = Pool::new();
    let kept = pool.alloc([0_u64; 4]);
    let [a, b, c] = [1, 2, 3].map(|n| pool.alloc([n; 4]));
    let [at_a, at_b, at_c] = [&a, &b, &c].map(|x| PoolBoxIn::as_ptr(x).addr());
    drop(b);
    drop(c);
    drop(a);
    let again = [4, 5, 6].map(|n| pool.alloc([n; 4]));
    assert_eq!(again.each_ref().map(|b| PoolBoxIn::as_ptr(b).addr()), [at_a, at_c, at_b]);
    assert_eq!(*kept, [0; 4]);
}

#[test]
fn an_emptied_pool_hands_out_as_it_did_at_first() {
    for count in [2, 3, 100, 5000] {
        let pool = Pool::new();
        let mut slots: Vec<_> = (0..count as u64).map(|n| Some(pool.alloc([n; 4]))).collect();
        let at_first: Vec<_> =
            slots.iter().flatten().map(|b| PoolBoxIn::as_ptr(b).addr()).collect();
        assert!(ascends_in_chunks(&pool, &at_first));
        for index in shuffled(count) {
            slots[index] = None;
        }
        assert_eq!(pool.stats().live, 0);
        assert_eq!(addresses_of(&pool, count), at_first);
        assert_eq!(pool.stats().high_water, count);
    }
}

/// Memory that the pool has never had comes last, wherever it lies.
#[test]
fn what_is_reserved_comes_behind_what_was_used() {
    for used in [1, 2, 300] {
        let pool = Pool::new();
        let at_first = addresses_of(&pool, used);
        for more in [1_000, 10_000] {
            let boxes: Vec<_> = (0..used as u64).map(|n| pool.alloc([n; 4])).collect();
            pool.reserve(more);
            drop(boxes);
            let again = addresses_of(&pool, used + more);
            assert!(again.starts_with(&at_first) && ascends_in_chunks(&pool, &again));
        }
    }
}

#[test]
fn the_first_chunks_are_small() {
    /// Slots of a pool with one chunk, with two, and so on.
    fn sizes<T: Copy>(element: T) -> [usize; 4] {
        let pool = Pool::new();
        let mut boxes = Vec::new();
        [1, 2, 3, 4].map(|chunks| {
            while pool.stats().chunks < chunks {
                boxes.push(pool.alloc(element));
            }
            pool.stats().capacity
        })
    }
    assert_eq!(sizes([0_u64; 3]), [21, 84, 336, 672]);
    assert_eq!(sizes([0_u64; 8]), [8, 32, 128, 256]);
    assert_eq!([sizes([0_u64; 16]), sizes([0_u64; 17])], [[4, 16, 64, 128], [4, 16, 60, 120]]);
    assert_eq!([sizes([0_u64; 64]), sizes([0_u64; 129])], [[4, 16, 32, 64]; 2]);
}

#[test]
fn elements_may_be_small() {
    assert_eq!(Pool::<u8>::new().stats().slot_bytes, SMALLEST_SLOT);
    assert_eq!(Pool::<[u8; 24]>::new().stats().slot_bytes, 24);

    let pool = Pool::new();
    let boxes: Vec<_> = (0..=255_u8).map(|n| pool.alloc(n)).collect();
    assert!(boxes.iter().enumerate().all(|(n, b)| usize::from(**b) == n));
}

#[test]
fn a_bounded_pool_refuses_and_returns_the_value() {
    let pool = Pool::bounded(3);
    assert_eq!((pool.stats().capacity, pool.stats().limit), (3, Some(3)));
    let mut boxes: Vec<_> = (0..3).map(|n| pool.alloc(n.to_string())).collect();
    let error: Exhausted<String> = pool.try_alloc("four".into()).unwrap_err();
    assert_eq!((error.capacity(), error.name()), (3, "alloc::string::String"));
    assert_eq!(error.into_inner(), "four");

    assert!(pool.try_alloc_with(|| unreachable!()).is_err());
    boxes.pop();
    assert_eq!(*pool.try_alloc("four".into()).unwrap(), "four");
    assert_eq!(pool.stats().chunks, 1);
    // It keeps its limit when its memory has gone.
    drop(boxes);
    assert!(pool.trim() > 0);
    assert_eq!((pool.stats().capacity, pool.stats().bytes), (3, 0));
    let boxes: Vec<_> = (0..3).map(|n| pool.alloc(n.to_string())).collect();
    assert!(pool.try_alloc("four".into()).is_err());
    drop(boxes);
}

#[test]
fn reserve_makes_room_once() {
    let pool = Pool::<u64>::new();
    pool.reserve(1000);
    assert_eq!((pool.stats().capacity, pool.stats().chunks), (1000, 1));
    pool.reserve(1000);
    assert_eq!(pool.stats().chunks, 1);
    let boxes: Vec<_> = (0..1000).map(|n| pool.alloc(n)).collect();
    assert_eq!(pool.stats().chunks, 1);
    pool.reserve(1);
    assert_eq!((pool.stats().chunks, pool.stats().capacity), (2, 2000), "it is doubled");
    drop(boxes);
    assert_eq!(Pool::<u64>::with_capacity(10).stats().capacity, 10);
    assert_eq!(Pool::<[u8; 1 << 20]>::with_capacity(1).stats().capacity, 1);
    assert_eq!(Pool::<u64>::with_capacity(0).stats().bytes, 0);
}

#[test]
fn trim_gives_back_chunks_without_a_live_slot() {
    let pool = Pool::<[u64; 4]>::new();
    let mut boxes: Vec<_> = (0..10_000).map(|n| pool.alloc([n; 4])).collect();
    let before = pool.stats();
    // The first chunk stays in use, by its first slot alone.
    boxes.truncate(1);
    let returned = pool.trim();
    let after = pool.stats();
    assert_eq!(before.bytes - after.bytes, returned);
    assert_eq!((after.live, after.chunks, after.high_water), (1, 1, 10_000));
    assert_eq!(pool.trim(), 0);

    // The chunks that are left work as before, and are reused before the pool grows.
    let more: Vec<_> = (1..after.capacity as u64).map(|n| pool.alloc([n; 4])).collect();
    assert_eq!((pool.stats().chunks, pool.stats().live), (1, after.capacity));
    drop(more);
    assert_eq!(*boxes[0], [0; 4]);
    drop(boxes);
    assert_eq!(pool.trim(), after.bytes);
    assert_eq!(pool.stats().bytes, 0);
    assert_eq!(*pool.alloc([7; 4]), [7; 4]);
}

#[test]
fn owns_knows_slots_from_other_addresses() {
    let (ours, theirs) = (Pool::new(), Pool::new());
    let (a, b) = (ours.alloc([1_u64, 2]), theirs.alloc([1_u64, 2]));
    assert!(ours.owns(&*a) && !ours.owns(&*b) && !theirs.owns(&*a));
    let inside = PoolBoxIn::as_ptr(&a).wrapping_byte_add(8);
    assert!(!ours.owns(inside), "an address inside a slot is not a slot");
    assert!(!ours.owns(std::ptr::null()));
    assert!(!Pool::<u64>::new().owns(&1));
    let at = PoolBoxIn::as_ptr(&a);
    drop(a);
    assert!(ours.owns(at), "a vacant slot is still the pool's");

    let full = Pool::bounded(3);
    let boxes = [1, 2, 3].map(|n| full.alloc([n; 4]));
    let slots = boxes.each_ref().map(PoolBoxIn::as_ptr);
    let (first, last) = (slots.iter().min().unwrap(), slots.iter().max().unwrap());
    assert!(full.owns(*first) && !full.owns(first.wrapping_sub(1)), "before the first slot");
    assert!(full.owns(*last) && !full.owns(last.wrapping_add(1)), "behind the last");
}

#[test]
fn a_pool_shows_its_state() {
    let pool = Pool::<[u64; 4]>::with_capacity(5);
    let [a, b, c] = [1, 2, 3].map(|n| pool.alloc([n; 4]));
    let freed = [&c, &a].map(PoolBoxIn::as_ptr);
    drop(a);
    drop(c);
    let shown = format!("{pool}");
    assert!(shown.contains("[u64; 4]: 1 of 5 slots live, high-water mark 3, 32 bytes a slot"));
    assert!(shown.starts_with(KIND), "{shown}");
    assert_eq!(format!("{pool:?}"), shown);
    let map = pool.map();
    let uses: Vec<_> = map.chunks().flat_map(|chunk| chunk.slots().to_vec()).collect();
    let [used, unused] = [SlotUse::Vacant, SlotUse::NeverUsed];
    assert_eq!(uses, [used, SlotUse::Live, used, unused, unused]);
    let again = [4, 5].map(|n| pool.alloc([n; 4]));
    assert_eq!(again.each_ref().map(PoolBoxIn::as_ptr), freed, "the one freed last comes first");
    drop((again, b));
    assert!(pool.map().chunks().all(|chunk| chunk.slots().iter().all(|slot| *slot == unused)));
}

#[test]
fn a_writer_may_use_the_pool_that_it_shows() {
    struct Busy<'a>(&'a Pool<u64>, Vec<PoolBoxIn<u64, &'a Pool<u64>>>);
    impl std::fmt::Write for Busy<'_> {
        fn write_str(&mut self, _: &str) -> std::fmt::Result {
            // Read as a link, this leads nowhere.
            self.1.push(self.0.alloc(u64::MAX));
            self.0.trim();
            Ok(())
        }
    }

    let pool = Pool::new();
    let kept = pool.alloc(1);
    let boxes: Vec<_> = (0..50).map(|n| pool.alloc(n)).collect();
    drop(boxes);
    let mut busy = Busy(&pool, Vec::new());
    std::fmt::write(&mut busy, format_args!("{pool:#}")).unwrap();
    assert_eq!(pool.stats().live, 1 + busy.1.len());
    assert_eq!(*kept, 1);
}
