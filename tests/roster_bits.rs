//! A roster with a chosen tag gives the same handles, hashes, orders and saved bytes in every process, whatever happened there
//! before.

#![cfg(all(any(unix, windows), not(miri)))]

use std::env;
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Command;

use typed_pool::{Handle, Pooled, Roster};

const HISTORY: &str = "TYPED_POOL_TEST_HISTORY";

#[derive(Clone, Copy, Debug, Hash, Pooled)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[pool(strategy = roster, tag = 200)]
struct Local(u32);

#[derive(Clone, Copy, Debug, Hash, Pooled)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[pool(strategy = roster, static, tag = b'S', max = 2000)]
struct Shared(u32);

#[cfg(feature = "serde")]
trait Saved: serde::Serialize {}
#[cfg(feature = "serde")]
impl<T: serde::Serialize> Saved for T {}
#[cfg(not(feature = "serde"))]
trait Saved {}
#[cfg(not(feature = "serde"))]
impl<T> Saved for T {}

/// A random game, and all that it has shown.
fn game<T: Copy + Debug + Hash + Saved>(roster: &mut Roster<T>, make: impl Fn(u32) -> T) -> u64 {
    // Every process plays one game.
    let mut random = fastrand::Rng::with_seed(7);
    let mut seen = DefaultHasher::new();
    let mut handles: Vec<Handle<T>> = Vec::new();
    for turn in 0..20_000 {
        match random.u8(..12) {
            _ if turn % 5000 == 4999 => {
                roster.retain(|handle, _| handle.index() % 3 == 0);
                roster.shrink_to_fit();
                handles.retain(|&handle| roster.contains(handle));
            }
            _ if turn % 3000 == 2999 => {
                handles.clear();
                roster.clear();
                assert!(roster.renew());
            }
            0..=5 if roster.len() < 1500 => handles.push(roster.insert(make(turn))),
            6..=9 if !handles.is_empty() => {
                let handle = handles.swap_remove(random.usize(..handles.len()));
                roster.remove(handle).hash(&mut seen);
            }
            10 => roster.vacant_entry().handle().hash(&mut seen),
            _ => {}
        }
        handles.last().hash(&mut seen);
    }
    let index = handles.last().and_then(|&handle| roster.order().index_of(handle));
    handles.sort();
    (index, handles).hash(&mut seen);
    for (handle, element) in &*roster {
        (handle.to_bits(), element).hash(&mut seen);
    }
    #[cfg(feature = "serde")]
    serde_json::to_string(roster).unwrap().hash(&mut seen);
    seen.finish()
}

/// All three kinds of rosters, after a history of its own.
fn play(history: usize) -> [u64; 3] {
    let before: Vec<_> = (0..history).map(|n| Roster::from_iter([n])).collect();
    let owned = game(&mut Roster::tagged(3), |n| n);
    drop(before);
    [owned, Local::pool_with(|all| game(all, Local)), Shared::pool_with(|all| game(all, Shared))]
}

#[test]
fn two_processes_with_different_histories_have_equal_bits() {
    if let Ok(history) = env::var(HISTORY) {
        println!("bits: {:?}", play(history.parse().unwrap()));
        return;
    }
    let [first, second] = ["0", "77"].map(|history| {
        let mut child = Command::new(env::current_exe().unwrap());
        let output = child.args(["--nocapture"]).env(HISTORY, history).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let bits = text.find("bits: ").unwrap_or_else(|| panic!("{text}"));
        text[bits..].lines().next().unwrap().to_owned()
    });
    assert_eq!(first, second);
}
