//! Serialised maps.

use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::base::handle::Handle;
use crate::roster::secondary_map::HandleMap;

/// A sequence of pairs of handle and value, in the order of slots.
///
/// (Between them an empty entry may stand for a slot without a value. Maps were written so once.)
impl<T, V: Serialize, const SPARSE: bool> Serialize for HandleMap<T, V, SPARSE> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Some))
    }
}

/// Handles that are not in the order of slots are an error, and so are two to one slot.
impl<'de, T, V: Deserialize<'de>, const SPARSE: bool> Deserialize<'de> for HandleMap<T, V, SPARSE> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(MapVisitor(PhantomData))
    }
}

struct MapVisitor<T, V, const SPARSE: bool>(PhantomData<HandleMap<T, V, SPARSE>>);

impl<'de, T, V: Deserialize<'de>, const SPARSE: bool> Visitor<'de> for MapVisitor<T, V, SPARSE> {
    type Value = HandleMap<T, V, SPARSE>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, element) = (type_name::<V>(), type_name::<T>());
        write!(f, "a sequence of `{value}`s, each with its handle to a `{element}`, or nothing")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = HandleMap::new();
        let (mut number, mut end) = (0, 0);
        while let Some(entry) = entries.next_element::<Option<(Handle<T>, V)>>()? {
            if let Some((handle, value)) = entry {
                let at = handle.index();
                if at < end || map.try_insert(handle, value).is_err() {
                    return Err(A::Error::custom(format_args!(
                        "cannot restore the secondary map of `{}`: entry {number} has a handle to \
                         slot {at}; the entries stand in the order of slots, one for each, and there must be memory \
                         for them",
                        type_name::<V>(),
                    )));
                }
                end = at + 1;
            }
            number += 1;
        }
        Ok(map)
    }
}
