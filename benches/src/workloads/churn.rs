//! W3: a crowd in which, step by step, one object dies and one is born.

use super::{Seats, Sum, Witness, moved};
use crate::contestant::Contestant;
use crate::objects::Payload;
use crate::random::Random;

/// A crowd of constant size.
pub struct Crowd<T: Payload, C: Contestant<T>> {
    contestant: C,
    count: u32,
    seats: Seats<C::Object>,
    random: Random,
}

impl<T: Payload, C: Contestant<T>> Crowd<T, C> {
    /// This many newborn objects.
    pub fn gather(contestant: C, count: u32) -> Self {
        let mut seats = Seats::empty(count as usize);
        seats.row().fill(|number| contestant.alloc(|| T::written(number as u64)));
        Self { contestant, count, seats, random: Random::new(3) }
    }

    /// This many random deaths, each followed by a birth.
    #[inline(never)]
    pub fn churn<const PLACE: usize>(&mut self, steps: u64) {
        moved::<PLACE>();
        let Self { contestant, count, .. } = *self;
        let mut row = self.seats.row();
        let mut random = self.random.clone();
        for step in 0..steps {
            let place = random.below(count) as usize;
            // SAFETY: in bounds, and all places are taken before each step.
            let object = unsafe { row.leave(place) };
            contestant.free(object);
            let object = contestant.alloc(|| T::written(step));
            // SAFETY: in bounds.
            unsafe { row.seat(place, object) };
        }
        self.random = random;
    }

    /// Adds up all objects.
    pub fn census(&mut self) -> u64 {
        let row = self.seats.row();
        let mut sum = Sum::default();
        for place in 0..self.count as usize {
            // SAFETY: in bounds, and all places are taken.
            let object = unsafe { row.look(place) };
            // SAFETY: the object lives, and nothing is allocated while we look.
            sum.death(unsafe { &*self.contestant.address(object) });
        }
        sum.0
    }
}

impl<T: Payload, C: Contestant<T>> Drop for Crowd<T, C> {
    fn drop(&mut self) {
        // SAFETY: all places are taken, and not looked at again.
        unsafe { self.seats.row().empty(|object| self.contestant.free(object)) };
    }
}
