//! An element that borrows from something dropped before its roster
//!
//! Fix: declare what is borrowed before the roster.

use typed_pool::Roster;

struct Bullet<'a>(&'a str);

impl Drop for Bullet<'_> {
    fn drop(&mut self) {
        println!("{}", self.0);
    }
}

fn main() {
    let mut bullets = Roster::new();
    let name = String::from("bullet");
    bullets.insert(Bullet(&name));
}
