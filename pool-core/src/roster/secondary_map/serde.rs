//! Serialised maps.

use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::base::handle::Handle;
use crate::roster::secondary_map::SecondaryMap;
use crate::roster::secondary_map::pages::KeyedValue;

/// A sequence with an entry for each slot up to the highest that has a value: nothing, or the pair of
/// handle and value.
///
/// Empty slots have an entry, too, so that the memory of a deserialised map is in proportion to the input: an empty
/// entry takes at most two words (six while the table grows), a full one 256 bytes besides the value. If slots were
/// named instead, a few bytes could name a very high one.
impl<T, V: Serialize> Serialize for SecondaryMap<T, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.slots.used()).map(|at| {
            let KeyedValue { word, value } = self.slots.get(at)?;
            Some((Handle::<T>::new(at as u32, *word), value))
        }))
    }
}

/// A handle in the place of another slot is an error.
impl<'de, T, V: Deserialize<'de>> Deserialize<'de> for SecondaryMap<T, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(MapVisitor(PhantomData))
    }
}

struct MapVisitor<T, V>(PhantomData<SecondaryMap<T, V>>);

impl<'de, T, V: Deserialize<'de>> Visitor<'de> for MapVisitor<T, V> {
    type Value = SecondaryMap<T, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, element) = (type_name::<V>(), type_name::<T>());
        write!(f, "a sequence of `{value}`s, each with its handle to a `{element}`, or nothing")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = SecondaryMap::new();
        let mut at = 0;
        while let Some(entry) = entries.next_element::<Option<(Handle<T>, V)>>()? {
            match entry {
                Some((handle, value)) if handle.index() == at => {
                    // Only the table's length is kept for the empty slots up to here.
                    *map.slots.place(at) = Some(KeyedValue { word: handle.word(), value });
                    map.len += 1;
                }
                Some((handle, _)) => {
                    return Err(A::Error::custom(format_args!(
                        "cannot restore the secondary map of `{}`: entry {at} has a handle to slot \
                         {}; an entry stands at the place of its slot",
                        type_name::<V>(),
                        handle.index()
                    )));
                }
                None => {}
            }
            at += 1;
        }
        Ok(map)
    }
}
