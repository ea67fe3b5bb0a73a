//! Many elements at once: all find a slot, or none is made.

use alloc::vec::Vec;

use crate::base::exhausted::Exhausted;
use crate::pointer::boxed::{PoolBox, Vacant};
use crate::pointer::pool::Pool;

impl<T, P: Pool<T> + Clone> Vacant<T, P> {
    /// As many slots as asked for, or none.
    fn try_many_in(count: usize, pool: &P) -> Result<Vec<Self>, Exhausted> {
        let mut slots = Vec::with_capacity(count);
        for _ in 0..count {
            slots.push(Self::try_new_in(pool.clone())?);
        }
        Ok(slots)
    }
}

/// Reserves a slot for each value, then fills them in turn; or gives the values back.
///
/// An iterator that has more values than it said keeps the rest, and the slots that are left over go back.
#[inline]
pub(crate) fn try_many_in<T, P: Pool<T> + Clone, I: ExactSizeIterator<Item = T>>(
    values: I,
    pool: &P,
) -> Result<Vec<PoolBox<T, P>>, Exhausted<I>> {
    match Vacant::try_many_in(values.len(), pool) {
        // In the same block: a box is as large as its slot's reservation.
        Ok(slots) => {
            Ok(slots.into_iter().zip(values).map(|(slot, value)| slot.fill(value)).collect())
        }
        Err(exhausted) => Err(exhausted.with_value(values)),
    }
}

/// [`try_many_in`], which panics if there are not as many slots.
#[inline]
#[track_caller]
pub(crate) fn many_in<T, P: Pool<T> + Clone, I: ExactSizeIterator<Item = T>>(
    values: I,
    pool: &P,
) -> Vec<PoolBox<T, P>> {
    match try_many_in(values, pool) {
        Ok(boxes) => boxes,
        Err(exhausted) => panic!("{exhausted}"),
    }
}
