//! Operations on a depot by the magazines of several threads, which take turns, against a model: random ones, and all
//! short sequences.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::ptr::NonNull;

use fastrand::Rng;

use crate::base::config::Config;
use crate::base::watch::IS_WATCHED;
use crate::derived::magazines::depot::{Depot, State};
use crate::derived::magazines::magazine::{Magazine, Sizes};
use crate::memory::chunk::Chunk;
use crate::strategy::Slots;

struct Threads<'a> {
    depot: &'a Depot,
    max: usize,
    sizes: Sizes,
    /// With whether the thread has ended.
    magazines: Vec<(Rc<Magazine>, bool)>,
    /// The value in each slot that is taken.
    taken: BTreeMap<NonNull<u8>, u64>,
    next: u64,
}

impl Threads<'_> {
    fn out_of_the_pool(state: &State) -> usize {
        state.slots.live(state.slot)
    }

    fn begin(&mut self) {
        let magazine = Rc::new(Magazine::new(self.sizes).expect("memory"));
        self.depot.enlist(&magazine);
        self.magazines.push((magazine, false));
    }

    fn take(&mut self, thread: usize) {
        let (magazine, has_ended) = &self.magazines[thread];
        let taken = match has_ended {
            true => self.depot.enter().acquire(),
            false => magazine.pop(self.depot.slot.size()).or_else(|| self.depot.fetch(magazine)),
        };
        let Some(slot) = taken else {
            // What others keep cannot be had, and that is all that there is.
            assert_eq!(magazine.len(), 0);
            return assert_eq!(Self::out_of_the_pool(&self.depot.enter()), self.max);
        };
        self.next += 1;
        // SAFETY: the slot is ours, and one for a `u64`.
        unsafe { slot.cast().write(self.next) };
        assert_eq!(self.taken.insert(slot, self.next), None, "it is taken already");
    }

    fn put(&mut self, thread: usize, nth: usize) {
        let Some((&slot, &value)) = self.taken.iter().nth(nth % self.taken.len().max(1)) else {
            return;
        };
        // SAFETY: the slot is ours, and was filled when it was taken.
        assert_eq!(unsafe { slot.cast::<u64>().read() }, value);
        self.taken.remove(&slot);
        let (magazine, has_ended) = &self.magazines[thread];
        let before = Self::out_of_the_pool(&self.depot.enter());
        // SAFETY: the slot is used no more.
        let push = || unsafe { magazine.push(slot, self.depot.slot.size()) };
        if *has_ended {
            // SAFETY: as above.
            unsafe { self.depot.enter().slots.put(slot.as_ptr(), SLOT) };
        } else if !push() {
            // SAFETY: as above.
            unsafe { self.depot.overflow(magazine, slot) };
        }
        if !has_ended {
            let has_emptied = Self::out_of_the_pool(&self.depot.enter()) == 0;
            assert!(self.taken.is_empty() || !has_emptied);
            // Of several threads' magazines each may keep a slot.
            let is_alone = self.magazines.len() == 1;
            if is_alone && self.taken.is_empty() && before > 2 * self.sizes.batch {
                assert!(has_emptied, "all slots are home");
            }
        }
    }

    fn end(&mut self, thread: usize) {
        let (magazine, has_ended) = &mut self.magazines[thread];
        if !*has_ended {
            self.depot.retire(magazine);
            *has_ended = true;
        }
    }

    fn trim(&self) {
        self.depot.enter().slots.trim(SLOT);
    }

    fn step(&mut self, random: &mut Rng) {
        let thread = random.usize(..self.magazines.len());
        match random.usize(..64) {
            0 => self.begin(),
            1 if self.magazines.len() > 2 => self.end(thread),
            2 => self.depot.flush(&self.magazines[thread].0),
            3 => self.trim(),
            // A thread at a time does much of one thing.
            5..8 => (0..random.usize(..60)).for_each(|_| self.take(thread)),
            8..11 => (0..random.usize(..60)).for_each(|nth| self.put(thread, 7 * nth)),
            11..40 => self.take(thread),
            _ => self.put(thread, random.usize(..100)),
        }
    }

    fn check(&self) {
        let state = self.depot.enter();
        let slots = state.slots.cursor.chain.slots();
        assert!(slots <= self.max);
        assert_eq!(Self::out_of_the_pool(&state) - state.in_magazines(), self.taken.len());
        let listed = self.magazines.iter().filter(|(_, has_ended)| !has_ended).count();
        assert_eq!(state.magazines().count(), listed);
    }
}

const SLOT: Layout = Layout::new::<u64>();

#[test]
fn magazines_agree_with_the_model() {
    if IS_WATCHED {
        return;
    }
    for seed in 0..150 {
        let mut random = Rng::with_seed(seed);
        let max = [usize::MAX, 1, 20, 64, 300][random.usize(..5)];
        let config = Config::new().chunk(1 + random.usize(..40));
        let config = if max < usize::MAX { config.max(max) } else { config };
        let batch = random.usize(1..9);
        let sizes = Sizes { batch, most: batch * random.usize(2..6) };
        let depot = Depot::with_slots(Slots::new(config), SLOT);
        let (magazines, taken) = (Vec::new(), BTreeMap::new());
        let mut threads = Threads { depot: &depot, max, sizes, magazines, taken, next: 0 };
        threads.begin();
        for _ in 0..400 {
            threads.step(&mut random);
            threads.check();
        }
        threads.finish();
    }
}

impl Threads<'_> {
    /// All threads end, and the depot is as new.
    fn finish(mut self) {
        let depot = self.depot;
        // The depot notices at the end of a thread that no slot is taken.
        self.begin();
        let last = self.magazines.len() - 1;
        while !self.taken.is_empty() {
            self.put(last, 0);
        }
        (0..self.magazines.len()).for_each(|thread| self.end(thread));
        self.check();
        // So they come as they came at first: chunk by chunk, and in the order of their addresses.
        let slots_of = |chunk: &Chunk| {
            let start = chunk.start().addr();
            (0..chunk.slots).map(move |at| start + at * SLOT.size())
        };
        let expected: Vec<_> = depot.enter().slots.cursor.chain.iter().flat_map(slots_of).collect();
        let again: Vec<_> = expected.iter().map(|_| depot.enter().acquire().unwrap()).collect();
        assert!(again.iter().map(|slot| slot.addr().get()).eq(expected));
        for slot in again {
            // SAFETY: the slot has just been taken.
            unsafe { depot.enter().slots.put(slot.as_ptr(), SLOT) };
        }
        self.trim();
        assert_eq!(depot.enter().slots.cursor.chain.slots(), 0);
    }
}

/// Every sequence of `DEPTH` operations by two threads, over two chunks of two slots.
#[test]
fn two_magazines_agree_with_the_model_in_every_order() {
    const DEPTH: u32 = 5;
    if IS_WATCHED {
        return;
    }
    let operations: [fn(&mut Threads<'_>); 8] = [
        |threads| threads.take(0),
        |threads| threads.take(1),
        |threads| threads.put(0, 0),
        |threads| threads.put(0, 1),
        |threads| threads.put(1, 0),
        |threads| threads.depot.flush(&threads.magazines[0].0),
        |threads| {
            threads.depot.flush(&threads.magazines[1].0);
            threads.trim();
        },
        |threads| threads.end(1),
    ];
    for at in 0..2 * operations.len().pow(DEPTH) {
        let sizes = Sizes { batch: 1 + at % 2, most: 3 * (1 + at % 2) };
        let depot = Depot::with_slots(Slots::new(Config::new().chunk(2).max(4)), SLOT);
        let (magazines, taken) = (Vec::new(), BTreeMap::new());
        let mut threads = Threads { depot: &depot, max: 4, sizes, magazines, taken, next: 0 };
        threads.begin();
        threads.begin();
        (0..3).for_each(|_| threads.take(0));
        for n in 0..DEPTH {
            operations[at / 2 / operations.len().pow(n) % operations.len()](&mut threads);
            threads.check();
        }
        threads.finish();
    }
}
