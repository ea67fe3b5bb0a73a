//! An element that outlives its removal from the roster
//!
//! Fix: use it before the removal, or use what `remove` returns.

use typed_pool::Roster;

fn main() {
    let mut bullets = Roster::new();
    let handle = bullets.insert([0.0_f32; 4]);
    let bullet = &bullets[handle];
    bullets.remove(handle);
    println!("{}", bullet[0]);
}
