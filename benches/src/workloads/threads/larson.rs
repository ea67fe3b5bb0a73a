//! A server that passes its connections around: P. Larson's and M. Krishnan's benchmark
//! (*Memory Allocation for Long-Running Server Applications*, 1998).

use std::sync::Mutex;

use super::{PORTION, Shared};
use crate::contestant::Contestant;
use crate::crew::{Meeting, SIDES};
use crate::objects::Payload;
use crate::workloads::churn::Crowd;

/// Objects in a crowd.
const CROWD: u32 = 1_000;

/// Two crowds in which objects die and are born. After each portion the sides swap them.
pub struct Larson<T: Payload, C: Contestant<T>> {
    crowds: [Mutex<Crowd<T, C>>; 2],
    swap: Meeting,
}

impl<T: Payload, C: Contestant<T>> Larson<T, C> {
    /// Two crowds of a contestant's.
    #[must_use]
    pub fn new(contestant: C) -> Self {
        let crowds = SIDES.map(|_| Mutex::new(Crowd::gather(contestant, CROWD)));
        Self { crowds, swap: Meeting::default() }
    }
}

impl<T: Payload, C: Contestant<T, Object: Send> + Send + Sync> Shared for Larson<T, C> {
    fn work(&self, side: usize, portions: u64) {
        for portion in 0..portions {
            let mut crowd = self.crowds[(side + portion as usize) % 2].lock().expect("no panic");
            crowd.churn::<0>(u64::from(PORTION));
            drop(crowd);
            self.swap.wait();
        }
    }

    fn check(&self, side: usize) -> u64 {
        self.crowds[side].lock().expect("no panic").census()
    }
}
