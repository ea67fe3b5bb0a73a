//! Pools that are values, and frames.

use std::rc::Rc;

use typed_pool::{FreeList, LocalFrameStack, PointerStack, PoolBoxIn};

use super::{Canary, LATE, LEAST, Subject};
use crate::heap::while_poor;

/// Pools that are values, as long as there are boxes of them.
struct Owned<S> {
    boxes: Vec<(S, u64)>,
    make: Box<dyn Fn(u64) -> Option<S>>,
    look: fn(&S) -> &Canary,
}

impl<S: 'static> Subject for Owned<S> {
    fn step(&mut self, random: &mut fastrand::Rng) {
        let seed = random.u64(..);
        if random.bool() && !self.boxes.is_empty() {
            drop(self.boxes.swap_remove(random.usize(..self.boxes.len())));
        } else {
            self.boxes.extend((self.make)(seed).map(|b| (b, seed)));
        }
    }

    fn check(&self) {
        self.boxes.iter().for_each(|(b, seed)| (self.look)(b).check(*seed));
    }

    fn leave(self: Box<Self>) {
        LATE.with_borrow_mut(|late| late.push(self));
    }
}

pub(crate) fn some(random: &mut fastrand::Rng) -> Box<dyn Subject> {
    let slots = random.usize(1..300);
    if random.bool() {
        let pool = Rc::new(FreeList::bounded(slots));
        Box::new(Owned::<PoolBoxIn<Canary, Rc<FreeList<Canary>>>> {
            boxes: Vec::new(),
            make: Box::new(move |seed| {
                PoolBoxIn::try_new_in(Canary::new(seed), Rc::clone(&pool)).ok()
            }),
            look: |b| b,
        })
    } else {
        let pool = Rc::new(PointerStack::with_capacity(slots));
        Box::new(Owned::<PoolBoxIn<Canary, Rc<PointerStack<Canary>>>> {
            boxes: Vec::new(),
            make: Box::new(move |seed| {
                PoolBoxIn::try_new_in(Canary::new(seed), Rc::clone(&pool)).ok()
            }),
            look: |b| b,
        })
    }
}

/// A frame, and the next, on a heap that refuses blocks of any size.
impl Subject for LocalFrameStack {
    fn step(&mut self, random: &mut fastrand::Rng) {
        self.reset();
        let mut live = Vec::new();
        for _ in 0..random.usize(..40) {
            let (seed, len) = (random.u64(..), random.usize(1..200));
            let canary = Canary::new(seed);
            let made = while_poor(random.usize(..4 * LEAST), || {
                self.try_alloc(canary).ok().zip(self.try_alloc_slice_fill_with(len, |_| seed).ok())
            });
            live.extend(made.map(|(canary, slice)| (canary, slice, seed)));
        }
        for (canary, slice, seed) in &live {
            canary.check(*seed);
            assert!(slice.iter().all(|word| word == seed));
        }
        drop(live);
        if random.u8(..16) == 0 {
            self.trim();
        }
    }

    fn check(&self) {}

    fn leave(self: Box<Self>) {
        LATE.with_borrow_mut(|late| late.push(self));
    }
}
