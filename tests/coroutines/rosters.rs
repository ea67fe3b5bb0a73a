//! Rosters that are values. Each coroutine has one.

use std::fmt;
use std::mem;

use typed_pool::{Init, Roster, init, try_init};

use super::part::{Ledger, Part, element};
use super::schedule::{attempt, each_seed, interleave, panic_on_purpose, pause};

element!(LEDGER, Thing);

#[cfg(feature = "serde")]
mod written_down {
    use serde::de::{Deserialize, Deserializer, Error as _};
    use serde::ser::{Serialize, Serializer};

    use super::{Thing, pause};

    impl Serialize for Thing {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            pause();
            self.check();
            serializer.serialize_bool(fastrand::u8(..10) == 0)
        }
    }

    impl<'de> Deserialize<'de> for Thing {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            pause();
            let fails = bool::deserialize(deserializer)?;
            if fails { Err(D::Error::custom("as it was written")) } else { Ok(Self::new()) }
        }
    }
}

/// What the user iterates over.
fn things() -> impl Iterator<Item = Thing> {
    (0..fastrand::usize(..8)).map(|_| {
        pause();
        Thing::new()
    })
}

fn keep<H>(_: H, thing: &mut Thing) -> bool {
    thing.change();
    fastrand::bool()
}

const OPERATIONS: &[fn(&mut Roster<Thing>)] = &[
    |roster| {
        let handle = roster.insert_with(|_| Thing::new());
        roster[handle].check();
    },
    |roster| {
        let handle = roster.insert(Thing::new());
        if let Some(thing) = roster.get_mut(handle) {
            thing.change();
        }
        pause();
        roster.remove(handle).unwrap().check();
    },
    |roster| {
        let handle = roster.insert(Thing::new());
        let mut thing = roster.detach(handle).unwrap();
        thing.change();
        roster.extend(things());
        roster.reattach(handle, thing);
        roster[handle].check();
    },
    |roster| roster.retain(keep),
    |roster| roster.clear(),
    |roster| roster.extend(things()),
    |roster| {
        let left = fastrand::usize(..4);
        for (_, thing) in roster.drain().take(left) {
            pause();
            thing.check();
        }
    },
    |roster| mem::forget(roster.drain()),
    |roster| {
        for (handle, thing) in roster.iter() {
            pause();
            assert_eq!(roster.get(handle), Some(thing));
        }
    },
    |roster| {
        for (_, thing) in roster.iter_mut() {
            thing.change();
        }
    },
    |roster| roster.values().for_each(Thing::check),
    |roster| roster.values_mut().for_each(Thing::change),
    |roster| assert_eq!(roster.handles().inspect(|_| pause()).count(), roster.len()),
    |roster| {
        let copy = roster.clone();
        copy.values().for_each(Thing::check);
        *roster = copy;
    },
    |roster| assert!(!format!("{roster:?}").is_empty()),
    |roster| {
        *roster = things().collect();
    },
    |roster| {
        for (_, thing) in mem::take(roster) {
            pause();
            thing.check();
        }
    },
    |roster| roster.shrink_to_fit(),
    #[cfg(feature = "serde")]
    |roster| {
        let bytes = postcard::to_allocvec(roster).unwrap();
        // Some fail to be read.
        if let Ok(read) = postcard::from_bytes::<Roster<Thing>>(&bytes) {
            assert_eq!(read.len(), roster.len());
            read.values().for_each(Thing::check);
            *roster = read;
        }
    },
];

#[test]
fn suspended() {
    each_seed(|| {
        interleave(|| {
            let mut roster = if fastrand::bool() { Roster::new() } else { Roster::bounded(1000) };
            for _ in 0..fastrand::usize(1..=6) {
                let operation = OPERATIONS[fastrand::usize(..OPERATIONS.len())];
                // What has panicked leaves a roster that is in order.
                attempt(|| operation(&mut roster));
                assert_eq!(roster.values().count(), roster.len());
            }
        });
        LEDGER.check();
    });
}
