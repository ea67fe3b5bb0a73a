//! A handle shown to a roster of other elements
//!
//! Fix: keep the two apart, `Option<Handle<Bullet>>` here and `Option<Handle<Rocket>>` there; a handle
//! names one element of one type.

use typed_pool::{Handle, Roster};

struct Bullet([f32; 4]);

struct Rocket([f32; 4]);

fn main() {
    let mut bullets = Roster::<Bullet>::new();
    let rocket: Handle<Rocket> = Roster::new().insert(Rocket([0.0; 4]));
    bullets.remove(rocket);
}
