//! Bytes that claim to be a roster, a secondary map or a handle: an error, or something that holds
//! together.

use typed_pool::{Handle, Roster, SecondaryMap};
use walk::walk;

#[path = "../../../tests/serde/walk.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod walk;

/// Runs what the bytes say.
pub fn run_bytes(bytes: &[u8]) {
    let Some((&kind, bytes)) = bytes.split_first() else { return };
    match kind % 4 {
        0 => {
            if let Ok(roster) = postcard::from_bytes::<Roster<u8>>(bytes) {
                walk(roster, || 0);
            }
        }
        1 => {
            if let Ok(roster) = postcard::from_bytes::<Roster<String>>(bytes) {
                walk(roster, String::new);
            }
        }
        2 => {
            if let Ok(roster) = serde_json::from_slice::<Roster<u8>>(bytes) {
                walk(roster, || 0);
            }
        }
        _ => {
            if let Ok(map) = postcard::from_bytes::<SecondaryMap<u8, String>>(bytes) {
                let again = postcard::to_allocvec(&map).expect("it was read");
                let again = postcard::from_bytes::<SecondaryMap<u8, String>>(&again);
                assert_eq!(again.as_ref(), Ok(&map));
                assert!(map.iter().all(|(handle, value)| map.get(handle) == Some(value)));
                assert_eq!(map.iter().count(), map.len());
            }
            if let Ok(handle) = postcard::from_bytes::<Handle<u8>>(bytes) {
                assert_eq!(Handle::from_bits(handle.to_bits()), Some(handle));
                let text = serde_json::to_string(&handle).expect("text takes any handle");
                assert!(serde_json::from_str(&text).is_ok_and(|again: Handle<u8>| again == handle));
            }
        }
    }
}
