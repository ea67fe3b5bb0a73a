//! Mutations of what is sound: never a panic, and what is accepted holds together.

use proptest::collection::vec;
use proptest::prelude::*;
use typed_pool::Roster;

use super::config::config;
use super::walk::walk;

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

proptest! {
    #![proptest_config(config(1000))]

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
}
