//! W7: two threads and one allocator.

use core::array;
use core::hint::black_box;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::burst::{Bursts, Order};
use super::churn::Crowd;
use super::{Blind, Seats, Sum, Witness, pair};
use crate::contestant::Contestant;
use crate::crew::{Job, Meeting, SIDES, wait_until};
use crate::objects::Payload;

/// Operations in a portion, for each side: an object allocated and freed, or a hand-over of one.
pub const PORTION: u32 = 10_000;

/// Objects in a burst, and in a crowd.
const CROWD: u32 = 1_000;

/// Objects that are handed over at once. No magazine's size, nor a multiple of one.
const BATCH: u32 = 100;

/// Batches on their way at most.
const BATCHES: usize = 16;

/// A workload of two threads.
#[derive(Clone, Copy)]
pub enum Which {
    /// Each frees at once what it has allocated.
    OwnPair,
    /// Each frees a thousand that it has allocated.
    OwnBurst,
    /// One allocates, the other frees unread.
    HandOff,
    /// One allocates, the other reads and frees.
    HandOffRead,
    /// Random deaths and births in two crowds, which the sides swap after each portion: P. Larson's and M. Krishnan's benchmark
    /// (*Memory Allocation for Long-Running Server Applications*, 1998).
    Larson,
}

impl Which {
    /// Returns one side's share of this many portions, and some more of the same, which adds up what objects hold.
    pub fn of<T, C>(self, contestant: C, portions: u64) -> [Job; 2]
    where
        T: Payload,
        C: Contestant<T, Object: Send> + Send + Sync,
    {
        let pairs = portions * u64::from(PORTION);
        match self {
            Self::OwnPair => jobs(
                contestant,
                move |contestant, _| pair::run::<0, T, C>(*contestant, pairs, &mut Blind),
                |contestant, _, sum| pair::run::<0, T, C>(*contestant, PORTION.into(), sum),
            ),
            Self::OwnBurst => jobs(
                SIDES.map(|_| Mutex::new(Bursts::new(contestant, Order::Same.of(CROWD)))),
                move |bursts, side| {
                    locked(&bursts[side]).run::<0>(pairs / u64::from(CROWD), &mut Blind);
                },
                |bursts, side, sum| locked(&bursts[side]).run::<0>(1, sum),
            ),
            Self::HandOff => jobs(
                HandOff::new(contestant),
                move |ring, side| ring.share(side, pairs, &mut Blind),
                |ring, side, sum| ring.share(side, PORTION.into(), sum),
            ),
            Self::HandOffRead => jobs(
                HandOff::new(contestant),
                move |ring, side| {
                    let mut sum = Sum::default();
                    ring.share(side, pairs, &mut sum);
                    black_box(sum);
                },
                |ring, side, sum| ring.share(side, PORTION.into(), sum),
            ),
            Self::Larson => jobs(
                (
                    SIDES.map(|_| Mutex::new(Crowd::<T, C>::gather(contestant, CROWD))),
                    Meeting::default(),
                ),
                move |(crowds, swap), side| {
                    for portion in 0..portions as usize {
                        locked(&crowds[(side + portion) % 2]).churn::<0>(PORTION.into());
                        swap.wait();
                    }
                },
                |(crowds, _), side, sum| sum.0 = locked(&crowds[side]).census(),
            ),
        }
    }
}

/// A workload and its check, of one state.
fn jobs<S: Send + Sync + 'static>(
    state: S,
    work: impl Fn(&S, usize) + Send + Sync + 'static,
    check: impl Fn(&S, usize, &mut Sum) + Send + Sync + 'static,
) -> [Job; 2] {
    let state = Arc::new(state);
    let checked = Arc::clone(&state);
    let work = move |side| {
        work(&state, side);
        0
    };
    let check = move |side| {
        let mut sum = Sum::default();
        check(&checked, side, &mut sum);
        sum.0
    };
    [Arc::new(work), Arc::new(check)]
}

fn locked<V>(mutex: &Mutex<V>) -> impl core::ops::DerefMut<Target = V> {
    mutex.lock().expect("no panic")
}

/// On cache lines of its own.
#[repr(align(128))]
struct Apart<V>(V);

/// A ring of batches, which one side fills and the other empties.
///
/// It costs all contestants the same: an uncontended lock, and a counter that the other side watches, for a hundred objects.
struct HandOff<T, C: Contestant<T>> {
    contestant: C,
    ring: [Apart<Mutex<Seats<C::Object>>>; BATCHES],
    sent: Apart<AtomicU64>,
    freed: Apart<AtomicU64>,
}

impl<T: Payload, C: Contestant<T>> HandOff<T, C> {
    fn new(contestant: C) -> Self {
        Self {
            contestant,
            ring: array::from_fn(|_| Apart(Mutex::new(Seats::empty(BATCH as usize)))),
            sent: Apart(AtomicU64::new(0)),
            freed: Apart(AtomicU64::new(0)),
        }
    }

    #[inline(never)]
    fn send(&self, batches: u64) {
        for _ in 0..batches {
            // Only this side counts up.
            let number = self.sent.0.load(Ordering::Relaxed);
            wait_until(|| self.freed.0.load(Ordering::Acquire) + BATCHES as u64 > number);
            locked(self.batch(number)).row().fill(|place| {
                let seed = number * u64::from(BATCH) + place as u64;
                self.contestant.alloc(|| T::written(seed))
            });
            self.sent.0.store(number + 1, Ordering::Release);
        }
    }

    #[inline(never)]
    fn free(&self, batches: u64, witness: &mut impl Witness<T>) {
        for _ in 0..batches {
            // Only this side counts up.
            let number = self.freed.0.load(Ordering::Relaxed);
            wait_until(|| self.sent.0.load(Ordering::Acquire) > number);
            let free = |object| {
                // SAFETY: the object lives; the other side allocates, but into other slots.
                witness.death(unsafe { &*self.contestant.address(&object) });
                self.contestant.free(object);
            };
            let mut batch = locked(self.batch(number));
            // SAFETY: the other side has filled the batch, and does not touch it before it is freed.
            unsafe { batch.row().empty(free) };
            drop(batch);
            self.freed.0.store(number + 1, Ordering::Release);
        }
    }

    fn batch(&self, number: u64) -> &Mutex<Seats<C::Object>> {
        &self.ring[number as usize % BATCHES].0
    }

    fn share(&self, side: usize, objects: u64, witness: &mut impl Witness<T>) {
        let batches = objects / u64::from(BATCH);
        if side == 0 { self.send(batches) } else { self.free(batches, witness) }
    }
}
