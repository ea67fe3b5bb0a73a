//! Many elements at once: all find a slot, or all come back.

use alloc::vec::Vec;

use crate::base::exhausted::Exhausted;
use crate::pointer::boxed::PoolBox;
use crate::pointer::pool::Pool;

/// The most boxes for which room is made before they are.
const MOST_AT_ONCE: usize = 1024;

/// Puts each value into a slot, or gives all back, in their order.
#[inline]
#[cfg_attr(any(feature = "sites", feature = "hardened"), track_caller)]
pub(crate) fn try_many_in<T, P: Pool<T> + Clone, I: Iterator<Item = T>>(
    mut values: I,
    pool: &P,
) -> Result<Vec<PoolBox<T, P>>, Exhausted<Vec<T>>> {
    // A hint may be wrong, or more than any pool has slots.
    let mut boxes = Vec::with_capacity(values.size_hint().0.min(MOST_AT_ONCE));
    while let Some(value) = values.next() {
        match PoolBox::try_new_in(value, pool.clone()) {
            Ok(made) => boxes.push(made),
            Err(exhausted) => return Err(take_back(boxes, exhausted, values)),
        }
    }
    Ok(boxes)
}

/// All values: those that have found a slot, the one that has not, and those behind it.
#[cold]
fn take_back<T, P: Pool<T>>(
    boxes: Vec<PoolBox<T, P>>,
    exhausted: Exhausted<T>,
    behind: impl Iterator<Item = T>,
) -> Exhausted<Vec<T>> {
    let (exhausted, value) = exhausted.take_value();
    let mut values: Vec<T> = boxes.into_iter().map(PoolBox::into_inner).collect();
    values.push(value);
    // One by one: what is lost to a wrong hint would be lost for good.
    behind.for_each(|value| values.push(value));
    exhausted.with_value(values)
}

/// Puts each value into a slot; panics if there are not as many.
#[inline]
#[track_caller]
pub(crate) fn many_in<T, P: Pool<T> + Clone, I: Iterator<Item = T>>(
    values: I,
    pool: &P,
) -> Vec<PoolBox<T, P>> {
    let mut boxes = Vec::with_capacity(values.size_hint().0.min(MOST_AT_ONCE));
    // A loop, not `map`: a panic in a closure would name this line, and not the caller's.
    for value in values {
        boxes.push(PoolBox::new_in(value, pool.clone()));
    }
    boxes
}
