//! Two peers play one game. The second joins late, by a save of the first, and from then on both apply the same commands.
//!
//! ```text
//! cargo run --release -p typed-pool-examples --example saves
//! ```
//!
//! A command names a monster by the handle that the first peer has for it. Therefore the second peer must give the same handle to the
//! same monster, in every spawn after the save. A loaded roster does. A loaded slot map finds all that lived, but it does not
//! remember in which order it would have used its free slots: its next keys differ, and commands miss.

use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use slotmap::{DefaultKey, SlotMap};
use typed_pool::{Handle, Roster};

const TURNS: usize = 1000;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Monster {
    name: String,
}

/// A world of monsters, in one container or the other.
trait World: Default + Serialize + DeserializeOwned {
    type Name: Copy + Debug + PartialEq;

    fn spawn(&mut self, monster: Monster) -> Self::Name;
    fn kill(&mut self, name: Self::Name) -> Option<Monster>;
}

impl World for Roster<Monster> {
    type Name = Handle<Monster>;

    fn spawn(&mut self, monster: Monster) -> Handle<Monster> {
        self.insert(monster)
    }

    fn kill(&mut self, name: Handle<Monster>) -> Option<Monster> {
        self.remove(name)
    }
}

impl World for SlotMap<DefaultKey, Monster> {
    type Name = DefaultKey;

    fn spawn(&mut self, monster: Monster) -> DefaultKey {
        self.insert(monster)
    }

    fn kill(&mut self, name: DefaultKey) -> Option<Monster> {
        self.remove(name)
    }
}

/// Monsters that the two peers know by different names, and commands that did not do the same in both.
#[derive(Debug, Default, PartialEq)]
struct Differences {
    names: usize,
    commands: usize,
}

fn monster(number: usize) -> Monster {
    Monster { name: format!("monster {number}") }
}

/// Plays for a while, saves, loads, and plays on in both peers.
fn play<W: World>() -> Differences {
    let mut first = W::default();
    let mut alive: Vec<_> = (0..20).map(|n| first.spawn(monster(n))).collect();
    for dead in [3, 15, 7] {
        first.kill(alive.swap_remove(dead));
    }

    let save = postcard::to_allocvec(&first).expect("memory is all that it takes");
    let mut second: W = postcard::from_bytes(&save).expect("it was saved a moment ago");

    let mut differences = Differences::default();
    for turn in 0..TURNS {
        let name = first.spawn(monster(100 + turn));
        differences.names += usize::from(second.spawn(monster(100 + turn)) != name);
        alive.push(name);

        let dead = alive.swap_remove(turn * 7 % alive.len());
        differences.commands += usize::from(second.kill(dead) != first.kill(dead));
    }
    differences
}

fn main() {
    for (container, differences) in [
        ("typed_pool::Roster", play::<Roster<Monster>>()),
        ("slotmap::SlotMap", play::<SlotMap<DefaultKey, Monster>>()),
    ] {
        let Differences { names, commands } = differences;
        println!(
            "{container:18} after a load: {names:4} of {TURNS} new monsters have another name, and {commands:4} of {TURNS} commands \
             did something else"
        );
    }
}

#[test]
fn a_loaded_roster_goes_on_as_the_original_does() {
    assert_eq!(play::<Roster<Monster>>(), Differences { names: 0, commands: 0 });
}

#[test]
fn the_next_keys_of_a_loaded_slot_map_are_others() {
    let Differences { names, commands } = play::<SlotMap<DefaultKey, Monster>>();
    assert!(names > 0 && commands > 0);
}
