//! An element borrowed while another is inserted

use typed_pool::Roster;

fn main() {
    let mut bullets = Roster::new();
    let handle = bullets.insert([0.0_f32; 4]);
    let bullet = &mut bullets[handle];
    bullets.insert([1.0; 4]);
    bullet[0] = 2.0;
}
