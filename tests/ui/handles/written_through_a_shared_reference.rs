//! As `written_through_a_shared_guard`: by `get`, for which there is `get_mut`.

use typed_pool::Roster;

struct Monster {
    health: i32,
}

fn main() {
    let mut monsters = Roster::new();
    let orc = monsters.insert(Monster { health: 40 });
    monsters.get(orc).unwrap().health -= 5;
}
