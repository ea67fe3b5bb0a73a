//! One thread allocates, the other frees.

use core::array;
use core::hint::black_box;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;

use super::{PORTION, Shared};
use crate::contestant::Contestant;
use crate::crew::wait_until;
use crate::objects::Payload;
use crate::workloads::{Seats, Sum, Witness};

/// Objects that are handed over at once. No magazine's size, nor a multiple of one.
const BATCH: u32 = 100;

/// Batches on their way at most.
const BATCHES: usize = 16;

/// On cache lines of its own.
#[repr(align(128))]
struct Apart<V>(V);

/// A ring of batches, which one side fills and the other empties. `W` looks at each object before it
/// is freed.
///
/// It costs all contestants the same: an uncontended lock, and a counter that the other side watches, for a
/// hundred objects.
pub struct HandOff<T, C: Contestant<T>, W> {
    contestant: C,
    ring: [Apart<Mutex<Seats<C::Object>>>; BATCHES],
    sent: Apart<AtomicU64>,
    freed: Apart<AtomicU64>,
    witness: PhantomData<fn() -> W>,
}

impl<T: Payload, C: Contestant<T>, W> HandOff<T, C, W> {
    /// An empty ring.
    #[must_use]
    pub fn new(contestant: C) -> Self {
        Self {
            contestant,
            ring: array::from_fn(|_| Apart(Mutex::new(Seats::empty(BATCH as usize)))),
            sent: Apart(AtomicU64::new(0)),
            freed: Apart(AtomicU64::new(0)),
            witness: PhantomData,
        }
    }

    #[inline(never)]
    fn send(&self, batches: u64) {
        for _ in 0..batches {
            // Only this side counts up.
            let number = self.sent.0.load(Ordering::Relaxed);
            wait_until(|| self.freed.0.load(Ordering::Acquire) + BATCHES as u64 > number);
            let mut batch = self.batch(number).lock().expect("no panic");
            batch.row().fill(|place| {
                let seed = number * u64::from(BATCH) + place as u64;
                self.contestant.alloc(|| T::written(seed))
            });
            drop(batch);
            self.sent.0.store(number + 1, Ordering::Release);
        }
    }

    #[inline(never)]
    fn free(&self, batches: u64, witness: &mut impl Witness<T>) {
        for _ in 0..batches {
            // Only this side counts up.
            let number = self.freed.0.load(Ordering::Relaxed);
            wait_until(|| self.sent.0.load(Ordering::Acquire) > number);
            let mut batch = self.batch(number).lock().expect("no panic");
            let free = |object| {
                // SAFETY: the object lives; the other side allocates, but into other slots.
                witness.death(unsafe { &*self.contestant.address(&object) });
                self.contestant.free(object);
            };
            // SAFETY: the other side has filled the batch, and does not touch it before it is freed.
            unsafe { batch.row().empty(free) };
            drop(batch);
            self.freed.0.store(number + 1, Ordering::Release);
        }
    }

    fn batch(&self, number: u64) -> &Mutex<Seats<C::Object>> {
        &self.ring[number as usize % BATCHES].0
    }

    fn share(&self, side: usize, portions: u64, witness: &mut impl Witness<T>) {
        let batches = portions * u64::from(PORTION / BATCH);
        if side == 0 { self.send(batches) } else { self.free(batches, witness) }
    }
}

impl<T, C, W> Shared for HandOff<T, C, W>
where
    T: Payload,
    C: Contestant<T, Object: Send> + Send + Sync,
    W: Witness<T> + Default + 'static,
{
    fn work(&self, side: usize, portions: u64) {
        let mut witness = W::default();
        self.share(side, portions, &mut witness);
        black_box(&witness);
    }

    fn check(&self, side: usize) -> u64 {
        let mut sum = Sum::default();
        self.share(side, 1, &mut sum);
        sum.0
    }
}
