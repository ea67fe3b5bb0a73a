//! Slots that are occupied, also where weak pointers alone hold them.

use typed_pool::PoolStats;

pub(crate) fn occupied(stats: PoolStats) -> usize {
    stats.live + stats.weak
}
