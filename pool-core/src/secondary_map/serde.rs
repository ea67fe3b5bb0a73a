//! Maps in save files and on wires.

use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::{SecondaryMap, Slot};
use crate::handle::Handle;

/// A sequence with an entry for each slot up to the highest that has a value: nothing, or the pair of
/// handle and value.
///
/// It has an entry for the empty slots, too, so that what is read needs no more memory than what was
/// sent: of a few bytes that named a slot far up one could not say so.
impl<T, V: Serialize> Serialize for SecondaryMap<T, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let used = self.slots.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        serializer.collect_seq(self.slots[..used].iter().enumerate().map(|(at, slot)| {
            let Slot { word, value } = slot.as_ref()?;
            Some((Handle::<T>::new(at as u32, *word), value))
        }))
    }
}

/// A handle that is not at the place of its slot is an error.
impl<'de, T, V: Deserialize<'de>> Deserialize<'de> for SecondaryMap<T, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Slots(PhantomData))
    }
}

struct Slots<T, V>(PhantomData<SecondaryMap<T, V>>);

impl<'de, T, V: Deserialize<'de>> Visitor<'de> for Slots<T, V> {
    type Value = SecondaryMap<T, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, element) = (type_name::<V>(), type_name::<T>());
        write!(f, "a sequence of `{value}`s, each with its handle to a `{element}`, or nothing")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = SecondaryMap::new();
        while let Some(entry) = entries.next_element::<Option<(Handle<T>, V)>>()? {
            let at = map.slots.len();
            let slot = match entry {
                Some((handle, value)) if handle.index() == at => {
                    map.len += 1;
                    Some(Slot { word: handle.word(), value })
                }
                Some((handle, _)) => {
                    return Err(A::Error::custom(format_args!(
                        "cannot restore the secondary map of `{}`: entry {at} has a handle to slot \
                         {}; an entry stands at the place of its slot",
                        type_name::<V>(),
                        handle.index()
                    )));
                }
                None => None,
            };
            map.slots.push(slot);
        }
        Ok(map)
    }
}
