//! What the reports have in common.

use serde_json::{Value, json};
use typed_pool::PoolStats;

/// A pool's figures.
pub(crate) fn figures(stats: &PoolStats) -> Value {
    json!({
        "live": stats.live,
        "high_water": stats.high_water,
        "capacity": stats.capacity,
        "chunks": stats.chunks,
        "slot_bytes": stats.slot_bytes,
        "bytes": stats.bytes,
    })
}

/// A checksum, as every example shows it.
pub(crate) fn checksum(checksum: u64) -> String {
    format!("{checksum:016x}")
}
