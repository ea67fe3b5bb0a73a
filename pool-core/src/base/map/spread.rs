//! How far apart slots lie.

use alloc::vec::Vec;

/// What processors fetch at a time.
const LINE: usize = 64;

/// What the system maps at a time.
const PAGE: usize = 4096;

/// Vacant slots that lie one behind the other, and are handed out in that order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FreeRun {
    pub(crate) address: usize,
    pub(crate) slots: usize,
}

/// How far apart slots lie that are handed out one after the other: see
/// [`PoolMap::next_allocations`](crate::pools::PoolMap::next_allocations).
///
/// # Examples
///
/// A pool that was never used is in order:
///
/// ```
/// use typed_pool::FreeList;
///
/// let next = FreeList::<[u64; 4]>::bounded(1000).map().next_allocations(1000);
/// assert_eq!((next.slots, next.bytes, next.span, next.distance), (1000, 32_000, 32_000, 32));
/// assert_eq!(next.cache_lines, 500);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spread {
    /// How many slots: fewer than asked for, if the pool would have to grow for the others.
    pub slots: usize,
    /// Bytes of these slots.
    pub bytes: usize,
    /// Bytes from the beginning of the lowest slot to the end of the highest.
    pub span: usize,
    /// Bytes from a slot to the one that is handed out after it, in either direction: the mean, rounded down. In perfect order it is
    /// the size of a slot.
    pub distance: usize,
    /// Cache lines, of 64 bytes, in which the slots lie.
    pub cache_lines: usize,
    /// Pages, of 4,096 bytes, in which the slots lie.
    pub pages: usize,
}

impl Spread {
    /// Of the first `most` slots of these runs.
    pub(super) fn of(runs: &[FreeRun], slot_bytes: usize, most: usize) -> Self {
        let mut taken: Vec<FreeRun> = Vec::new();
        let (mut slots, mut far, mut last) = (0, 0_u128, None);
        for run in runs.iter().filter(|run| run.slots > 0) {
            if slots == most {
                break;
            }
            let run = FreeRun { slots: run.slots.min(most - slots), ..*run };
            far += last.map_or(0, |last| run.address.abs_diff(last) as u128);
            far += (run.slots - 1) as u128 * slot_bytes as u128;
            last = Some(run.address + (run.slots - 1) * slot_bytes);
            slots += run.slots;
            taken.push(run);
        }
        taken.sort_unstable_by_key(|run| run.address);
        let end = |run: &FreeRun| run.address + run.slots * slot_bytes;
        let first = taken.first().map_or(0, |run| run.address);
        let span = taken.iter().map(end).max().map_or(0, |end| end - first);
        let touched = |unit: usize| {
            let (mut count, mut next) = (0, 0);
            for run in taken.iter().filter(|run| run.slots * slot_bytes > 0) {
                let (from, to) = ((run.address / unit).max(next), (end(run) - 1) / unit);
                count += (to + 1).saturating_sub(from);
                next = next.max(to + 1);
            }
            count
        };
        Self {
            slots,
            bytes: slots * slot_bytes,
            span,
            distance: (far / (slots.saturating_sub(1).max(1)) as u128) as usize,
            cache_lines: touched(LINE),
            pages: touched(PAGE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FreeRun, Spread};

    fn spread(runs: &[(usize, usize)], slot_bytes: usize, most: usize) -> [usize; 6] {
        let runs: Vec<_> =
            runs.iter().map(|&(address, slots)| FreeRun { address, slots }).collect();
        let spread = Spread::of(&runs, slot_bytes, most);
        let Spread { slots, bytes, span, distance, cache_lines, pages } = spread;
        [slots, bytes, span, distance, cache_lines, pages]
    }

    #[test]
    fn what_is_touched_counts_once() {
        assert_eq!(spread(&[], 8, 10), [0; 6]);
        assert_eq!(spread(&[(64, 8)], 8, 0), [0; 6]);
        assert_eq!(spread(&[(64, 8)], 8, 1), [1, 8, 8, 0, 1, 1]);
        assert_eq!(spread(&[(64, 8)], 8, 100), [8, 64, 64, 8, 1, 1]);
        assert_eq!(spread(&[(60, 1), (72, 1)], 8, 2), [2, 16, 20, 12, 2, 1]);
        assert_eq!(spread(&[(8192, 1), (0, 2)], 64, 3), [3, 192, 8256, (8192 + 64) / 2, 3, 2]);
        assert_eq!(spread(&[(4000, 1)], 8000, 3), [1, 8000, 8000, 0, 126, 3]);
        // In one page, and in one line, from two sides.
        assert_eq!(spread(&[(96, 1), (64, 1), (80, 1)], 16, 9), [3, 48, 48, 24, 1, 1]);
    }

    #[test]
    fn what_has_no_size_touches_nothing() {
        assert_eq!(spread(&[(8, 100)], 0, 50), [50, 0, 0, 0, 0, 0]);
    }
}
