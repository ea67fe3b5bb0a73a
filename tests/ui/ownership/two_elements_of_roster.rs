//! Two elements of a roster borrowed mutably at once
//!
//! Fix: write `if let Some([first, second]) = bullets.get_disjoint_mut([a, b])`, which also tells whether
//! they are the same.

use typed_pool::Roster;

fn main() {
    let mut bullets = Roster::new();
    let (a, b) = (bullets.insert([0.0_f32; 4]), bullets.insert([1.0; 4]));
    let (first, second) = (bullets.get_mut(a), bullets.get_mut(b));
    std::mem::swap(first.unwrap(), second.unwrap());
}
