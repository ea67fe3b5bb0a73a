//! Reports, changes and maps for JSON and the like.

use alloc::vec::Vec;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::base::map::{MapChunk, PoolMap, SlotUse};
use crate::base::stats::{Storage, Strategy};
use crate::pools::PoolInfo;
use crate::pools::report::Report;
use crate::pools::snapshot::{Change, Changes, Snapshot};

/// Serialises what has a word as that.
macro_rules! words {
    ($($type:ident)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    )*};
}

words! { Strategy Storage }

impl Serialize for SlotUse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Live => "live",
            Self::Detached => "detached",
            Self::Retired => "retired",
            Self::Vacant => "vacant",
            Self::NeverUsed => "never used",
        })
    }
}

/// Serialises a struct by the values of some expressions, each under its name.
macro_rules! fields {
    ($($this:ident: $type:ty as $type_name:literal { $($name:ident: $value:expr),* })*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $this = self;
                let fields = [$(stringify!($name)),*].len();
                let mut record = serializer.serialize_struct($type_name, fields)?;
                $(record.serialize_field(stringify!($name), &$value)?;)*
                record.end()
            }
        }
    )*};
}

fields! {
    row: PoolInfo as "PoolInfo" {
        type_name: row.type_name, name: row.name, strategy: row.strategy, storage: row.storage, threads: row.threads,
        live: row.live, high_water: row.high_water, capacity: row.capacity, chunks: row.chunks, bytes: row.bytes,
        failures: row.failures
    }
    report: Report as "Report" {
        pools: report.rows(), chunks: report.totals()[0], bytes: report.totals()[1], failures: report.totals()[2]
    }
    change: Change as "Change" {
        type_name: change.info.type_name, name: change.info.name, strategy: change.info.strategy,
        storage: change.info.storage, live: change.live, capacity: change.capacity, chunks: change.chunks,
        bytes: change.bytes, failures: change.failures
    }
    map: PoolMap as "PoolMap" {
        name: map.name(), slot_bytes: map.slot_bytes(), chunks: map.chunks().collect::<Vec<_>>()
    }
    // `runs` are pairs: the state of adjacent slots, and how many there are.
    chunk: MapChunk<'_> as "MapChunk" {
        address: chunk.address(), bytes: chunk.bytes(), live: chunk.live(), runs: chunk.slots().chunk_by(PartialEq::eq).map(|run| (run[0], run.len())).collect::<Vec<_>>()
    }
}

impl Serialize for Snapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.report.serialize(serializer)
    }
}

impl Serialize for Changes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}
