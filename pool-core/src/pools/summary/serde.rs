//! Reports, changes and maps for JSON and the like.

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::base::ledger::{Storage, Strategy};
use crate::base::map::{MapChunk, PoolMap, SlotUse};
use crate::pools::summary::{Change, Changes, Report, Row, Snapshot};

/// What has a name in figures, as that.
macro_rules! names {
    ($($type:ident)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    )*};
}

names! { Strategy Storage SlotUse }

/// A struct as its fields, under their names.
macro_rules! fields {
    ($($type:ident: $($field:ident)*;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let fields = [$(stringify!($field)),*].len();
                let mut record = serializer.serialize_struct(stringify!($type), fields)?;
                $(record.serialize_field(stringify!($field), &self.$field)?;)*
                record.end()
            }
        }
    )*};
}

fields! {
    Row: type_name name strategy storage pools live weak detached retired high_water capacity slot_bytes chunks bytes log_bytes failures grown is_exact;
    Change: type_name name strategy storage live capacity chunks bytes failures is_exact;
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [live, chunks, bytes, failures] = self.totals();
        let fields = if cfg!(feature = "sites") { 7 } else { 6 };
        let mut report = serializer.serialize_struct("Report", fields)?;
        report.serialize_field("pools", self.rows())?;
        report.serialize_field("live", &live)?;
        report.serialize_field("chunks", &chunks)?;
        report.serialize_field("bytes", &bytes)?;
        report.serialize_field("failures", &failures)?;
        report.serialize_field("is_exact", &self.is_exact())?;
        #[cfg(feature = "sites")]
        report.serialize_field("sites", &self.sites)?;
        report.end()
    }
}

impl Serialize for Snapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.report().serialize(serializer)
    }
}

impl Serialize for Changes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

/// What the function iterates over.
struct Each<F>(F);

impl<F: Fn() -> I, I: IntoIterator<Item: Serialize>> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// `runs` are pairs: what adjacent slots are used for, and how many there are.
impl Serialize for MapChunk<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut chunk = serializer.serialize_struct("MapChunk", 5)?;
        chunk.serialize_field("address", &self.address())?;
        chunk.serialize_field("slots", &self.slots())?;
        chunk.serialize_field("bytes", &self.bytes())?;
        chunk.serialize_field("live", &self.live())?;
        chunk.serialize_field("runs", &Each(|| self.runs()))?;
        chunk.end()
    }
}

impl Serialize for PoolMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_struct("PoolMap", 10)?;
        map.serialize_field("name", self.name())?;
        map.serialize_field("slot_bytes", &self.slot_bytes())?;
        map.serialize_field("live", &self.live())?;
        map.serialize_field("vacant", &self.vacant())?;
        map.serialize_field("kept_elsewhere", &self.kept_elsewhere())?;
        map.serialize_field("is_exact", &self.is_exact())?;
        map.serialize_field("returnable_bytes", &self.returnable_bytes())?;
        map.serialize_field("longest_vacant_run", &self.longest_vacant_run())?;
        map.serialize_field("fullness", &self.fullness())?;
        map.serialize_field("chunks", &Each(|| self.chunks()))?;
        map.end()
    }
}
