//! W2: allocate many, then free them all in a given order.

use std::sync::Arc;

use super::{Seats, Witness, moved};
use crate::contestant::Contestant;
use crate::objects::Payload;
use crate::random::Random;

/// Numbers from 0 up, each once.
pub type Permutation = Arc<[u32]>;

/// In which order a burst is freed.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    /// First in, first out.
    Same,
    /// Last in, first out.
    Reverse,
    /// Any, the same for every contestant.
    Shuffled,
}

impl Order {
    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Reverse => "reverse",
            Self::Shuffled => "shuffled",
        }
    }

    /// The indices below `count` in this order.
    pub fn of(self, count: u32) -> Permutation {
        match self {
            Self::Same => (0..count).collect(),
            Self::Reverse => (0..count).rev().collect(),
            Self::Shuffled => Random::new(7).permutation(count).into(),
        }
    }
}

/// A contestant, and room for a burst of its objects.
pub struct Bursts<T, C: Contestant<T>> {
    contestant: C,
    order: Permutation,
    seats: Seats<C::Object>,
}

impl<T: Payload, C: Contestant<T>> Bursts<T, C> {
    /// Bursts of one object for each number in `order`.
    pub fn new(contestant: C, order: Permutation) -> Self {
        let seats = Seats::empty(order.len());
        Self { contestant, order, seats }
    }

    /// Runs this many bursts.
    #[inline(never)]
    pub fn run<const PLACE: usize>(&mut self, bursts: u64, witness: &mut impl Witness<T>) {
        moved::<PLACE>();
        let contestant = self.contestant;
        let mut row = self.seats.row();
        for _ in 0..bursts {
            row.fill(|number| contestant.alloc(|| T::written(number as u64)));
            for &place in self.order.iter() {
                // SAFETY: all places are taken, and a permutation names each once.
                let object = unsafe { row.leave(place as usize) };
                // SAFETY: the object lives, and nothing is allocated while we look.
                witness.death(unsafe { &*contestant.address(&object) });
                contestant.free(object);
            }
            // SAFETY: every object is gone.
            unsafe { contestant.reset() };
        }
    }
}
