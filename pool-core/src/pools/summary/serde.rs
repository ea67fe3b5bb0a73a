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

/// A struct as its fields, or what its methods say, under their names; at last what a method iterates over.
macro_rules! fields {
    ($($type:ty as $name:literal: $($field:ident $(($($call:tt)*))?),* $(, ..$all:ident)?;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let fields = [$(stringify!($field),)* $(stringify!($all))?].len();
                let mut record = serializer.serialize_struct($name, fields)?;
                $(record.serialize_field(stringify!($field), &self.$field $(($($call)*))?)?;)*
                $(record.serialize_field(stringify!($all), &Each(|| self.$all()))?;)?
                record.end()
            }
        }
    )*};
}

// `runs` are pairs: what adjacent slots are used for, and how many there are.
fields! {
    Row as "Row": type_name, name, strategy, storage, pools, live, detached, retired, high_water, capacity, slot_bytes,
        chunks, bytes, log_bytes, failures, grown, is_exact;
    Change as "Change": type_name, name, strategy, storage, live, capacity, chunks, bytes, failures, is_exact;
    MapChunk<'_> as "MapChunk": address(), slots(), bytes(), live(), ..runs;
    PoolMap as "PoolMap": name(), slot_bytes(), live(), vacant(), kept_elsewhere(), is_exact(), returnable_bytes(),
        longest_vacant_run(), fullness(), ..chunks;
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
