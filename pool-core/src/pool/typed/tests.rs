//! Random operations on a pool that is closed half way, as a thread's pool is when the thread ends, and is used
//! beyond that; or that gets a name.

use alloc::collections::BTreeMap;
use core::alloc::Layout;
use core::mem;
use core::ptr::NonNull;

use fastrand::Rng;

use crate::base::config::Config;
use crate::pointer::Pool;
use crate::pool::typed::{FreeList, PointerStack, TypedPool};
use crate::strategy::Strategy;

/// Not a power of two in size, so that a wrong stride shows.
type Element = [u64; 3];

struct Model<S> {
    pool: TypedPool<Element, S>,
    max: usize,
    is_closed: bool,
    live: BTreeMap<NonNull<Element>, u64>,
    next: u64,
    high_water: usize,
}

impl<S: Strategy> Model<S> {
    const SLOT: Layout = TypedPool::<Element, S>::SLOT;

    fn alloc(&mut self) {
        let Some(slot) = (&self.pool).acquire() else {
            return assert_eq!(self.live.len(), self.max);
        };
        self.next += 1;
        // SAFETY: the slot is ours.
        unsafe { slot.write([self.next; 3]) };
        assert_eq!(self.live.insert(slot, self.next), None, "it is occupied");
        self.high_water = self.high_water.max(self.live.len());
    }

    fn free(&mut self, nth: usize) {
        let Some((&slot, &value)) = self.live.iter().nth(nth % self.live.len().max(1)) else {
            return;
        };
        // SAFETY: the slot is ours, and was filled.
        assert_eq!(unsafe { slot.read() }, [value; 3]);
        self.live.remove(&slot);
        // SAFETY: it came from this pool, and is used no more.
        unsafe { (&self.pool).release(slot) };
    }

    fn step(&mut self, random: &mut Rng) {
        match random.usize(..64) {
            0..28 => self.alloc(),
            28..34 => (0..random.usize(..40)).for_each(|_| self.alloc()),
            34..54 => self.free(random.usize(..1000)),
            54..60 => (0..random.usize(..40)).for_each(|_| self.free(random.usize(..1000))),
            60 => {
                let additional = random.usize(..50);
                let is_reserved = self.pool.try_reserve(additional).is_ok();
                assert_eq!(is_reserved, additional <= self.max - self.live.len());
                let vacant = self.pool.slots.cursor.chain.slots() - self.live.len();
                assert!(!is_reserved || vacant >= additional);
                if self.is_closed {
                    (0..random.usize(..4)).for_each(|_| self.alloc());
                    self.pool.slots.close(Self::SLOT);
                }
            }
            61 => {
                let before = self.pool.stats().bytes;
                assert_eq!(self.pool.trim() + self.pool.stats().bytes, before);
            }
            62 => self.pool.prefault(),
            _ => {}
        }
    }

    fn check(&self) {
        let stats = self.pool.stats();
        assert_eq!((stats.live, stats.high_water), (self.live.len(), self.high_water));
        let chain = &self.pool.slots.cursor.chain;
        assert!(chain.slots() <= self.max);
        assert!(self.live.keys().all(|slot| self.pool.owns(slot.as_ptr())));
        if self.is_closed {
            let unsettled = S::unsettled(&self.pool.slots);
            assert!(unsettled <= self.live.len(), "{unsettled} of {}", self.live.len());
            let mut uncounted = 0;
            for chunk in chain.iter() {
                let is_here = |slot: &NonNull<Element>| chunk.spans(slot.addr().get(), Self::SLOT);
                let live = self.live.keys().filter(|slot| is_here(slot)).count();
                let counted = chunk.slots - chunk.vacant_count.get();
                assert!(counted > 0, "a closed pool keeps a chunk that nobody uses");
                uncounted += counted - live;
            }
            assert_eq!(uncounted, unsettled);
            assert!(!self.live.is_empty() || stats.bytes == 0);
        }
        let mut vacant = 0;
        S::for_each_vacant(&self.pool.slots, Self::SLOT, &mut |slot| {
            vacant += 1;
            assert!(!self.live.contains_key(&NonNull::new(slot.cast()).unwrap()));
        });
        let used = |chunk| self.pool.slots.cursor.used_in(chunk, Self::SLOT);
        assert_eq!(vacant + self.live.len(), chain.iter().map(used).sum::<usize>());
    }
}

fn run<S: Strategy>(new: fn(Config) -> TypedPool<Element, S>, moves: bool) {
    for seed in 0..if cfg!(miri) { 3 } else { 60 } {
        let mut random = Rng::with_seed(seed);
        let max = [usize::MAX, 1, 2, 30, 100][random.usize(..5)];
        let config = if random.usize(..2) == 0 {
            Config::new()
        } else {
            Config::new().chunk(1 + random.usize(..9))
        };
        let config = match (max < usize::MAX, random.usize(..2)) {
            (true, 0) => config.max(max),
            (true, _) => config.capacity(max),
            (false, _) => config,
        };
        let pool = new(config);
        let (live, next, high_water) = (BTreeMap::new(), 0, 0);
        let mut model = Model { pool, max, is_closed: false, live, next, high_water };
        for n in 0..300 {
            if n == 150 && moves {
                // It moves, with slots that are live.
                let pool = mem::replace(&mut model.pool, new(config));
                model.pool = pool.with_name("model");
            } else if n == 150 {
                model.pool.slots.close(Model::<S>::SLOT);
                model.is_closed = true;
            } else {
                model.step(&mut random);
            }
            model.check();
        }
        while !model.live.is_empty() {
            model.free(0);
            model.check();
        }
    }
}

#[test]
fn a_free_list_that_is_closed_agrees_with_its_model() {
    run(FreeList::with_config, false);
}

#[test]
fn a_pointer_stack_that_is_closed_agrees_with_its_model() {
    run(PointerStack::with_config, false);
}

/// Every operation goes the rare way, and no chunk goes back.
#[test]
fn pools_that_get_a_name_half_way_agree_with_their_models() {
    run(FreeList::with_config, true);
    run(PointerStack::with_config, true);
}
