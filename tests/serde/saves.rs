//! Saved games that were written once, and are committed: every target reads them, plays on alike, and writes the same bytes.
//!
//! `POOL_BLESS=1 cargo test --features serde --test serde saves` writes them anew.

use std::path::Path;
use std::{env, fs};

use typed_pool::{Handle, Roster, SecondaryMap};

type Unit = (String, i64, f32);

/// Units, the seats of a ship, whom each unit follows, and handles that somebody has noted, some of them stale.
type World = (Roster<Unit>, Roster<u16>, SecondaryMap<Unit, Vec<Handle<Unit>>>, Vec<Handle<Unit>>);

fn new_world() -> World {
    (Roster::new(), Roster::bounded(9), SecondaryMap::new(), Vec::new())
}

/// So many turns of a game without chance.
fn play((units, seats, follows, noted): &mut World, turns: u64) {
    let mut random = turns;
    for turn in 0..turns {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (kind, number) = ((random >> 33) % 16, (random >> 40) as usize);
        let some = noted.get(number % noted.len().max(1)).copied();
        match (kind, some) {
            (0..=6, _) => {
                let unit =
                    units.insert((format!("unit {turn}"), -(turn as i64) << 20, turn as f32 / 3.0));
                follows.insert(unit, some.into_iter().collect());
                noted.push(unit);
            }
            (7..=10, Some(unit)) => drop(units.remove(unit)),
            (11, Some(unit)) => drop(units.detach(unit)),
            (12, Some(unit)) => {
                let _ = units.try_reattach(unit, ("back".to_owned(), i64::MIN, -0.0));
            }
            (13, Some(unit)) => {
                follows.get_mut(unit).into_iter().for_each(|followed| followed.extend(some));
            }
            // One seat is worn more than the others.
            _ => {
                let _ = seats.try_insert(turn as u16);
                if seats.len() > 4 {
                    let first = seats.handles().next();
                    first.into_iter().for_each(|first| _ = seats.remove(first));
                }
            }
        }
    }
    units.retain(|_, unit| unit.1 % 5 != 0);
}

/// Checks that the file `before` becomes the file `after`.
fn check(kind: &str, write: fn(&World) -> Vec<u8>, read: fn(&[u8]) -> World) {
    let file = |name: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/serde/saves");
        folder.join(format!("{name}.{kind}"))
    };
    if env::var_os("POOL_BLESS").is_some() {
        let mut world = new_world();
        play(&mut world, 500);
        fs::write(file("before"), write(&world)).unwrap();
        play(&mut world, 400);
        fs::write(file("after"), write(&world)).unwrap();
    }
    let [before, after] = ["before", "after"].map(|name| fs::read(file(name)).unwrap());
    let mut world = read(&before);
    assert!(write(&world) == before, "{kind}: what was read is written as it was");
    play(&mut world, 400);
    assert!(write(&world) == after, "{kind}: it goes on as it did where it was written");
}

#[test]
fn a_saved_game_is_the_same_bytes_on_every_target() {
    let read = |bytes: &[u8]| serde_json::from_slice(bytes).unwrap();
    check("json", |world| serde_json::to_vec(world).unwrap(), read);
    let read = |bytes: &[u8]| postcard::from_bytes(bytes).unwrap();
    check("postcard", |world| postcard::to_allocvec(world).unwrap(), read);
}
