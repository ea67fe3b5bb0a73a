//! A box given to what takes std's `Box`
//!
//! Fix: let the function take a `PoolBox<Monster>`, or, if it needs no ownership, a `&mut Monster`, and give it `&mut *monster`.
//! `PoolBox::into_inner` moves the value out, for `Box::new`.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
struct Monster {
    health: i64,
}

fn keep(_: Box<Monster>) {}

fn main() {
    keep(PoolBox::new(Monster { health: 40 }));
}
