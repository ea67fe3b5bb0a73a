//! Mutations of what is sound: never a panic, and what is accepted holds together.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use typed_pool::Roster;

use super::config::config;
use super::walk::{from_json, to_json, walk};

/// Small rosters with slots in every state.
fn roster() -> impl Strategy<Value = Roster<u8>> {
    (vec(0_u8..8, 0..80), any::<bool>(), any::<bool>()).prop_map(|(fates, is_bounded, is_asked)| {
        let mut roster = if is_bounded { Roster::bounded(100) } else { Roster::new() };
        let handles: Vec<_> = fates.iter().map(|&fate| roster.insert(fate)).collect();
        if is_asked {
            roster.order();
        }
        for (&fate, &handle) in fates.iter().zip(&handles) {
            match fate {
                0 | 1 => drop(roster.remove(handle)),
                2 => drop(roster.detach(handle)),
                _ => {}
            }
        }
        roster
    })
}

/// A number near those that matter, or any.
fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => (0_u64..100).prop_map(Value::from),
        1 => prop::sample::select(vec![127, 128, 255, 256, 0xff_ffff, 1 << 24, u64::from(u32::MAX)])
            .prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
    ]
}

#[derive(Clone, Debug)]
enum Mutation {
    /// The value at this place, counted through the tree, becomes another.
    Replace(usize, Value),
    /// An item of a list goes, or comes, or changes places with another.
    Remove(usize, usize),
    Insert(usize, usize, Value),
    Swap(usize, usize, usize),
    Nudge(usize, bool),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<usize>;
    let value = || prop_oneof![6 => number(), 1 => Just(json!(null)), 1 => Just(json!([]))];
    prop_oneof![
        (at(), value()).prop_map(|(at, value)| Mutation::Replace(at, value)),
        (at(), at()).prop_map(|(list, at)| Mutation::Remove(list, at)),
        (at(), at(), value()).prop_map(|(list, at, value)| Mutation::Insert(list, at, value)),
        (at(), at(), at()).prop_map(|(list, a, b)| Mutation::Swap(list, a, b)),
        (at(), any::<bool>()).prop_map(|(at, up)| Mutation::Nudge(at, up)),
    ]
}

/// The pointers to the values of the tree for which `wanted` says so.
fn places(value: &Value, at: &str, wanted: fn(&Value) -> bool, found: &mut Vec<String>) {
    if wanted(value) {
        found.push(at.to_owned());
    }
    match value {
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                places(item, &format!("{at}/{i}"), wanted, found);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                places(field, &format!("{at}/{name}"), wanted, found);
            }
        }
        _ => {}
    }
}

/// One of those values, if there are any.
fn pick(json: &mut Value, at: usize, wanted: fn(&Value) -> bool) -> Option<&mut Value> {
    let mut found = Vec::new();
    places(json, "", wanted, &mut found);
    let at = at.checked_rem(found.len())?;
    json.pointer_mut(&found[at])
}

fn pick_list(json: &mut Value, at: usize) -> &mut Vec<Value> {
    pick(json, at, Value::is_array).and_then(Value::as_array_mut).unwrap()
}

fn mutate(json: &mut Value, mutation: Mutation) {
    match mutation {
        Mutation::Replace(at, value) => {
            // Not the whole.
            if let Some(place) = pick(json, at, |value| !value.is_object()) {
                *place = value;
            }
        }
        Mutation::Remove(list, at) => {
            let list = pick_list(json, list);
            if let Some(at) = at.checked_rem(list.len()) {
                list.remove(at);
            }
        }
        Mutation::Insert(list, at, value) => {
            let list = pick_list(json, list);
            list.insert(at % (list.len() + 1), value);
        }
        Mutation::Swap(list, a, b) => {
            let list = pick_list(json, list);
            if let (Some(a), Some(b)) = (a.checked_rem(list.len()), b.checked_rem(list.len())) {
                list.swap(a, b);
            }
        }
        Mutation::Nudge(at, up) => {
            if let Some(place) = pick(json, at, Value::is_u64) {
                let number = place.as_u64().unwrap();
                *place =
                    json!(if up { number.saturating_add(1) } else { number.saturating_sub(1) });
            }
        }
    }
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn of_json(roster in roster(), mutations in vec(mutation(), 1..3)) {
        let mut json = to_json(&roster);
        for mutation in mutations {
            if json.as_object().is_some_and(|fields| fields.values().any(Value::is_array)) {
                mutate(&mut json, mutation);
            }
        }
        if let Ok(roster) = from_json::<u8>(json) {
            walk(roster, || 0);
        }
    }

    #[test]
    fn of_bytes(roster in roster(), changes in vec((any::<usize>(), any::<u8>()), 1..4)) {
        let mut bytes = postcard::to_allocvec(&roster).unwrap();
        for (at, byte) in changes {
            let len = bytes.len();
            bytes[at % len] = byte;
        }
        if let Ok(roster) = postcard::from_bytes::<Roster<u8>>(&bytes) {
            walk(roster, || 0);
        }
    }

    #[test]
    fn of_nothing(bytes in vec(any::<u8>(), 0..64)) {
        if let Ok(roster) = postcard::from_bytes::<Roster<u8>>(&bytes) {
            walk(roster, || 0);
        }
    }
}
