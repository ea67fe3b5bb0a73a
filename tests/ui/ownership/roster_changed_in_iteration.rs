//! A roster changed while it is iterated over

use typed_pool::Roster;

fn main() {
    let mut bullets = Roster::from_iter([[0.0_f32; 4]]);
    for (handle, bullet) in &bullets {
        if bullet[0] < 0.0 {
            bullets.remove(handle);
        }
    }
}
