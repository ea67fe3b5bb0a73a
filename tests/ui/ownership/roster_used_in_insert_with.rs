//! As `roster_changed_in_iteration`: by the closure given to `insert_with`.

use typed_pool::Roster;

fn main() {
    let mut bullets = Roster::from_iter([[0.0_f32; 4]]);
    bullets.insert_with(|_| [bullets.len() as f32; 4]);
}
