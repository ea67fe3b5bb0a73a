//! A look at all that can be seen of a roster.

use std::collections::BTreeSet;
use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use typed_pool::{Handle, Roster};

/// A roster read from JSON.
pub(crate) fn from_json<T: DeserializeOwned>(json: Value) -> Result<Roster<T>, String> {
    // By way of the text, since a `Value` gives its fields in another way.
    let by_value = serde_json::from_value(json.clone()).map_err(|error| error.to_string());
    let by_text = serde_json::from_str(&json.to_string()).map_err(|error| error.to_string());
    assert_eq!(by_value.is_ok(), by_text.is_ok(), "{json}");
    drop::<Result<Roster<T>, _>>(by_value);
    by_text
}

pub(crate) fn to_json<T: Serialize>(roster: &Roster<T>) -> Value {
    serde_json::to_value(roster).unwrap()
}

/// The same roster, by way of either format.
pub(crate) fn there_and_back<T: Serialize + DeserializeOwned>(
    roster: &Roster<T>,
) -> [Roster<T>; 2] {
    let bytes = postcard::to_allocvec(roster).unwrap();
    [from_json(to_json(roster)).unwrap(), postcard::from_bytes(&bytes).unwrap()]
}

/// Uses the roster in every way, and panics if it does not hold together.
pub(crate) fn walk<T>(mut roster: Roster<T>, mut make: impl FnMut() -> T)
where
    T: Clone + Debug + PartialEq + Serialize + DeserializeOwned,
{
    see(&mut roster);
    for mut again in there_and_back(&roster) {
        assert_eq!(to_json(&again), to_json(&roster));
        see(&mut again);
    }
    let copy = roster.clone();
    assert!(copy.iter().eq(roster.iter()));

    let before: BTreeSet<Handle<T>> = roster.handles().collect();
    let mut new = Vec::new();
    for _ in 0..200 {
        match roster.try_insert(make()) {
            Ok(handle) => new.push(handle),
            Err(exhausted) => {
                // A limit below their number leaves the existing elements alone.
                assert!(roster.len() <= exhausted.capacity().max(before.len()));
                break;
            }
        }
    }
    assert!(new.is_sorted(), "the lowest vacant slot first");
    assert!(new.iter().all(|handle| !before.contains(handle)));
    let slots: BTreeSet<usize> = roster.handles().map(Handle::index).collect();
    assert_eq!(slots.len(), before.len() + new.len(), "each in a slot of its own");
    see(&mut roster);
    for (at, &handle) in before.iter().chain(&new).enumerate() {
        if at % 3 == 0 {
            assert!(roster.remove(handle).is_some());
        }
    }
    see(&mut roster);
    roster.shrink_to_fit();
    see(&mut roster);
    roster.clear();
    assert!(before.iter().chain(&new).all(|&handle| !roster.contains(handle)));
    see(&mut roster);
    assert!(copy.handles().eq(before));
}

fn see<T: Debug + PartialEq>(roster: &mut Roster<T>) {
    let handles: Vec<Handle<T>> = roster.handles().collect();
    assert_eq!(handles.len(), roster.len());
    assert_eq!(roster.values().count(), roster.len());
    assert!(handles.is_sorted_by_key(|handle| handle.index()));
    assert!(roster.iter().all(|(handle, element)| roster.get(handle) == Some(element)));

    let order = roster.order();
    let places: BTreeSet<usize> =
        handles.iter().map(|&handle| order.index_of(handle).unwrap()).collect();
    assert!(places.iter().copied().eq(0..order.len()));
    for place in 0..order.len() {
        let handle = order.handle_at(place).unwrap();
        assert_eq!(order.index_of(handle), Some(place));
    }
    assert_eq!(order.handle_at(order.len()), None);

    let stats = roster.stats();
    assert_eq!(stats.live, roster.len());
    assert!(stats.high_water >= stats.live && stats.capacity >= stats.live);
}
