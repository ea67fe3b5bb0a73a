//! Each thread frees what it has allocated itself.

use core::marker::PhantomData;
use std::sync::Mutex;

use super::{PORTION, Shared};
use crate::contestant::Contestant;
use crate::crew::SIDES;
use crate::objects::Payload;
use crate::workloads::burst::{Bursts, Order};
use crate::workloads::{Blind, Sum, pair};

/// Objects in a burst.
const BURST: u32 = 1_000;

/// Alloc, write all fields, free at once.
pub struct OwnPairs<T, C> {
    contestant: C,
    object: PhantomData<fn() -> T>,
}

impl<T: Payload, C: Contestant<T>> OwnPairs<T, C> {
    /// Pairs of a contestant's.
    #[must_use]
    pub fn new(contestant: C) -> Self {
        Self { contestant, object: PhantomData }
    }
}

impl<T: Payload, C: Contestant<T> + Send + Sync> Shared for OwnPairs<T, C> {
    fn work(&self, _side: usize, portions: u64) {
        pair::run::<0, _, _>(self.contestant, portions * u64::from(PORTION), &mut Blind);
    }

    fn check(&self, _side: usize) -> u64 {
        let mut sum = Sum::default();
        pair::run::<0, _, _>(self.contestant, u64::from(PORTION), &mut sum);
        sum.0
    }
}

/// A thousand are allocated, and then freed in the same order.
pub struct OwnBursts<T, C: Contestant<T>>([Mutex<Bursts<T, C>>; 2]);

impl<T: Payload, C: Contestant<T>> OwnBursts<T, C> {
    /// Bursts of a contestant's.
    #[must_use]
    pub fn new(contestant: C) -> Self {
        Self(SIDES.map(|_| Mutex::new(Bursts::with(contestant, Order::Same.of(BURST)))))
    }
}

impl<T: Payload, C: Contestant<T, Object: Send> + Send + Sync> Shared for OwnBursts<T, C> {
    fn work(&self, side: usize, portions: u64) {
        let mut bursts = self.0[side].lock().expect("no panic");
        bursts.run::<0>(portions * u64::from(PORTION / BURST), &mut Blind);
    }

    fn check(&self, side: usize) -> u64 {
        let mut sum = Sum::default();
        self.0[side].lock().expect("no panic").run::<0>(1, &mut sum);
        sum.0
    }
}
